"""`leverage compare` from the command line: forms, files, revisions, mistakes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place


def test_two_systems_are_compared_in_every_form(world: Place) -> None:
    ran = world.run("compare", "port", "base")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("# port beside base\n")
    assert "## Is it fair?" in ran.out
    wrote = world.run("compare", "port", "base", "-o", "side")
    assert wrote.out == "side/comparison.html\n"
    names = sorted(each.name for each in (world.path / "side").iterdir())
    assert names == ["comparison.csv", "comparison.html", "comparison.json", "comparison.md"]
    assert (world.path / "side/comparison.md").read_text(encoding="utf-8") == ran.out
    told = json.loads(world.run("compare", "port", "base", "--format", "json").out)
    assert told["names"] == ["port", "base"]


def test_the_same_input_gives_the_same_bytes(world: Place) -> None:
    assert world.run("compare", "port", "base").out == world.run("compare", "port", "base").out


def test_another_revision_of_a_system_is_a_side(world: Place) -> None:
    commit = world.commits["port"]
    ran = world.run("compare", "port", f"port@{commit}", "--format", "json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert told["names"] == ["port", f"port-{commit[:10]}"]
    assert told["ratios"][0]["value"] == "1/1"


def test_a_side_that_cannot_be_read_exits_with_3(world: Place) -> None:
    ran = world.run("compare", "port", f"base@{'0' * 40}", "--format", "json")
    assert ran.code == 3
    assert json.loads(ran.out)["names"] == ["port", f"base-{'0' * 10}"]


def test_a_folder_that_cannot_be_made_is_said(world: Place) -> None:
    (world.path / "taken").write_text("")
    ran = world.run("compare", "port", "base", "-o", "taken/out")
    assert ran.code == 2
    assert "cannot-write" in ran.err


def test_mistakes_are_answered(world: Place) -> None:
    ran = world.run("compare", "port", "port")
    assert ran.code == 2
    assert "two different systems" in ran.err
    ran = world.run("compare", "port@", "base")
    assert ran.code == 2
    assert "no profile and no commit" in ran.err
    ran = world.run("compare", "port", "base", "--boundary", "extention")
    assert ran.code == 2
    assert "did you mean `extension`?" in ran.err
    assert world.run("compare", "port").code == 2
    ran = world.run("compare", "port", "bse")
    assert ran.code == 2
    assert "did you mean `base`?" in ran.err
    ran = world.run("compare", "port", "base@nothing")
    assert ran.code == 2
    assert "no profile" in ran.err
    ran = world.run("compare", "closed", f"closed@{'a' * 40}")
    assert ran.code == 2
    assert "is no repository" in ran.err
