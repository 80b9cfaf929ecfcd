"""What is wrong with the input is said with its place and the right exit code, and nothing is half-written."""

from __future__ import annotations

import os
import re
import socket
from typing import TYPE_CHECKING

import pytest
from leverage.cli import gather
from tests.unit.cli.conftest import MISSING
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.unit.cli.conftest import Place, Ran


def refused(place: Place, *expected: str, code: int = 2) -> None:
    """A report and a check fail with the code and every expected text, and no output folder is there."""
    for words in (["report"], ["check"]):
        ran = place.run(*words)
        assert ran.code == code, ran.err
        for text in expected:
            assert re.search(text, ran.err), f"{text!r} is not in:\n{ran.err}"
        assert not (place.path / "reports").exists()
        assert "Traceback" not in ran.err
        assert ran.out == ""


def unknown(place: Place, *expected: str) -> Ran:
    """A report is written in which the port is unknown, for a reason that is said with its place; a check exits 3."""
    assert place.run("check").code == 3
    ran = place.run("report")
    assert ran.code == 0, ran.err
    assert (place.path / "reports/out/index.html").is_file()
    for text in (r"warning: repos\.yaml:10:\d+: port is unknown: ", "what to do: ", *expected):
        assert re.search(text, ran.err), f"{text!r} is not in:\n{ran.err}"
    assert "Traceback" not in ran.err
    return ran


def test_several_mistakes_are_told_at_once(world: Place) -> None:
    world.spec(
        ("role: extension", "role: extenson"),
        ("needed: its source", "need: its source"),
        ("headline: code", "headline: cod"),
    )
    refused(
        world, r"repos\.yaml:9:\d+: .*extenson", r"repos\.yaml:7:\d+: there is no key `need`", r"repos\.yaml:23:.*cod"
    )


def test_unknown_key(world: Place) -> None:
    world.spec(("boundaries: {extension: [core]}", "boundarys: {extension: [core]}"))
    refused(
        world, r"error: repos\.yaml:15:\d+: there is no key `boundarys`.*\[unknown-key\]", "did you mean `boundaries`"
    )


def test_duplicate_id(world: Place) -> None:
    world.spec(("  base:\n", "  port:\n"))
    refused(world, r"repos\.yaml:16:3: `port` stands here a second time; the first is in line 8 \[duplicate-key\]")


def test_short_commit(world: Place) -> None:
    world.spec((world.commits["port"], world.commits["port"][:8]))
    refused(world, r"repos\.yaml:10:\d+: .* has 8 hex digits, and a full commit id has 40 \[bad-commit\]")


def test_numeric_commit(world: Place) -> None:
    world.spec((f'"{world.commits["port"]}"', "1234567"))
    refused(world, r"repos\.yaml:10:\d+: .*`1234567` \[bad-commit\]", "quote it")


def test_globs_that_match_nothing_in_any_system(world: Place) -> None:
    world.spec(('"rest/**"', '"rset/**"'), ('"upper/**"', '"uper/**"'))
    refused(
        world,
        r"repos\.yaml:13:\d+: port: the glob 'rset/\*\*' of component rest matches no file \[glob-matches-nothing\]",
        r"repos\.yaml:21:\d+: base: the glob 'uper/\*\*'",
    )


def test_a_file_in_two_components(world: Place) -> None:
    world.spec(('"rest/**"', '"rest/**", "core/a.py"'))
    refused(world, r"repos\.yaml:13:\d+: .*'core/a.py'.*\[file-in-two-components\]")


def test_not_utf8(world: Place) -> None:
    config = world.path / "repos.yaml"
    config.write_bytes(config.read_bytes().replace(b"small", b"sm\xe4ll"))
    refused(world, r"repos\.yaml:2:\d+: the file is not UTF-8", r"\[not-utf-8\]")


def test_no_configuration(place: Place) -> None:
    refused(place, r"repos\.yaml: there is no configuration here \[file-missing\]", "--config FILE or LEVERAGE_CONFIG")


def test_the_configuration_is_a_folder(place: Place) -> None:
    (place.path / "repos.yaml").mkdir()
    refused(place, "is a directory")


def test_a_mirror_file_that_is_not_there(world: Place) -> None:
    ran = world.run("report", "--mirror", "nowhere.yaml")
    assert ran.code == 2
    assert "nowhere.yaml: there is no file of mirrors here" in ran.err


