"""`leverage cache`: what is kept, and that pruning stays inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from leverage.cli.cache import size
from tests.unit.sources.tools import World, git_backend

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.unit.cli.conftest import Place


@pytest.fixture
def fetched(world: Place, tmp_path: Path) -> Iterator[Place]:
    """The small world after a report that fetched the port from a server."""
    servers = World(tmp_path)
    server = servers.serve(git_backend(world.path))
    world.spec(port=f'{{git: "{server.url}/port/.git", commit: "{world.commits["port"]}"}}')
    assert world.run("check").code == 0
    yield world
    servers.close()


def test_nothing_is_kept_yet(place: Place, tmp_path: Path) -> None:
    assert place.run("cache").out == f"{tmp_path}/cache: nothing is kept yet\n"
    assert place.run("cache", "path").out == f"{tmp_path}/cache\n"
    assert place.run("cache", "prune", "--sources").code == 0
    assert not (tmp_path / "cache").exists()


def test_show(fetched: Place, tmp_path: Path) -> None:
    lines = fetched.run("cache").out.splitlines()
    assert lines[0] == f"{tmp_path}/cache"
    assert lines[2].split() == ["kept", "size", "what"]
    assert lines[4].startswith("counts ")
    assert "of them by this version" in lines[4]
    assert lines[5].startswith("git ")
    assert lines[5].endswith(f"/port/.git at {fetched.commits['port']}")
    assert fetched.run("cache", "show").out.splitlines() == lines


def test_prune_removes_counts_and_leaves_sources(fetched: Place) -> None:
    ran = fetched.run("cache", "prune")
    assert ran.code == 0
    assert ran.out.startswith("removed ")
    assert ran.out.endswith(" rows of counts\n")
    lines = fetched.run("cache").out.splitlines()
    assert "0 rows" in lines[4]
    assert lines[5].startswith("git ")
    assert fetched.run("check", "--offline").code == 0, "the fetched source is still there"


def test_keep_leaves_the_newest(fetched: Place) -> None:
    before = int(fetched.run("cache").out.splitlines()[4].split()[3].replace(",", ""))
    assert fetched.run("cache", "prune", "--keep", "3").out == f"removed {before - 3} rows of counts\n"
    assert fetched.run("cache", "prune", "--keep", "3").out == "removed 0 rows of counts\n"


def test_prune_sources_removes_what_was_fetched_and_nothing_else(fetched: Place, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.git").mkdir()
    (outside / "x.git/precious").write_text("x")
    (cache / "git/link").symlink_to(outside)
    (cache / "git" / "other").mkdir()
    (cache / "git/other/linked.git").symlink_to(outside)
    (cache / "pypi").symlink_to(outside)
    (cache / "mine").mkdir()
    (cache / "mine/file").write_text("x")
    ran = fetched.run("cache", "prune", "--sources")
    assert ran.code == 0
    assert ran.out.count("removed ") == 2
    assert f"/port/.git at {fetched.commits['port']}" in ran.out
    assert (outside / "x.git/precious").read_text() == "x"
    assert (cache / "mine/file").read_text() == "x"
    assert not list((cache / "git").glob("*/*.git/objects"))
    assert fetched.run("check", "--offline").code == 3, "it would have to be fetched again"
    assert fetched.run("check").code == 0, "and it is"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (12_345, "12.3 kB"),
        (999_999, "1,000.0 kB"),
        (10**6, "1.0 MB"),
        (5 * 10**12, "5,000.0 GB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text
