"""The default systems, read from local copies: each is what `repos.lock` says, whole, and quick to read.

Needs local copies of the default systems: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from leverage.model.files import EntryKind
from leverage.sources.base import Missing
from leverage.sources.opening import open_source
from leverage.spec.load import load_spec
from leverage.spec.lock import load_lock
from leverage.spec.mirrors import mirrors_from
from leverage.spec.select import Selector
from leverage.spec.types import GitSource

if TYPE_CHECKING:
    from leverage.model.provenance import Pin

ROOT = Path(__file__).parents[3]
SYSTEMS = {name: system for name, system in load_spec(ROOT / "repos.yaml").spec.systems.items() if system.source}

pytestmark = pytest.mark.real


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_default_system(name: str, tmp_path: Path) -> None:
    mirrors = mirrors_from(None, os.environ)
    if not mirrors:
        pytest.skip("LEVERAGE_MIRRORS is not set")
    system = SYSTEMS[name]
    selector = Selector(system)
    entry = load_lock(ROOT / "repos.lock").for_system(name)
    assert system.source is not None
    assert entry is not None
    started = time.monotonic()
    with open_source(
        system.source,
        base=ROOT,
        store=tmp_path,
        mirrors=mirrors,
        offline=True,
        wanted=lambda path: selector.component(path) is not None,
        expect=entry.pin,
    ) as source:
        pin = source.snapshot.pin
        assert (pin.kind, pin.tree) == (entry.pin.kind, entry.pin.tree)
        scope = [file for file in source.snapshot.files if selector.component(file.path) is not None]
        files = [file for file in scope if file.kind is EntryKind.FILE]
        assert files
        missing = [(file, data.reason) for file, data in source.read(files) if isinstance(data, Missing)]
    # A local copy may lack the largest files; a file that is there can be read.
    assert not [(file.path, reason) for file, reason in missing if reason != "object-missing" or file.size >= 0]
    assert len(missing) <= len(files) / 100
    assert time.monotonic() - started < 20  # far above what an idle machine needs
    if isinstance(system.source, GitSource):
        agrees_with_git(pin, len(source.snapshot.files), mirrors, system.source)


def agrees_with_git(pin: Pin, files: int, mirrors: dict[str, str], source: GitSource) -> None:
    """Compare the listing with git's own."""
    path = next(mirrors[url] for url in (source.git, *source.also) if url in mirrors)
    listed = subprocess.run(
        ["git", "-C", path, "ls-tree", "-r", "-z", "--full-tree", "--name-only", pin.id],
        capture_output=True,
        check=True,
    )
    assert listed.stdout.count(b"\0") == files
