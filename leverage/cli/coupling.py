"""`leverage coupling`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from leverage.cli.against import EVERY, judged, opened_against, pin_of
from leverage.cli.aligned import UNBOUNDED
from leverage.cli.console import progress, progress_on_terminal, say, warn
from leverage.cli.couplingviews import VIEWS, View
from leverage.cli.gather import names_of, open_systems
from leverage.cli.options import session, session_options
from leverage.cli.unread import warn_of_closed, warn_of_listing
from leverage.cli.writing import write_whole
from leverage.coupling.baseline import Baseline, News, baseline_text, news, parse_baseline
from leverage.coupling.copied import copied_touchpoints
from leverage.coupling.existence import effects
from leverage.coupling.files import PYTHON, other_purpose, packages_of
from leverage.coupling.port import Files, Port, choose, read_port
from leverage.coupling.releases.pins import Requirement, asks_for_packages, requirement
from leverage.coupling.tree import MOST_BYTES, Tree
from leverage.measure.copied.reference import reference
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, ExitCode, Problem, SourceError, UncheckableError
from leverage.model.files import EntryKind
from leverage.model.touchpoints import TouchKind
from leverage.sources.target import open_target
from leverage.spec.select import Selector
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import PypiSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leverage.cli.against import Against
    from leverage.cli.options import Session, Settings
    from leverage.coupling.existence import Names
    from leverage.coupling.releases.names import ReleaseNames
    from leverage.sources.base import OpenSource
    from leverage.spec.types import System


Found = TypeVar("Found", Port, News)
Texts = Callable[[], Mapping[str, bytes]]
"""Gives the Python files of a substrate in which copies are looked for, by path."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a port is read with.

    Attributes:
        target: system or path.
        package: import name of the package that the target is; empty where it holds packages.
        substrate: import name of the substrate.
        everything: whether files that are not the port's own code are read too.
        copies: whether copies are looked for in all of a folder that holds the substrate, which takes a while.
        pin: release that the port is written for, as the user says; empty where he does not.
        against: releases that it is compared with; None where none was asked for.
    """

    target: str
    package: str
    substrate: str
    everything: bool
    copies: bool
    pin: str
    against: Against | None


@click.command("coupling")
@click.argument("target", metavar="SYSTEM | PATH | REPO@REV")
@session_options
@click.option(
    "--format",
    "form",
    type=click.Choice(list(VIEWS)),
    default="table",
    show_default=True,
    help="How the touchpoints are printed.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([kind.value for kind in TouchKind]),
    metavar="KIND",
    help=f"Only touchpoints of this kind; repeatable. The table then lists each of them. One of "
    f"{', '.join(kind.value for kind in TouchKind)}.",
)
@click.option(
    "--package", default="", metavar="NAME", help="Import name of the package that PATH is, if it is inside one."
)
@click.option(
    "--substrate", default="torch", show_default=True, metavar="PACKAGE", help="Import name of what the port stands on."
)
@click.option(
    "--upstream",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder that holds the substrate's package as source; tells patches of its names from names that the port "
    "adds, and with --kind copied what of the port stands in it. A system that says what it builds on needs none.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="VERSION | PATH | all",
    help="Say what became of every touched name in a release: one of the shipped index, a file of `leverage index`, a "
    "folder that holds the substrate, or all releases of the index; repeatable.",
)
@click.option(
    "--pin",
    default="",
    metavar="VERSION",
    help="Release that the port is written for, where its packaging does not say so.",
)
@click.option("--all", "everything", is_flag=True, help="Read tests, examples, build scripts and vendored code too.")
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Touchpoints that are accepted; only others are shown, and the exit code says whether there are any.",
)
@click.option(
    "--write-baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accept all touchpoints of now in this file.",
)
def command(
    settings: Settings,
    *,
    target: str,
    form: str,
    kinds: tuple[str, ...],
    package: str,
    substrate: str,
    upstream: Path | None,
    against: tuple[str, ...],
    pin: str,
    everything: bool,
    baseline: Path | None,
    write_baseline: Path | None,
) -> int:
    """List every place where a port touches its substrate.

    PATH is a checkout of a port, dirty or not, and needs no configuration: `leverage coupling .`. SYSTEM is a system of
    the configuration, of which the production components are read; a path of the same name comes first. Nothing of a
    port is run or imported.

    With --against every touched name is looked up in releases of the substrate, and every site is judged by what
    it does.

    Exit code 1: a baseline is given, and there are touchpoints that it does not accept.
    """
    if package and not all(part.isidentifier() for part in package.split(".")):
        raise click.UsageError(f"{package!r} is no import name of a package, such as my_port._inductor")
    if not substrate.isidentifier():
        raise click.UsageError(f"{substrate!r} is no import name of a package at the top, such as torch")
    known = None if baseline is None else parse_baseline(baseline.read_bytes(), str(baseline))
    if pin and not against:
        raise click.UsageError("--pin says what --against compares with; add --against all")
    beside = opened_against(against, substrate) if against else None
    asked = Asked(target, package, substrate, everything, TouchKind.COPIED.value in kinds, pin, beside)
    with _opened(settings, asked, upstream) as opened:
        port = opened.port
        if write_baseline is not None:
            write_whole(write_baseline, baseline_text(Baseline.of(port.touchpoints, port.unresolved)).encode())
            say(
                f"accepted in {write_baseline}: {len(port.touchpoints):,} touchpoints, "
                f"{len(port.unresolved):,} unresolved"
            )
        chosen = tuple(TouchKind(kind) for kind in kinds)
        found = None if known is None else news(known, port.touchpoints, port.unresolved)
        view = View(
            _narrowed(port, chosen),
            None if found is None else _narrowed(found, chosen),
            effects(port.touchpoints, None if opened.names is None else opened.names.exists),
            chosen,
            opened.prefix,
            shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns,
            None if beside is None else judged(port, beside, opened.pin, opened.why_pin),
        )
    click.echo(VIEWS[form](view), nl=False)
    some_news = view.news is not None and bool(view.news.touchpoints or view.news.unresolved)
    return ExitCode.FAILS if some_news else ExitCode.DONE


def _narrowed(found: Found, kinds: tuple[TouchKind, ...]) -> Found:
    """The touchpoints of some kinds, and what might be one of them."""
    if not kinds:
        return found
    return replace(
        found,
        touchpoints=tuple(each for each in found.touchpoints if each.kind in kinds),
        unresolved=tuple(each for each in found.unresolved if each.kind is None or each.kind in kinds),
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """A port that was read.

    Attributes:
        port: its touchpoints.
        names: what is known of upstream's names; None where upstream's source is not at hand.
        prefix: what stands before paths of the port from where the command runs, with a slash; empty where nothing.
        pin: which of the releases that it is compared with it is written for, from 0.
        why_pin: how that is known.
    """

    port: Port
    names: Names | None
    prefix: str = ""
    pin: int = 0
    why_pin: str = ""


def pinned_port(
    settings: Settings, target: str, *, package: str, substrate: str, pin: str
) -> tuple[Port, ReleaseNames]:
    """A port, and the names of the release that it is written for, of those in the shipped index.

    Raises:
        LeverageError: either cannot be had.
    """
    against = opened_against((EVERY,), substrate)
    asked = Asked(target, package, substrate, everything=False, copies=False, pin=pin, against=against)
    with _opened(settings, asked, None) as opened:
        return opened.port, against.releases[opened.pin]


@contextmanager
def _opened(settings: Settings, asked: Asked, upstream: Path | None) -> Iterator[Opened]:
    from_folder = None if upstream is None else _tree_of_folder(upstream, asked.substrate)
    in_folder = partial(_texts_of_folder, upstream, asked.substrate) if upstream is not None and asked.copies else None
    if Path(asked.target).expanduser().exists() or not settings.config.exists() or "@" in asked.target:
        yield _of_path(asked, from_folder, in_folder)
        return
    opened = session(settings)
    system = opened.loaded.spec.systems.get(asked.target)
    if system is None or system.source is None:
        known = [name for name, each in opened.loaded.spec.systems.items() if each.source]
        raise ConfigurationError(
            Problem(
                "no-such-port",
                f"{shown(asked.target)} is neither a path nor a system with a source",
                hint=did_you_mean(asked.target, known, "systems"),
            )
        )
    with _tree_of_system(opened, None if from_folder else system.builds_on, asked.substrate) as from_system:
        names = from_folder or from_system
        in_system = None if from_system is None else partial(_texts_of_system, opened, str(system.builds_on))
        required = None if asked.against is None else _builds_on(opened, system)
        port = _of_system(opened, asked, system, names or _names_of_release(asked, required), in_folder or in_system)
        yield _pinned(asked, port, names, required)


def _of_path(asked: Asked, names: Names | None, original: Texts | None) -> Opened:
    with progress_on_terminal([asked.target]) as talks:
        talk = talks[asked.target]
        target = open_target(asked.target, talk)
        if target.note:
            warn(target.note)
        packages = packages_of(file.path for file in target.files)
        below = target.below if len(target.files) != 1 or target.files[0].path != target.below else ""

        def aside(path: str) -> str:
            # What was named is meant, whatever the folders above it are called.
            purpose = other_purpose(path.removeprefix(f"{below}/") if below else path, packages)
            return "" if purpose is None else purpose.value

        with target.source as source:
            files = choose(target.files, (lambda _: "") if asked.everything else aside)
            required = None if asked.against is None else _required(source, asked.substrate)
            known = names or _names_of_release(asked, required)
            talk(f"reading {len(files.read):,} files")
            port = read_port(
                source,
                files,
                substrate=asked.substrate,
                members=None if known is None else known.members,
                below=below,
                package=asked.package,
                more=asked.against is not None,
            )
            port = _with_copies(port, source, files, original, below)
        talk("")
    warn_of_closed(target.files)
    warn_of_listing(target.files, read=len(files.read))
    typed = Path(asked.target)
    prefix = "" if typed.is_absolute() or "@" in asked.target or not typed.is_dir() else typed.as_posix()
    return _pinned(asked, port, names, required, "" if prefix in {"", "."} else f"{prefix}/")


def _required(source: OpenSource, substrate: str) -> Requirement | None:
    """What the packaging of a tree says of the substrate."""
    files = [file for file in source.snapshot.files if file.kind is EntryKind.FILE and asks_for_packages(file.path)]
    texts = {file.path: data for file, data in source.read(files) if isinstance(data, bytes)}
    return requirement(texts, substrate)


def _names_of_release(asked: Asked, required: Requirement | None) -> Names | None:
    """Names by which a port's methods are told to be overrides: of its release, or of the last one it allows."""
    if asked.against is None or not asked.against.releases:
        return None
    at, _ = pin_of((), asked.against, required, asked.pin)
    return asked.against.releases[at]


