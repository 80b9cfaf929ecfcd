"""Touchpoints of real ports against the lists that were made by reading, and how long the reading takes.

Needs local copies: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it. With a wheel of torch in it
the names of upstream's classes are asked as well. `tests/ground_truth/coupling/README.md` says how the lists were made.
"""

from __future__ import annotations

import csv
import io
import os
import subprocess
import tarfile
import time
import zipfile
from functools import cache
from pathlib import Path

import pytest
from leverage.coupling.existence import is_patch
from leverage.coupling.tree import Tree
from leverage.model.touchpoints import Scope, TouchKind, Touchpoint
from leverage.resolve.program import read_program
from leverage.resolve.sites import touch_sites
from leverage.spec.mirrors import mirrors_from

LISTS = Path(__file__).parents[1] / "ground_truth" / "coupling"
PORTS = {
    "torch_spyre": (
        ("https://github.com/torch-spyre/torch-spyre", "https://github.com/AdnanHoque/torch-spyre"),
        "e1abccf7033e1a8e399b971b8cb6e25e66d47708",
        "torch_spyre",
        5.0,
    ),
    "torch_npu_inductor": (
        ("https://github.com/Ascend/pytorch",),
        "0b74b653e603135e410e6af6914e4fa448e6b413",
        "torch_npu/_inductor",
        20.0,
    ),
}
"""By list: places of the repository, commit, folder, and seconds of a processor that its reading may take."""
WHEEL = "pypi:torch==2.11.0"
Row = dict[str, str]

pytestmark = pytest.mark.real


def mirrors() -> dict[str, str]:
    return {url.removesuffix(".git"): place for url, place in mirrors_from(None, os.environ).items()}


@cache
def files_of(name: str) -> dict[str, bytes]:
    urls, commit, folder, _ = PORTS[name]
    place = next((mirrors()[url] for url in urls if url in mirrors()), None)
    if place is None:
        pytest.skip(f"LEVERAGE_MIRRORS names no copy of {urls[0]}")
    command = ["git", "-C", place, "archive", "--format=tar", commit, folder]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = [each for each in archive.getmembers() if each.isfile() and each.name.endswith(".py")]
        streams = {each.name: archive.extractfile(each) for each in members}
        return {path: stream.read() for path, stream in streams.items() if stream is not None}


@cache
def tree() -> Tree | None:
    if WHEEL not in mirrors():
        return None
    wheel = zipfile.ZipFile(mirrors()[WHEEL])
    names = frozenset(wheel.namelist())
    return Tree(lambda path: wheel.read(path) if path in names else None)


@cache
def found(name: str) -> tuple[Touchpoint, ...]:
    upstream = tree()
    members = None if upstream is None else upstream.members
    return touch_sites(read_program(files_of(name)), members=members)[0]


def listed(name: str, kind: TouchKind, *scopes: Scope) -> list[Row]:
    """Rows of a list about which there is no doubt."""
    with (LISTS / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["kind"] == kind.value and row["judgement"] == "sure"]
    return [row for row in rows if row["scope"] in {scope.value for scope in scopes}]


def places(name: str, judgement: str | None = None) -> set[tuple[str, int, str]]:
    with (LISTS / f"{name}.csv").open(newline="", encoding="utf-8") as lines:
        return {
            (row["path"], int(row["line"]), row["kind"])
            for row in csv.DictReader(lines)
            if judgement in {None, row["judgement"]}
        }


def reported(name: str, kind: TouchKind) -> list[Touchpoint]:
    """What is found in the files that the list covers; lines that put an original back belong to their patches."""
    rows = [row for row in found(name) if row.kind is kind and (kind is not TouchKind.MONKEY_PATCH or is_patch(row))]
    read = {path for path, _, _ in places(name)}
    return [row for row in rows if name == "torch_spyre" or row.path in read]


def missed(name: str, kind: TouchKind, *scopes: Scope) -> list[Row]:
    known = {(row.path, row.line) for row in found(name) if row.kind is kind}
    return [row for row in listed(name, kind, *scopes) if (row["path"], int(row["line"])) not in known]


def extra(name: str, kind: TouchKind) -> list[Touchpoint]:
    known = {(path, line) for path, line, listed_as in places(name) if listed_as == kind.value}
    return [row for row in reported(name, kind) if (row.path, row.line) not in known]


@pytest.mark.parametrize("name", PORTS)
def test_every_monkey_patch_is_found_and_nothing_else(name: str) -> None:
    assert missed(name, TouchKind.MONKEY_PATCH, *Scope) == []
    rows, more = reported(name, TouchKind.MONKEY_PATCH), extra(name, TouchKind.MONKEY_PATCH)
    assert 1 - len(more) / len(rows) > 0.95, more


@pytest.mark.parametrize("name", PORTS)
def test_every_change_of_a_global_container_is_found(name: str) -> None:
    assert missed(name, TouchKind.CONTAINER_MUTATION, Scope.GLOBAL) == []


def test_nine_in_ten_changes_of_containers_of_live_objects_are_found_and_nearly_nothing_else() -> None:
    lost = [row for name in PORTS for row in missed(name, TouchKind.CONTAINER_MUTATION, Scope.INSTANCE)]
    every = [row for name in PORTS for row in listed(name, TouchKind.CONTAINER_MUTATION, Scope.INSTANCE)]
    assert 1 - len(lost) / len(every) > 0.9, lost
    more = [row for name in PORTS for row in extra(name, TouchKind.CONTAINER_MUTATION)]
    rows = [row for name in PORTS for row in reported(name, TouchKind.CONTAINER_MUTATION)]
    assert 1 - len(more) / len(rows) > 0.95, more


@pytest.mark.parametrize("name", PORTS)
def test_what_a_patch_does_is_what_was_read(name: str) -> None:
    known = {(row.path, row.line): row for row in reported(name, TouchKind.MONKEY_PATCH)}
    for row in listed(name, TouchKind.MONKEY_PATCH, *Scope):
        touch = known[row["path"], int(row["line"])]
        assert touch.scope.value == row["scope"], row
        assert touch.restored is (row["restored"] == "true"), row
        assert touch.symbol.rpartition(".")[2] == row["symbol"].rpartition(".")[2], row
        if row["wraps"] and touch.wraps is not None:
            assert touch.wraps is (row["wraps"] == "true"), row


def test_names_that_a_port_adds_are_told_from_names_that_it_patches() -> None:
    upstream = tree()
    if upstream is None:
        pytest.skip(f"LEVERAGE_MIRRORS names no {WHEEL}")
    for name in PORTS:
        for row in listed(name, TouchKind.MONKEY_PATCH, *Scope):
            if "<dynamic>" not in row["symbol"]:
                assert upstream.exists(row["symbol"]) is not row["note"].startswith("adds"), row


@pytest.mark.parametrize("name", PORTS)
def test_a_port_is_read_in_seconds(name: str) -> None:
    files = files_of(name)
    begun = time.process_time()
    touch_sites(read_program(files))
    assert time.process_time() - begun < PORTS[name][3]
