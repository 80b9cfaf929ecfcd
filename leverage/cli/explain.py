"""`leverage explain`."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.classify.engine import explain
from leverage.classify.symbols import split_target
from leverage.cli.aligned import UNBOUNDED
from leverage.cli.console import say, warn
from leverage.cli.explaintext import divided_lines, file_lines, folded, labelled, line_lines, opinion_lines, unit_lines
from leverage.cli.explaintouch import touch_lines
from leverage.cli.explainunit import stage_lines, unit_lines_of
from leverage.cli.gather import open_systems, recorded_facts
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.options import chosen_systems, record_option, recorded_option, session, session_options
from leverage.cli.packs import pack_of
from leverage.cli.purposes import purpose_of_file, purposes_below
from leverage.evidence.collect import recorded_folder
from leverage.evidence.facts import SystemFacts
from leverage.evidence.identity import OUTSIDE_REASON
from leverage.evidence.units import rules_digest
from leverage.measure.pipeline import measure
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Location, Problem, UncheckableError
from leverage.report.display import visible
from leverage.sources.base import Missing
from leverage.sources.target import open_target
from leverage.spec.select import Selector
from leverage.spec.text import closest, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from leverage.cli.options import Session, Settings
    from leverage.evidence.facts import UnitFact
    from leverage.model.files import FileFacts, SourceFile
    from leverage.sources.base import OpenSource

    Records: TypeAlias = Mapping[str, SystemFacts | str]
    """By system, its recorded facts, or why there are none."""

_LINE = re.compile(r"(?P<path>.+):(?P<line>[0-9]{1,9})", re.DOTALL)
SUGGESTED = 3
"""Paths that a hint names at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was asked for: its facts, its bytes where at hand, who says so, and what its line touches."""

    name: str
    origin: str
    facts: FileFacts
    data: bytes | Missing
    touches: tuple[str, ...] = ()


@dataclass(slots=True)
class Search:
    """What a search through systems has come to.

    Attributes:
        path: what is looked for.
        found: by system, the file; its facts are None where no component includes it.
        near: paths that end like the one asked for, as they would be asked for.
        unsearched: by system, why its files are not known.
    """

    path: str
    found: dict[str, Found | None] = field(default_factory=dict)
    near: list[str] = field(default_factory=list)
    unsearched: dict[str, str] = field(default_factory=dict)


@click.command("explain")
@click.argument("target", metavar="[SYSTEM:]PATH[:LINE | ::SYMBOL]")
@session_options
@record_option
@recorded_option
def command(settings: Settings, *, target: str, record: Path | None, recorded: bool) -> None:
    """Say how a file or line was counted and classified, and why.

    PATH is a file on this disk, for which no configuration is needed, or a path inside a system's source, such as
    torch-spyre:torch_spyre/_inductor/ir.py; without SYSTEM every system is searched. With LINE: the class of that
    line, the token and the rule that decided, and what each convention makes of it. With ::SYMBOL: the stage and the
    divergence of a function, class or record, and everything that spoke for it and against.
    """
    path, symbol = split_target(target)
    if symbol and not Path(target).exists():
        _explain_unit(settings, path, symbol)
        return
    path, line = _split(target)
    if Path(path).exists():
        _explain_local(path, line)
        if settings.config.exists():
            say(f"this is the file on disk; for a system's file write SYSTEM:{path}")
        return
    _there(settings, path)
    opened = session(settings)
    system, _, inner = path.partition(":")
    if not inner or system not in opened.loaded.spec.systems:
        if inner and (meant := closest(system, opened.loaded.spec.systems)):
            hint = f"did you mean {meant}:{visible(inner)}?"
            raise ConfigurationError(Problem("no-such-system", f"there is no system {shown(system)}", hint=hint))
        system, inner = "", path
    names = chosen_systems(opened, (system,) if system else ())
    inner = inner.removeprefix("./")
    kept = {name: recorded_facts(opened, record or recorded_folder(), name) for name in names}
    if not recorded:
        names = _worth_opening(names, inner, kept, named=bool(system))
    search = _search(opened, names, (inner, line), kept, recorded_only=recorded)
    _tell(opened, search, kept, line)


def _there(settings: Settings, path: str) -> None:
    """Raise if there is neither a file of this path nor a configuration that names systems to look for it in."""
    if not Path(path).exists() and not settings.config.exists():
        raise ConfigurationError(
            Problem(
                "no-such-file",
                f"there is no file {shown(path)} here, and no {settings.config} that names systems to look for it in",
                hint="give the path of a file, or name a configuration with --config FILE or LEVERAGE_CONFIG",
            )
        )


def _split(target: str) -> tuple[str, int | None]:
    """Path and line of what was asked for; a file whose name ends like a line number is a file."""
    match = _LINE.fullmatch(target)
    if match is None or Path(target).exists():
        return target, None
    return match["path"], int(match["line"])


def _explain_local(path: str, line: int | None) -> None:
    _not_a_folder(path)
    target = open_target(path)
    if target.note:
        warn(target.note)
    with target.source as source, opened_cache(counts_file(home())) as cache:
        facts = measure(source, target.files, context=source.snapshot.files, cache=cache)[0]
        _, data = next(iter(source.read(target.files)))
        touches = () if line is None else tuple(touch_lines(source, facts.file.path, line))
    about = [*file_lines(facts), *(stage_lines(path, facts, data) if isinstance(data, bytes) else ())]
    _show([_text(Found(path, "on disk", facts, data, touches), line, about)])


def _not_a_folder(path: str) -> None:
    if Path(path).is_dir():
        raise ConfigurationError(
            Problem("not-a-file", f"{shown(path)} is a folder", hint=f"count it with: leverage count {path}")
        )


def _explain_unit(settings: Settings, target: str, symbol: str) -> None:
    _there(settings, target)
    if Path(target).exists():
        _not_a_folder(target)
        opened = open_target(target)
        tree = open_target(opened.source.snapshot.location) if opened.source.snapshot.location else opened
        with tree.source as source, opened_cache(counts_file(home())) as cache:
            purpose_of = purposes_below("", tree.files)
            facts = measure(source, tree.files, context=source.snapshot.files, cache=cache, jobs=settings.jobs)
            path = opened.files[0].path
            wanted = [fact for fact in facts if fact.file.path == path or _is_production(fact, purpose_of)]
            place = path, symbol
            _show([unit_lines_of(source, wanted, place, pack=None, cache=cache, jobs=settings.jobs)])
        return
    session_ = session(settings)
    name, _, path = target.partition(":")
    (system,) = chosen_systems(session_, (name,))
    selector = Selector(session_.loaded.spec.systems[system])
    with opened_cache(session_.cache) as cache, closing(open_systems(session_, [system])) as systems:
        _, found, _ = next(systems)
        if isinstance(found, Problem):
            raise UncheckableError(found)
        source = found
        files = [file for file in source.snapshot.files if selector.component(file.path) is not None]
        if path not in {file.path for file in files}:
            near = ", ".join(map(visible, _near(system, path, (file.path for file in files))[:SUGGESTED]))
            what = f"no component of {system} has a file {shown(path)}"
            raise ConfigurationError(Problem("no-such-file", what, hint=f"did you mean {near}?" if near else ""))
        facts = measure(source, files, context=source.snapshot.files, cache=cache, jobs=session_.jobs)
        pack = pack_of(session_, system)
        _show([unit_lines_of(source, facts, (path, symbol), pack=pack, cache=cache, jobs=session_.jobs)])


def _is_production(fact: FileFacts, purpose_of: Callable[[str], Purpose]) -> bool:
    return purpose_of_file(fact, purpose_of(fact.file.path)) is Purpose.PRODUCTION


def _worth_opening(names: list[str], path: str, kept: Records, *, named: bool) -> list[str]:
    """Systems in which a path may be: a record of the same pin knows every file inside the components.

    A mistyped path shall not cost the download of every source. A record lacks the files outside the components, so a
    system that was named, and has nothing like the path, is opened all the same.

    Raises:
        ConfigurationError: every system is recorded, and none of them has the path.
    """
    known = {
        name: {row.file.path for row in facts.files} for name, facts in kept.items() if isinstance(facts, SystemFacts)
    }
    having = [name for name in names if name not in known or path in known[name]]
    if having:
        return having
    near = [f"{name}:{each}" for name, paths in known.items() for each in _like(path, paths)][:SUGGESTED]
    if named and not near:
        return names
    meant = f"did you mean {', '.join(map(visible, near))}?" if near else ""
    raise ConfigurationError(
        Problem(
            "no-such-file",
            f"no component of {', '.join(names) if named else 'a system'} has a file {shown(path)}",
            hint=meant
            or f"to look among the files outside its components too, name the system: SYSTEM:{visible(path)}",
        )
    )


def _like(path: str, paths: Iterable[str]) -> list[str]:
    """Paths that may be meant: of the same file name, else of a like one in the same folder."""
    folder, _, leaf = path.rpartition("/")
    same = [each for each in sorted(paths) if each.rpartition("/")[2] == leaf]
    if same:
        return same
    inside = {each.rpartition("/")[2]: each for each in paths if each.rpartition("/")[0] == folder}
    close = closest(leaf, inside)
    return [inside[close]] if close else []


def _search(
    opened: Session, names: list[str], place: tuple[str, int | None], kept: Records, *, recorded_only: bool
) -> Search:
    path, line = place
    search = Search(path)
    unopened = dict.fromkeys(names, "only the record was asked for")
    if not recorded_only:
        with opened_cache(opened.cache) as cache, closing(open_systems(opened, names)) as systems:
            for name, source, _ in systems:
                if isinstance(source, Problem):
                    unopened[name] = source.what
                    continue
                del unopened[name]
                file = next((file for file in source.snapshot.files if file.path == path), None)
                if file is None:
                    search.near += _near(name, path, (file.path for file in source.snapshot.files))
                elif Selector(opened.loaded.spec.systems[name]).component(path) is None:
                    search.found[name] = None
                else:
                    facts = measure(source, [file], context=source.snapshot.files, cache=cache, witness=True)[0]
                    touches = () if line is None else tuple(touch_lines(source, path, line))
                    search.found[name] = Found(f"{name}:{path}", "measured", facts, _bytes(source, file), touches)
    for name, reason in unopened.items():
        _search_record(search, name, kept[name], reason)
    return search


def _search_record(search: Search, name: str, facts: SystemFacts | str, reason: str) -> None:
    path = search.path
    if not isinstance(facts, SystemFacts):
        search.unsearched[name] = f"{reason}; {facts}"
        return
    row = next((row for row in facts.files if row.file.path == path), None)
    if row is None:
        search.near += _near(name, path, (row.file.path for row in facts.files))
    else:
        origin = f"recorded on {facts.provenance.measured_on}"
        search.found[name] = Found(f"{name}:{path}", origin, row, Missing("not-fetched", reason))


def _near(system: str, path: str, paths: Iterable[str]) -> list[str]:
    leaf = path.rpartition("/")[2]
    return [f"{system}:{each}" for each in paths if each.endswith(f"/{path}") or each.rpartition("/")[2] == leaf]


def _bytes(source: OpenSource, file: SourceFile) -> bytes | Missing:
    return next(iter(source.read([file])))[1]


def _tell(opened: Session, search: Search, kept: Records, line: int | None) -> None:
    for name, reason in search.unsearched.items():
        warn(f"{name} was not searched: {reason}")
    if not search.found:
        near = ", ".join(map(visible, search.near[:SUGGESTED]))
        problem = Problem(
            "no-such-file",
            f"no system that could be searched has a file {shown(search.path)}",
            hint=f"did you mean {near}?" if near else "give the path as it stands in the source's tree, from its root",
        )
        raise (UncheckableError if search.unsearched else ConfigurationError)(problem)
    texts: list[Iterable[str]] = []
    for name, found in search.found.items():
        if found is None:
            texts.append([visible(f"{name}:{search.path}"), labelled("disposition", _OUTSIDE)])
        else:
            units = _units(opened, name, kept[name], search.path)
            about = [*_system_lines(opened, name, found.facts), *divided_lines(found.facts.language, units)]
            texts.append([*_text(found, line, about), *(unit_lines(units, line) if line is not None else ())])
    _show(texts)
    if line is not None and (
        unread := [found for found in search.found.values() if found and isinstance(found.data, Missing)]
    ):
        raise UncheckableError(
            *(
                Problem(
                    "line-needs-source",
                    f"line {line} cannot be explained from what is recorded: the source is not at hand",
                    Location(found.name),
                    why=f"a record holds counts, not lines ({found.data.detail})",
                    hint="run again with a connection, or name a local copy with --mirror",
                )
                for found in unread
                if isinstance(found.data, Missing)
            )
        )


def _units(opened: Session, name: str, facts: SystemFacts | str, path: str) -> list[UnitFact]:
    """Units of a file that were decided apart from it by today's rules, as they are recorded."""
    if not isinstance(facts, SystemFacts) or facts.decided_by != rules_digest(pack_of(opened, name)):
        return []
    return [row for row in facts.units if row.path == path]


_OUTSIDE = f"excluded, {OUTSIDE_REASON}: no component includes it"


def _show(texts: Iterable[Iterable[str]]) -> None:
    width = shutil.get_terminal_size(fallback=(UNBOUNDED, 0)).columns
    click.echo("\n\n".join("\n".join(folded(text, width)) for text in texts))


def _text(found: Found, line: int | None, about_file: Iterable[str]) -> Iterator[str]:
    if line is None:
        yield f"{visible(found.name)} ({found.origin})"
        yield from about_file
        return
    yield f"{visible(found.name)}:{line} ({found.origin})"
    if isinstance(found.data, bytes):
        yield from line_lines(found.data, found.facts, Location(found.name, line))
        yield from found.touches
    else:
        yield from about_file


def _system_lines(opened: Session, name: str, facts: FileFacts) -> Iterator[str]:
    path = facts.file.path
    component = Selector(opened.loaded.spec.systems[name]).claimants(path)[0]
    yield labelled("component", f"{component} ({opened.loaded.locate('systems', name, 'components', component)})")
    yield from file_lines(facts)
    yield from opinion_lines(explain(pack_of(opened, name), path))