def _pinned(asked: Asked, port: Port, names: Names | None, required: Requirement | None, prefix: str = "") -> Opened:
    if asked.against is None:
        return Opened(port, names, prefix)
    at, why = pin_of(port.touchpoints, asked.against, required, asked.pin)
    return Opened(port, names or asked.against.releases[at], prefix, at, why)


def _of_system(opened: Session, asked: Asked, system: System, names: Names | None, original: Texts | None) -> Port:
    selector = Selector(system)

    def aside(path: str) -> str:
        component = selector.component(path)
        if component is None:
            return "outside components"
        purpose = system.components[component].purpose
        return "" if asked.everything or purpose is Purpose.PRODUCTION else purpose.value

    with closing(open_systems(opened, [asked.target])) as sources:
        _, source, talk = next(sources)
        if isinstance(source, Problem):
            raise UncheckableError(source)
        files: Files = choose(source.snapshot.files, aside)
        talk(f"reading {len(files.read):,} files")
        members = None if names is None else names.members
        port = read_port(
            source,
            files,
            substrate=asked.substrate,
            members=members,
            package=asked.package,
            more=asked.against is not None,
        )
        return _with_copies(port, source, files, original)


def _builds_on(opened: Session, system: System) -> Requirement | None:
    """The release that the configuration says a system builds on, where it is a package."""
    below = None if system.builds_on is None else opened.loaded.spec.systems[system.builds_on].source
    if not isinstance(below, PypiSource):
        return None
    where = opened.loaded.locate("systems", str(system.builds_on), "source")
    return Requirement(Path(where.file).name, where.line, (("==", below.version),))


