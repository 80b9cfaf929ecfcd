"""Reading a release of a substrate for its index: from a wheel or a folder, never by importing it."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from leverage.cli.console import progress, warn
from leverage.cli.home import home
from leverage.cli.workers import usual_jobs
from leverage.coupling.port import PACKAGES
from leverage.coupling.releases.build import read_module, release_facts, wanted
from leverage.coupling.releases.series import Release
from leverage.measure.workers import Workers
from leverage.sources.base import Missing
from leverage.sources.opening import open_source
from leverage.spec.mirrors import mirrors_from
from leverage.spec.types import PathSource, PypiSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.coupling.releases.extract import ModuleFacts
    from leverage.sources.base import OpenSource

_VERSION = re.compile(r"^__version__\s*(?::\s*\w+\s*)?=\s*[\"']([\w.+-]{1,60})[\"']", re.MULTILINE)

Read = tuple[Release, dict[str, "ModuleFacts"]]


def release_of_folder(folder: Path, substrate: str, jobs: int | None = None) -> Read:
    """A checkout, nightly or installed copy; its version is what ``version.py`` says, else the folder's name.

    Raises:
        SourceError: it cannot be read.
    """
    return _read(PathSource(path=str(folder)), substrate, folder.resolve().name, jobs=jobs)


def release_of_package(
    name: str, version: str, substrate: str, mirror: str | None, *, offline: bool, jobs: int
) -> Read:
    """A published release, from the smallest artifact that the package index has.

    Raises:
        SourceError: it cannot be had.
    """
    return _read(PypiSource(pypi=name, version=version), substrate, version, mirror=mirror, offline=offline, jobs=jobs)


def _read(
    source: PathSource | PypiSource,
    substrate: str,
    called: str,
    *,
    mirror: str | None = None,
    offline: bool = False,
    jobs: int | None = None,
) -> Read:
    packages = PACKAGES.get(substrate, (substrate,))
    with (
        progress([called]) as talks,
        open_source(
            source,
            base=Path.cwd(),
            store=home(),
            mirrors=mirrors_from(mirror, os.environ),
            offline=offline,
            wanted=partial(wanted, packages=packages),
            progress=talks[called],
        ) as opened,
    ):
        talks[called]("reading its modules")
        with Workers(jobs or usual_jobs()) as workers:
            stream = ((path, path, data) for path, data in _texts(opened, packages))
            found = list(workers.map(partial(_module, substrate=substrate), stream))
        talks[called]("")
        origin = opened.snapshot.pin.artifact or Path(opened.snapshot.location).name
        version = called if isinstance(source, PypiSource) else _version(opened, substrate) or called
    if unread := [path for path, facts in found if facts is None]:
        warn(f"{called}: {len(unread)} modules are not Python that this version reads, such as {unread[0]}")
    return Release(version, origin), release_facts(found)


def _module(path: str, data: bytes | Missing, *, substrate: str) -> ModuleFacts | None:
    return None if isinstance(data, Missing) else read_module(path, data, substrate)


def _texts(opened: OpenSource, packages: tuple[str, ...]) -> Iterator[tuple[str, bytes | Missing]]:
    files = [file for file in opened.snapshot.files if wanted(file.path, packages)]
    for file, data in opened.read(files):
        yield file.path, data


def _version(opened: OpenSource, substrate: str) -> str:
    for file in opened.snapshot.files:
        if file.path == f"{substrate}/version.py":
            _, data = next(iter(opened.read([file])))
            said = _VERSION.search(data.decode("utf-8", "replace")) if isinstance(data, bytes) else None
            return said[1] if said else ""
    return ""
