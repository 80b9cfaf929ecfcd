"""`leverage explain PATH:LINE`: what a line touches, and how its receiver was resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

FILES = {
    "port/__init__.py": b"",
    "port/names.py": b"import torch.tables\n\n\ndef fill(table):\n    table['a'] = 1\n",
    "port/use.py": b"from .names import fill\nfrom torch.tables import table\nfill(table)\n",
    "port/guard.h": b"struct Guard : public c10::Base {};\n",
    "lonely.py": b"import torch\ntorch.empty = 1\n",
}


@pytest.fixture
def checkout(place: Place) -> Place:
    """The files in a git work tree."""
    Repository(place.path).commit(FILES)
    for name, data in FILES.items():
        path = place.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return place


def test_a_parameter_is_followed_to_where_it_is_bound(checkout: Place) -> None:
    ran = checkout.run("explain", "port/names.py:5")
    assert ran.code == 0, ran.err
    lines = [line.strip() for line in ran.out.splitlines()]
    at = next(number for number, line in enumerate(lines) if line.startswith("touches"))
    assert lines[at].split(maxsplit=1)[1] == "container mutation (item) of torch.tables.table, public, global"
    assert lines[at + 1].startswith("likely, by parameter")
    assert lines[at + 2].startswith("1. port/use.py:2 ")
    assert any("port/use.py:3" in line for line in lines[at + 3 :])


def test_a_file_outside_packages_and_one_of_cpp(checkout: Place) -> None:
    assert "monkey patch (assignment) of torch.empty, public, global" in checkout.run("explain", "lonely.py:2").out
    assert "subclass (base) of c10::Base, public" in checkout.run("explain", "port/guard.h:1").out


def test_a_plain_folder_that_is_a_package(place: Place) -> None:
    for name in ("__init__.py", "names.py", "use.py"):
        (place.path / name).write_bytes(FILES[f"port/{name}"])
    assert "container mutation (item) of torch.tables.table" in place.run("explain", "names.py:5").out


def test_a_line_that_touches_nothing_says_nothing(checkout: Place) -> None:
    assert "touches" not in checkout.run("explain", "port/names.py:4").out
    assert "touches" not in checkout.run("explain", "port/names.py").out


def test_a_system_is_explained_likewise(place: Place) -> None:
    commit = Repository(place.path / "repo").commit(FILES)
    (place.path / "repos.yaml").write_text(
        "version: 1\ntitle: one\nsystems:\n  it:\n    role: extension\n"
        f'    source: {{path: repo, commit: "{commit}"}}\n'
        '    components: {core: {include: ["port/**"]}}\n'
    )
    assert "container mutation (item) of torch.tables.table" in place.run("explain", "it:port/names.py:5").out