def _tree_of_folder(folder: Path, substrate: str) -> Names:
    if not (folder / substrate).is_dir():
        raise ConfigurationError(
            Problem(
                "no-substrate",
                f"the folder {shown(str(folder))} holds no package {substrate}",
                hint=f"name the folder that holds {substrate}/, such as a checkout or a site-packages",
            )
        )

    def read(path: str) -> bytes | None:
        place = folder / path
        return place.read_bytes() if place.is_file() and place.stat().st_size <= MOST_BYTES else None

    return Tree(read)


@contextmanager
def _tree_of_system(opened: Session, name: str | None, substrate: str) -> Iterator[Names | None]:
    """What is known of the names of a system's source while the block runs; None where the source cannot be had."""
    if name is None or opened.loaded.spec.systems[name].source is None:
        yield None
        return
    with progress([name]) as talks, ExitStack() as stack:
        try:
            names = stack.enter_context(names_of(opened, name, talks[name], substrate))
        except SourceError as error:
            warn(f"patches and additions are not told apart, since {name} could not be read: {error.problems[0].what}")
            yield None
            return
        yield names


def _with_copies(port: Port, source: OpenSource, files: Files, original: Texts | None, below: str = "") -> Port:
    """The port with what of it stands in some files of its substrate; paths are told from the folder ``below``."""
    if original is None:
        return port
    prefix = f"{below}/" if below else ""
    python = [file for file in files.read if file.path.endswith(PYTHON)]
    texts = {file.path.removeprefix(prefix): data for file, data in source.read(python) if isinstance(data, bytes)}
    rows = [*port.touchpoints, *copied_touchpoints(texts, reference(original()))]
    return replace(
        port,
        touchpoints=tuple(sorted(rows, key=lambda each: (each.path, each.line, each.column, each.kind, each.symbol))),
    )


def _texts_of_system(opened: Session, name: str) -> dict[str, bytes]:
    """The Python files of a system's components; none where its source cannot be had."""
    selector = Selector(opened.loaded.spec.systems[name])
    with closing(open_systems(opened, [name])) as sources:
        _, source, _ = next(sources)
        if isinstance(source, Problem):
            return {}  # said when its names were asked for
        inside = [file for file in source.snapshot.files if file.path.endswith(PYTHON)]
        inside = [file for file in inside if selector.component(file.path) is not None]
        return {file.path: data for file, data in source.read(inside) if isinstance(data, bytes)}


def _texts_of_folder(folder: Path, substrate: str) -> dict[str, bytes]:
    found = sorted((folder / substrate).rglob("*.py"))
    read = [path for path in found if path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in read}
