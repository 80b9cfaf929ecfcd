"""Probes: what claims need to know from source, read from its bytes at the pin. Nothing fetched is ever executed."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING

from leverage.evidence.facts import ProbeFact, Site
from leverage.evidence.pycode import assignments, first_arguments, order, selected, settings
from leverage.model.exact import Exact, Refused, evaluated, parsed
from leverage.sources.base import Missing
from leverage.spec.claimcheck import SEARCHING, probe_kind
from leverage.spec.globs import Globs
from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from leverage.model.files import SourceFile
    from leverage.sources.base import OpenSource
    from leverage.spec.types import Probe, Spec

LARGEST = 4 * 1024 * 1024
"""Bytes of a file that is still parsed."""
MOST_SITES = 20
"""Sites that are kept of one probe; ``found`` counts them all."""
MOST_BITS_OF_C = 64
YES, NO = "yes", "no"

_C_NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]{1,3})?\b")
# No points: a division of floats does not cut off, and telling the two apart would take a parser.
_C_TEXT = re.compile(r"[0-9a-fA-FxXbBuUlLzZ'+\-*/%()<> \t]{1,200}")
# A comment that never ends takes the rest: searched for again at every `/*` it would cost the square of the length.
_C_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)


def probe_digest(probe: Probe) -> str:
    """Digest of what a probe looks for; a record made for another declaration is no evidence."""
    declared = {key: value for key, value in asdict(probe).items() if value and key != "note"}
    return "sha256:" + hashlib.sha256(json.dumps(declared, sort_keys=True).encode()).hexdigest()


def take_probes(
    spec: Spec, system_id: str, source: OpenSource, reached: Mapping[str, ProbeFact] | None = None
) -> tuple[ProbeFact, ...]:
    """The value of every probe of a system, in order; what cannot be had is a value with its reason.

    Args:
        spec: the configuration.
        system_id: the system.
        source: its source.
        reached: what was found for the probes that `reaches`, see `leverage.evidence.reach`; without it they are left
            out.
    """
    probes = {name: probe for name, probe in spec.probes.items() if probe.system == system_id}
    read = {name: probe for name, probe in probes.items() if not probe.reaches}
    files = {file.path: file for file in source.snapshot.files} if read else {}
    reader = _Files(source, files, read.values())
    found: dict[str, ProbeFact] = {}
    for name, probe in probes.items():
        if name in read:
            found[name] = _PROBE[probe_kind(probe)](name, probe, reader, found)
        elif reached is not None:
            found[name] = reached[name]
    return tuple(found.values())


class _Files:
    """The files that probes name, read once, parsed when asked for."""

    def __init__(self, source: OpenSource, files: Mapping[str, SourceFile], probes: Iterable[Probe]) -> None:
        self.listed = files
        chosen = {path: files[path] for probe in probes for path in self.matching(probe)}
        self._bytes = {file.path: data for file, data in source.read(chosen.values())}
        self._trees: dict[str, ast.Module | Refused] = {}

    def matching(self, probe: Probe) -> list[str]:
        """Paths that a probe is about, sorted."""
        if probe_kind(probe) not in SEARCHING:
            return [probe.path] if probe.path in self.listed else []
        globs = Globs([probe.path])
        return sorted(path for path in self.listed if path in globs)

    def data(self, path: str) -> bytes | Refused:
        """The bytes of a file."""
        if path not in self.listed:
            return Refused(
                f"there is no file {shown(path, 200)} at the pin; {did_you_mean(path, self._near(path), 'files')}"
            )
        data = self._bytes[path]
        if isinstance(data, Missing):
            return Refused(f"{shown(path, 200)} could not be read: {data.detail}")
        if len(data) > LARGEST:
            return Refused(f"{shown(path, 200)} has {len(data):,} bytes, more than the {LARGEST:,} that are parsed")
        return data

    def tree(self, path: str) -> ast.Module | Refused:
        """The syntax tree of a Python file."""
        if path not in self._trees:
            self._trees[path] = self._parsed(path)
        return self._trees[path]

    def site(self, path: str, line: int) -> Site:
        """A line of a file."""
        return Site(path, line, self.listed[path].blob)

    def _parsed(self, path: str) -> ast.Module | Refused:
        data = self.data(path)
        if isinstance(data, Refused):
            return data
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return Refused(f"{shown(path, 200)} is not UTF-8")
        tree = parsed(text, longest=LARGEST)
        return Refused(f"{shown(path, 200)} cannot be parsed: {tree.why}") if isinstance(tree, Refused) else tree

    def _near(self, path: str) -> list[str]:
        """Paths of the same file name, else of the same folder: comparing with ten thousand would take seconds."""
        folder, _, name = path.rpartition("/")
        same = [one for one in self.listed if one.rpartition("/")[2] == name]
        return same or [one for one in self.listed if one.rpartition("/")[0] == folder][:500]


def _unknown(name: str, probe: Probe, why: str) -> ProbeFact:
    return ProbeFact(name, probe_digest(probe), probe_kind(probe), why=why)


def _constant(name: str, probe: Probe, files: _Files, found: Mapping[str, ProbeFact]) -> ProbeFact:
    given: dict[str, Exact] = {}
    for key, value in probe.given.items():
        number = _number(value, found)
        if isinstance(number, Refused):
            return _unknown(name, probe, number.why)
        given[key] = number
    tree = files.tree(probe.path)
    place = tree if isinstance(tree, Refused) else selected(tree, str(probe.constant))
    if isinstance(place, Refused):
        return _unknown(name, probe, place.why)
    exact = evaluated(place.node, given)
    if isinstance(exact, Refused):
        return _unknown(name, probe, f"line {place.line} of {shown(probe.path, 200)} has no value here: {exact.why}")
    return _valued(name, probe, exact, files.site(probe.path, place.line))


def _number(value: str | int, found: Mapping[str, ProbeFact]) -> Exact | Refused:
    if isinstance(value, int) or value[0].isdigit():
        return Exact(Fraction(value))
    fact = found[value]
    if not fact.value:
        return Refused(f"the probe {shown(value)} has no value: {fact.why}")
    return Exact(Fraction(fact.value), fact.environment)


def _define(name: str, probe: Probe, files: _Files, _found: Mapping[str, ProbeFact]) -> ProbeFact:
    data = files.data(probe.path)
    if isinstance(data, Refused):
        return _unknown(name, probe, data.why)
    # A comment becomes blanks and keeps its lines, so that positions stay.
    plain = _C_COMMENT.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), data)
    word = re.escape(str(probe.define).rpartition(".")[2]).encode()
    pattern = re.compile(
        rb"^[ \t]*#[ \t]*define[ \t]+" + word + rb"[ \t]+(?P<macro>[^\r\n]{1,200})\r?$"
        rb"|\bconstexpr\b[^;={}\n]{0,200}\b"
        + word
        + rb"\s*(=\s*(?P<value>[^;{}]{1,200});|\{(?P<braces>[^;{}]{1,200})\})",
        re.MULTILINE,
    )
    matches = list(pattern.finditer(plain))
    if len(matches) != 1:
        return _unknown(name, probe, f"`{probe.define}` is defined {len(matches)} times in {shown(probe.path, 200)}")
    text = next(group for group in matches[0].groupdict().values() if group is not None).decode("latin-1").strip()
    line = data.count(b"\n", 0, matches[0].start()) + 1
    value = _c_value(text)
    if isinstance(value, Refused):
        return _unknown(name, probe, f"line {line} of {shown(probe.path, 200)} has no value here: {value.why}")
    return _valued(name, probe, value, files.site(probe.path, line))


def _c_value(text: str) -> Exact | Refused:
    if not _C_TEXT.fullmatch(text):
        return Refused("it is more than arithmetic on integers")
    tree = parsed(_C_NUMBER.sub(lambda match: match[1].replace("'", ""), text))
    match tree:
        case Refused():
            return tree
        case ast.Module(body=[ast.Expr(value=node)]):
            value = evaluated(node, whole_division=True)
        case _:
            return Refused("it is not one expression")
    if isinstance(value, Exact) and abs(value.value) >= 1 << MOST_BITS_OF_C:
        return Refused(f"it does not fit into {MOST_BITS_OF_C} bits")
    return value


def _valued(name: str, probe: Probe, value: Exact, site: Site) -> ProbeFact:
    return ProbeFact(name, probe_digest(probe), probe_kind(probe), str(value.value), (site,), 1, 1, value.environment)


def _order(name: str, probe: Probe, files: _Files, _found: Mapping[str, ProbeFact]) -> ProbeFact:
    tree = files.tree(probe.path)
    names = probe.calls or probe.names
    result = tree if isinstance(tree, Refused) else order(tree, str(probe.within), names, called=bool(probe.calls))
    if isinstance(result, Refused):
        return _unknown(name, probe, result.why)
    sites = tuple(files.site(probe.path, line) for line in result.lines)
    value = YES if result.holds else NO
    return ProbeFact(
        name, probe_digest(probe), probe_kind(probe), value, sites[:MOST_SITES], len(sites), 1, why=result.why
    )


def _assigns(name: str, probe: Probe, files: _Files, _found: Mapping[str, ProbeFact]) -> ProbeFact:
    target = str(probe.assigns)
    paths = files.matching(probe)
    if not paths:
        return _unknown(name, probe, f"no file at the pin matches {shown(probe.path, 200)}")
    word = target.rpartition(".")[2].encode()
    sites: list[Site] = []
    unread: list[str] = []
    for path in paths:
        data = files.data(path)
        # What does not hold the word cannot assign to it, and most files need no parsing.
        tree = data if isinstance(data, Refused) else files.tree(path) if word in data else None
        if isinstance(tree, Refused):
            unread.append(tree.why)
        elif tree is not None:
            sites += [files.site(path, line) for line in assignments(tree, target)]
    if not sites and unread:
        return _unknown(name, probe, f"{len(unread)} of {len(paths)} files could not be searched: {unread[0]}")
    why = "" if sites else f"`{target}` is not assigned to in any of {len(paths)} files"
    kept = tuple(sites[:MOST_SITES])
    return ProbeFact(
        name, probe_digest(probe), probe_kind(probe), YES if sites else NO, kept, len(sites), len(paths), why=why
    )


def _counts(name: str, probe: Probe, files: _Files, _found: Mapping[str, ProbeFact]) -> ProbeFact:
    paths = files.matching(probe)
    if not paths:
        return _unknown(name, probe, f"no file at the pin matches {shown(probe.path, 200)}")
    words = [function.rpartition(".")[2].encode() for function in probe.counts]
    first: dict[str, Site] = {}
    for path in paths:
        data = files.data(path)
        tree = data if isinstance(data, Refused) else files.tree(path) if any(word in data for word in words) else None
        if isinstance(tree, Refused):
            return _unknown(name, probe, f"one of {len(paths)} files could not be searched: {tree.why}")
        for text, line in first_arguments(tree, probe.counts) if tree is not None else ():
            if (thing := _operator(text, probe.namespace)) is not None:
                first.setdefault(thing, files.site(path, line))
    sites = tuple(first.values())
    value = str(len(sites))
    return ProbeFact(name, probe_digest(probe), probe_kind(probe), value, sites[:MOST_SITES], len(sites), len(paths))


def _operator(text: str, namespace: str | None) -> str | None:
    """What is counted for an argument as written: itself, or the operator of a namespace without its overload."""
    if namespace is None:
        return text
    parts = text.removeprefix("torch.ops.").split(".")
    return ".".join(parts[:2]) if parts[0] == namespace and len(parts) > 1 else None


def _settings(name: str, probe: Probe, files: _Files, _found: Mapping[str, ProbeFact]) -> ProbeFact:
    tree = files.tree(probe.path)
    if isinstance(tree, Refused):
        return _unknown(name, probe, tree.why)
    lines = settings(tree)
    sites = tuple(files.site(probe.path, line) for line in sorted(lines.values()))
    value = str(len(lines))
    return ProbeFact(name, probe_digest(probe), probe_kind(probe), value, sites[:1], len(sites), 1)


_PROBE: Mapping[str, Callable[[str, Probe, _Files, Mapping[str, ProbeFact]], ProbeFact]] = {
    "constant": _constant,
    "define": _define,
    "assigns": _assigns,
    "calls": _order,
    "names": _order,
    "counts": _counts,
    "settings": _settings,
}
