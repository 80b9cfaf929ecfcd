"""What `leverage init` proposes for a system that nobody has described: an entry of repos.yaml, and a pack to correct.

Functions from values to text. What is proposed is a start for a person who reads the code, and says so.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from leverage.cli.aligned import number, plural
from leverage.model.decisions import UNDETERMINED, Confidence, Purpose
from leverage.report.display import visible
from leverage.spec.globs import escaped
from leverage.spec.text import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leverage.classify.units import Classified

EXTENSION_FOLDERS = ("_inductor", "inductor")
"""Names of the folder in which ports of Inductor keep their extension."""
LEAST_FILES = 1
SHOWN_EXAMPLES = 3
_CERTAIN = frozenset({Confidence.DECLARED, Confidence.ANCHORED, Confidence.LIKELY})
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./*+-]*")
_NOT_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class FileOpinion:
    """What most lines of a file say.

    Attributes:
        path: the file.
        lines: physical lines.
        stage: stage of most of its lines of code.
        divergence: divergence of most of its lines in that stage.
        certain: whether more than half of its lines were decided clearly for that stage.
        others: further stages that a tenth of its lines or more were decided for.
    """

    path: str
    lines: int
    stage: str
    divergence: str
    certain: bool
    others: tuple[str, ...]


def opinions(rows: Iterable[Classified]) -> list[FileOpinion]:
    """One opinion for each file, in the order of the rows."""
    by_path: defaultdict[str, list[Classified]] = defaultdict(list)
    for row in rows:
        by_path[row.path].append(row)
    return [_opinion(path, found) for path, found in by_path.items()]


def _opinion(path: str, rows: Sequence[Classified]) -> FileOpinion:
    sizes: defaultdict[str, int] = defaultdict(int)
    divergences: defaultdict[tuple[str, str], int] = defaultdict(int)
    certain: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        lines = row.unit.lines.physical
        sizes[row.decision.stage] += lines
        divergences[row.decision.stage, row.decision.divergence] += lines
        if row.decision.confidence in _CERTAIN:
            certain[row.decision.stage] += lines
    total = sum(sizes.values())
    stage = max(sorted(sizes), key=sizes.__getitem__)
    divergence = max(sorted(each for of, each in divergences if of == stage), key=lambda each: divergences[stage, each])
    others = tuple(sorted(each for each, lines in sizes.items() if each != stage and 10 * lines >= total))
    return FileOpinion(path, total, stage, divergence, 2 * certain[stage] > total, others)


def id_of(name: str) -> str:
    """An id made of the name of a repository or folder."""
    stem = PurePosixPath(name.rstrip("/")).name.removesuffix(".git").lower()
    return _NOT_ID.sub("-", stem).strip("-") or "port"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the code of a system lies.

    Attributes:
        extends: whether its Python extends Inductor.
        extension: folder of the extension; empty where there is none of its own.
        tops: top folders with production code, and files at the top.
        tests: folders of tests.
    """

    extends: bool
    extension: str
    tops: tuple[str, ...]
    tests: tuple[str, ...]


def layout(purposes: Mapping[str, Purpose], extends: Iterable[str]) -> Layout:
    """The layout that the paths of code tell.

    Args:
        purposes: purpose of each file of code, by path.
        extends: production files that import Inductor.
    """
    production = sorted(path for path, purpose in purposes.items() if purpose is Purpose.PRODUCTION)
    importing = sorted(extends)
    extension = next(
        (
            "/".join(parts[: depth + 1])
            for path in importing
            for parts in [path.split("/")]
            for depth, folder in enumerate(parts[:-1])
            if folder in EXTENSION_FOLDERS
        ),
        "",
    )
    tops = tuple(dict.fromkeys(path.partition("/")[0] for path in production))
    tests = sorted({_test_folder(path) for path, purpose in purposes.items() if purpose is Purpose.TEST} - {""})
    apart = tuple(each for each in tests if not any(each.startswith(f"{other}/") for other in tests))
    return Layout(bool(importing), extension, tops, apart)


def _test_folder(path: str) -> str:
    parts = path.split("/")[:-1]
    for depth, folder in enumerate(parts):
        if "test" in folder.lower():
            return "/".join(parts[: depth + 1])
    return ""