def test_a_pack_that_cannot_be_read(world: Place) -> None:
    world.spec(("role: extension", "role: extension\n    pack: nowhere.yaml"))
    refused(world, "nowhere")


def test_missing_commit(world: Place) -> None:
    world.spec((world.commits["port"], MISSING))
    unknown(world, f"{MISSING} .*it does not have the commit", r"\[commit-not-found\]")


def test_a_directory_that_is_no_repository(world: Place) -> None:
    (world.path / "plain").mkdir()
    world.spec(("{path: port,", "{path: plain,"))
    unknown(world, "it is not a git repository")


def test_a_directory_that_is_not_there(world: Place) -> None:
    world.spec(("{path: port,", "{path: prot,"))
    unknown(world, "prot is not there")


def test_an_empty_repository(world: Place) -> None:
    Repository(world.path / "empty")
    world.spec(("{path: port,", "{path: empty,"))
    unknown(world, "the repository is empty: it has no commit yet")


def test_a_file_where_a_directory_should_be(world: Place) -> None:
    (world.path / "file").write_text("x")
    world.spec(("{path: port,", "{path: file,"))
    unknown(world, "file is not a directory")


def test_a_tree_for_a_commit(world: Place) -> None:
    tree = Repository(world.path / "port").git("rev-parse", "HEAD^{tree}")
    world.spec((world.commits["port"], tree))
    unknown(world, "is the id of a tree, not of a commit")


@pytest.fixture
def silent_server() -> Iterator[int]:
    """A port on which a server listens that never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_an_unreachable_url_is_not_even_asked_offline(world: Place, silent_server: int) -> None:
    world.spec(port=f'{{git: "http://127.0.0.1:{silent_server}/p", commit: "{world.commits["port"]}"}}')
    ran = world.run("report", "--offline")
    assert ran.code == 0
    assert "not asked, for we are offline" in ran.err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user_is_read(world: Place) -> None:
    for path in [world.path / "port", *(world.path / "port").rglob("*")]:
        os.chown(path, 65534, 65534)
    ran = world.run("check")
    assert ran.code == 0, ran.err
    assert "warning" not in ran.err
    assert world.run("count", "port").code == 0
    assert world.run("count", "port@HEAD").code == 0


def test_hooks_and_settings_of_a_local_repository_do_nothing(world: Place, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    repository = Repository(world.path / "port")
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
    ):
        repository.git("config", key, str(script))
    (world.path / "port/.gitattributes").write_text("* filter=x\n")
    for words in (["count", "port"], ["count", "port@HEAD"], ["check"], ["lock"]):
        assert world.run(*words).code == 0
    assert not mark.exists()


def test_an_output_folder_that_cannot_be_written(world: Place) -> None:
    (world.path / "file").write_text("x")
    ran = world.run("report", "--out", "file/below")
    assert ran.code == 2
    assert "[cannot-write]" in ran.err
    ran = world.run("record", "--into", "file/below")
    assert ran.code == 2
    assert "[cannot-write]" in ran.err
    assert (world.path / "file").read_text() == "x"


def test_an_interrupt_leaves_nothing_half_written(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gather, "collect", interrupted)
    for words in (["report"], ["record", "--into", "kept"]):
        ran = world.run(*words)
        assert ran.code == 130
        assert "error: interrupted" in ran.err
        assert sorted(each.name for each in world.path.iterdir()) == ["base", "port", "repos.yaml"]


def test_an_interrupted_lock_leaves_the_old_one(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path as AnyPath  # noqa: PLC0415 - patched here

    assert world.run("lock").code == 0
    before = (world.path / "repos.lock").read_bytes()

    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(AnyPath, "replace", interrupted)
    world.spec(("core/**", "core/*.py"))
    assert world.run("lock").code == 130
    assert (world.path / "repos.lock").read_bytes() == before
    assert sorted(each.name for each in world.path.iterdir()) == ["base", "port", "repos.lock", "repos.yaml"]


def test_a_defect_of_ours_prints_a_block_to_send(world: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise RuntimeError("boom \x1b[2J")

    monkeypatch.setattr(gather, "collect", broken)
    ran = world.run("report")
    assert ran.code == 4
    assert "leverage met a defect of its own. Please report it with the block below.\n--- leverage " in ran.err
    assert "RuntimeError: boom \\x1b[2J" in ran.err
    assert ran.err.endswith("---\n")
    assert "\x1b" not in ran.err
    assert not (world.path / "reports").exists()
