"""What of a system may run when some functions of it run: probes that `reaches`.

The call graph follows calls, what is handed on to be called, and functions that stand in a list that is gone through;
so it holds at least what is called in those ways, and may hold more than runs.
"""

from __future__ import annotations

import ast
import hashlib
import json
from dataclasses import astuple, dataclass
from functools import cache as once
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from leverage.coupling.files import PYTHON
from leverage.evidence.facts import ProbeFact, ReachFact, Site
from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable
from leverage.measure.version import code_version, hash_of_code
from leverage.model.files import EntryKind
from leverage.model.lines import LineClass, LineCounts
from leverage.resolve.program import definition, read_program
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from leverage.measure.cache import Cache
    from leverage.model.files import SourceFile
    from leverage.resolve.program import Program
    from leverage.resolve.scopes import FunctionScope
    from leverage.sources.base import OpenSource
    from leverage.spec.types import Probe


@dataclass(frozen=True, slots=True)
class Reached:
    """What was found for a probe that `reaches`: its value counts the functions that may run, ``rows`` are of all."""

    fact: ProbeFact
    rows: tuple[ReachFact, ...] = ()


_NUMBER = 2
"""Raised when a row is made in another way."""


@once
def _code_version() -> str:
    return hash_of_code(f"{_NUMBER} {code_version()}", resources("leverage.resolve"))


def take_reach(
    source: OpenSource,
    production: Iterable[SourceFile],
    probes: Mapping[str, tuple[Probe, str]],
    *,
    cache: Cache | None,
) -> dict[str, Reached]:
    """The reach of every probe that asks for one.

    Args:
        source: the system.
        production: files of its production components.
        probes: by name, the probe and the digest of its declaration.
        cache: results of earlier runs, or None.
    """
    if not probes:
        return {}
    files = [file for file in production if file.kind is EntryKind.FILE and file.path.endswith(PYTHON)]
    listed = [(file.path, file.blob) for file in files]
    content = hashlib.sha256(json.dumps(listed).encode()).hexdigest()
    keys = {
        name: f"{content} reaches {digest} by {_code_version()}" if all(blob for _, blob in listed) else ""
        for name, (_, digest) in probes.items()
    }
    kept = cache.notes({key for key in keys.values() if key}) if cache is not None else {}
    found = {name: _read(kept[key]) for name, key in keys.items() if key in kept}
    if len(found) < len(probes):
        texts = {file.path: data for file, data in source.read(files) if isinstance(data, bytes)}
        program = read_program(texts)
        blobs = {file.path: file.blob for file in files}
        for name, (probe, digest) in probes.items():
            if name not in found:
                found[name] = _reach(name, probe, digest, program, texts, blobs)
        if cache is not None:
            cache.note({key: _kept(found[name]) for name, key in keys.items() if key and key not in kept})
    return {name: found[name] for name in probes}


def _reach(  # noqa: PLR0917 - what is asked, and what of
    name: str, probe: Probe, digest: str, program: Program, texts: Mapping[str, bytes], blobs: Mapping[str, str]
) -> Reached:
    here = {scope.symbol: scope for scope in program.functions if scope.module.path == probe.path}
    missing = [symbol for symbol in probe.reaches if symbol not in here]
    if missing:
        why = f"{shown(probe.path, 200)} has no function {shown(missing[0])}; "
        return Reached(ProbeFact(name, digest, "reaches", why=why + did_you_mean(missing[0], here, "functions")))
    roots = [here[symbol] for symbol in probe.reaches]
    reached = frozenset(scope for root in roots for scope in program.reached(root))
    sites = tuple(Site(probe.path, definition(root).first, blobs[probe.path]) for root in roots)
    fact = ProbeFact(name, digest, "reaches", str(len(reached)), sites, len(sites), len(program.modules))
    named = [scope for scope in program.functions if not isinstance(scope.node, ast.Lambda) or scope in reached]
    return Reached(fact, tuple(sorted(_rows(name, named, reached, texts))))


def _rows(
    name: str, scopes: Iterable[FunctionScope], reached: frozenset[FunctionScope], texts: Mapping[str, bytes]
) -> list[ReachFact]:
    """Each function with the lines that belong to no other row; those without any are left out."""
    by_file: dict[str, list[tuple[bool, int, int, str]]] = {}
    for scope in scopes:
        one = definition(scope)
        by_file.setdefault(one.path, []).append((scope not in reached, one.first, -one.last, one.symbol))
    rows = []
    for path, found in by_file.items():
        classes = SCANNERS[languages()["python"].family].scan(readable(texts[path])[0])
        taken: set[int] = set()
        # What is reached takes its lines first, and of what is inside something else the outer one.
        for missed, first, negative, symbol in sorted(found):
            own = [at for at in range(first, min(-negative, len(classes)) + 1) if at not in taken]
            taken.update(own)
            if own:
                lines = LineCounts.of(bytes(LineClass(classes[at - 1]) for at in own))
                rows.append(ReachFact(name, path, first, -negative, symbol, "" if missed else "yes", lines))
    return rows


def _kept(one: Reached) -> str:
    return json.dumps([astuple(one.fact), [astuple(row) for row in one.rows]])


def _read(text: str) -> Reached:
    fact, rows = json.loads(text)
    name, declared, kind, value, sites, found, searched, environment, why = fact
    return Reached(
        ProbeFact(
            name, declared, kind, value, tuple(Site(*site) for site in sites), found, searched, tuple(environment), why
        ),
        tuple(
            ReachFact(probe, path, first, last, symbol, reached, LineCounts(*lines))
            for probe, path, first, last, symbol, reached, lines in rows
        ),
    )