def entry_text(name: str, source: Mapping[str, str], found: Layout, purposes: Mapping[str, Purpose]) -> str:
    """The entry of a system, as it stands in ``systems:``.

    Args:
        name: its id.
        source: the keys of its source.
        found: where its code lies.
        purposes: purpose of each file of code, by path.
    """
    lines = [f"  {name}:", f"    role: {'extension' if found.extends else 'from_scratch'}"]
    lines.append(f"    source: {{{', '.join(f'{key}: {quoted(value)}' for key, value in source.items())}}}")
    tests = [f"{escaped(each)}/**" for each in found.tests]
    whole = [f"{escaped(top)}/**" if _is_folder(top, purposes) else escaped(top) for top in found.tops]
    aside = [
        f"{escaped(folder)}/**"
        for folder in _folders_aside(purposes)
        if any(folder.startswith(f"{top}/") for top in found.tops)
    ]
    excluded = f", exclude: [{', '.join(map(quoted, [*tests, *aside]))}]" if tests or aside else ""
    lines.append("    components:")
    boundary = "extension" if found.extension else "compiler"
    if found.extension:
        inside = f"{escaped(found.extension)}/**"
        lines.append(f"      extension: {{include: [{quoted(inside)}], height: [graph, tile_ir]{excluded}}}")
        others = f"include: [{', '.join(map(quoted, whole))}], exclude_components: [extension], height: [runtime]"
        lines.append(f"      plugin: {{{others}{excluded}}}")
    else:
        lines.append(f"      compiler: {{include: [{', '.join(map(quoted, whole))}]{excluded}}}")
    if tests:
        lines.append(f"      tests: {{include: [{', '.join(map(quoted, tests))}], purpose: test}}")
    lines.append("    boundaries:")
    lines.append(f"      {'extension' if found.extension else 'compiler'}: [{boundary}]")
    if found.extension:
        lines.append("      plugin: [extension, plugin]")
    lines.append("    note: proposed by `leverage init` from paths; correct the components, and say who wrote it")
    return "\n".join(lines) + "\n"


def _is_folder(top: str, purposes: Mapping[str, Purpose]) -> bool:
    return any(path.startswith(f"{top}/") for path in purposes)


def _folders_aside(purposes: Mapping[str, Purpose]) -> list[str]:
    """Folders that hold code of others, examples or scripts, and nothing of the system's own."""
    kept = {Purpose.PRODUCTION, Purpose.TEST}
    others = {path.rpartition("/")[0] for path, purpose in purposes.items() if purpose not in kept}
    own = [path for path, purpose in purposes.items() if purpose is Purpose.PRODUCTION]
    found: list[str] = []
    for folder in sorted(others):
        parts = folder.split("/")
        for depth in range(1, len(parts) + 1):
            top = "/".join(parts[:depth])
            if not any(path.startswith(f"{top}/") for path in own):
                if top not in found:
                    found.append(top)
                break
    return found


def pack_text(name: str, source: Mapping[str, str], found: Layout, said: Sequence[FileOpinion]) -> str:
    """A pack with one rule for each stage and divergence, of the files that words or anchors decide clearly.

    Args:
        name: id of the pack.
        source: the keys of the system's source.
        found: where its code lies.
        said: one opinion for each production file.

    Returns:
        The text, or nothing where no file is clear.
    """
    place = source.get("git") or source.get("path", "")
    roots = [top for top in found.tops if any(each.path.startswith(f"{top}/") for each in said)]
    roots += [found.extension] if found.extension and found.extension not in roots else []
    groups: defaultdict[tuple[str, str], list[FileOpinion]] = defaultdict(list)
    open_ = []
    for each in said:
        inside = any(each.path.startswith(f"{root}/") for root in roots)
        # An example must be written as it is, which a pack refuses of a name with hidden characters.
        if each.certain and each.stage != UNDETERMINED and inside and not HIDDEN.search(each.path):
            groups[each.stage, each.divergence].append(each)
        else:
            open_.append(each)
    if not groups:
        return ""
    lines = [
        "# Proposed by `leverage init` from names and words, and read by nobody yet. Read the code, correct what is",
        "# wrong, give each rule the reason that a reader of the code would sign, and say under `read` what was read.",
        f"id: {name}",
        "about:",
        "  read: nothing yet; proposed from names and words",
        f"  source: {quoted(place)}",
        f"  revision: {quoted(source.get('commit', 'as it lies on disk'))}",
        f"roots: [{', '.join(map(quoted, roots))}]",
        "rules:",
    ]
    for (stage, divergence), files in sorted(groups.items(), key=lambda each: -sum(one.lines for one in each[1])):
        total = sum(each.lines for each in files)
        lines += [
            f"  - id: {stage.replace('_', '-')}-{divergence.replace('_', '-')}",
            f"    stage: {stage}",
            f"    divergence: {divergence}",
            "    paths:",
            *(f"      - {quoted(escaped(each.path))}" for each in files),
            f"    reason: Proposed, not read. Words of {plural(len(files), 'file')} speak clearly for {stage}.",
            f"    matches: [{', '.join(quoted(each.path) for each in files[:SHOWN_EXAMPLES])}]",
            f"    expect: {{files: {len(files)}, lines: {total}}}",
            "",
        ]
    if open_:
        lines.append("  # Not clear; read these first, the largest at the top:")
        lines += [
            f"  #   {number(each.lines):>8}  {visible(each.path)}: {_maybe(each)}"
            for each in sorted(open_, key=lambda each: (-each.lines, each.path))
        ]
    return "\n".join(lines).rstrip() + "\n"


def _maybe(opinion: FileOpinion) -> str:
    stages = [each for each in (opinion.stage, *opinion.others) if each != UNDETERMINED]
    return f"{' or '.join(stages) or 'nothing speaks for any stage'}, {opinion.divergence}"


def quoted(text: str) -> str:
    """A YAML scalar: plain where that is safe, else in double quotes as JSON writes them."""
    return text if _PLAIN.fullmatch(text) and not text.replace(".", "").isdigit() else json.dumps(text)
