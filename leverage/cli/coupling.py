"""`leverage coupling`."""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from leverage.cli.aligned import UNBOUNDED
from leverage.cli.console import progress_on_terminal, say, warn
from leverage.cli.couplingviews import VIEWS, View
from leverage.cli.gather import open_systems
from leverage.cli.options import session, session_options
from leverage.cli.writing import write_whole
from leverage.coupling.baseline import Baseline, News, baseline_text, news, parse_baseline
from leverage.coupling.existence import effects
from leverage.coupling.files import other_purpose, packages_of
from leverage.coupling.port import Files, Port, choose, read_port
from leverage.coupling.tree import MOST_BYTES, Tree
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, ExitCode, Problem, UncheckableError
from leverage.model.touchpoints import TouchKind
from leverage.sources.target import open_target
from leverage.spec.lock import Lock
from leverage.spec.select import Selector
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leverage.cli.options import Session, Settings
    from leverage.coupling.existence import Names
    from leverage.sources.base import OpenSource
    from leverage.spec.types import System


Found = TypeVar("Found", Port, News)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a port is read with.

    Attributes:
        target: system or path.
        package: import name of the package that the target is; empty where it holds packages.
        substrate: import name of the substrate.
        everything: whether files that are not the port's own code are read too.
    """

    target: str
    package: str
    substrate: str
    everything: bool


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
    "adds. A system that says what it builds on needs none.",
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
    everything: bool,
    baseline: Path | None,
    write_baseline: Path | None,
) -> int:
    """List every place where a port touches its substrate.

    PATH is a checkout of a port, dirty or not, and needs no configuration: `leverage coupling .`. SYSTEM is a system of
    the configuration, of which the production components are read; a path of the same name comes first. Nothing of a
    port is run or imported.

    Exit code 1: a baseline is given, and there are touchpoints that it does not accept.
    """
    if package and not all(part.isidentifier() for part in package.split(".")):
        raise click.UsageError(f"{package!r} is no import name of a package, such as my_port._inductor")
    if not substrate.isidentifier():
        raise click.UsageError(f"{substrate!r} is no import name of a package at the top, such as torch")
    known = None if baseline is None else parse_baseline(baseline.read_bytes(), str(baseline))
    asked = Asked(target, package, substrate, everything)
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
    """

    port: Port
    names: Names | None
    prefix: str = ""


@contextmanager
def _opened(settings: Settings, asked: Asked, upstream: Path | None) -> Iterator[Opened]:
    from_folder = None if upstream is None else _tree_of_folder(upstream, asked.substrate)
    if Path(asked.target).expanduser().exists() or not settings.config.exists() or "@" in asked.target:
        port, prefix = _of_path(asked, from_folder)
        yield Opened(port, from_folder, prefix)
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
        yield Opened(_of_system(opened, asked, system, names), names)


def _of_path(asked: Asked, names: Names | None) -> tuple[Port, str]:
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
            talk(f"reading {len(files.read):,} files")
            port = read_port(
                source,
                files,
                substrate=asked.substrate,
                members=None if names is None else names.members,
                below=below,
                package=asked.package,
            )
        talk("")
    typed = Path(asked.target)
    prefix = "" if typed.is_absolute() or "@" in asked.target or not typed.is_dir() else typed.as_posix()
    return port, "" if prefix in {"", "."} else f"{prefix}/"


def _of_system(opened: Session, asked: Asked, system: System, names: Names | None) -> Port:
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
        return read_port(source, files, substrate=asked.substrate, members=members, package=asked.package)


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
    spec = opened.loaded.spec
    if name is None or spec.systems[name].source is None:
        yield None
        return
    # A name may be defined outside of what the system counts as its own, which is all that the lock answers for.
    every = Component(include=(f"{substrate}/**/*.py", f"{substrate}/**/*.pyi"))
    whole = replace(spec, systems={**spec.systems, name: replace(spec.systems[name], components={"names": every})})
    wider = replace(opened, loaded=replace(opened.loaded, spec=whole), lock=Lock())
    with closing(open_systems(wider, [name])) as sources:
        _, source, talk = next(sources)
        if isinstance(source, Problem):
            warn(f"patches and additions are not told apart, since {name} could not be read: {source.what}")
            yield None
            return
        talk("reading the names that are asked about")
        yield Tree(_reader(source))


def _reader(source: OpenSource) -> Callable[[str], bytes | None]:
    files = {file.path: file for file in source.snapshot.files}

    def read(path: str) -> bytes | None:
        if path not in files:
            return None
        _, data = next(iter(source.read([files[path]])))
        return data if isinstance(data, bytes) else None

    return read
