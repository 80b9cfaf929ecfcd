"""A second path from git objects to the amounts of a denominator: git lists, reads and says attributes, another library
matches the globs, the scanner of a language counts one file at a time; no pipeline, no cache, no table.

It shares with the product on purpose: the language of a file, what its head says, scanners and conventions.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import zstandard
from leverage.measure.attributes import Marks
from leverage.measure.content import language_of
from leverage.measure.conventions import code_lines
from leverage.measure.languages import PURPOSE_OF_KIND, Context, by_alias, languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.screen import readable, screen_path, screen_text
from leverage.measure.witness import from_witness, second_count
from leverage.model.decisions import Purpose
from leverage.model.files import COUNTED, SourceFile, State
from leverage.model.lines import LineCounts
from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from leverage.spec.types import Component, Denominator, Spec, System

ONE_PATH = frozenset({"tokens", "functions"})
"""Units that nothing but the product's own readers can count."""
ATTRIBUTES = ("linguist-generated", "linguist-vendored", "linguist-documentation", "linguist-language")


@dataclass(frozen=True)
class Counted:
    """One file, counted by hand so to speak."""

    component: str
    path: str
    language: str
    purpose: Purpose
    size: int
    physical: int
    nonblank: int
    lines: LineCounts
    compressed: int


def git(place: Path | str, *arguments: str, data: bytes = b"", index: str = "") -> bytes:
    settings = {**os.environ, **({"GIT_INDEX_FILE": index} if index else {})}
    command = ["git", "-C", str(place), *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=True, env=settings).stdout


def blobs(place: Path | str, ids: Sequence[str]) -> list[bytes | None]:
    """The bytes of blobs by their ids; None where an object is missing."""
    answer = git(place, "cat-file", "--batch", data="".join(f"{one}\n" for one in ids).encode())
    found: list[bytes | None] = []
    at = 0
    for _ in ids:
        end = answer.index(b"\n", at)
        head = answer[at:end].split()
        if head[-1] == b"missing":
            found.append(None)
            at = end + 1
        else:
            size = int(head[2])
            found.append(answer[end + 1 : end + 1 + size])
            at = end + 1 + size + 1
    return found


def count_system(system: System, place: Path | str, commit: str) -> list[Counted]:
    """Every counted file of the components of a system."""
    listed = [
        entry.split(b"\t", 1) for entry in git(place, "ls-tree", "-rz", "--full-tree", commit).split(b"\0") if entry
    ]
    tree = [(meta.decode().split(), path.decode("utf-8", "surrogateescape")) for meta, path in listed]
    around = Context.of([SourceFile(path, meta[2], 0) for meta, path in tree])
    owners = owner_of(system.components, [path for _, path in tree])
    wanted = [(path, meta[2]) for meta, path in tree if path in owners and meta[0].startswith("100")]
    marks = attributes(place, commit, [path for path, _ in wanted])
    found = []
    for (path, _), data in zip(wanted, blobs(place, [blob for _, blob in wanted]), strict=True):
        if data is not None and (one := count_file(path, data, around, marks[path])) is not None:
            language, size, physical, nonblank, lines = one
            kind = languages()[language].kind if language else None
            purpose = system.components[owners[path]].purpose
            if purpose is Purpose.PRODUCTION and kind is not None:
                purpose = PURPOSE_OF_KIND.get(kind, purpose)
            compressed = len(zstandard.ZstdCompressor(level=12).compress(data)) if data else 0
            about = (owners[path], path, language, purpose)
            found.append(Counted(*about, size, physical, nonblank, lines, compressed))
    return found


def owner_of(components: Mapping[str, Component], paths: Iterable[str]) -> dict[str, str]:
    """Component of each path, by another library's reading of the patterns."""
    include = {name: GitIgnoreSpec.from_lines(one.include) for name, one in components.items()}
    exclude = {name: GitIgnoreSpec.from_lines(one.exclude) for name, one in components.items()}

    def claims(name: str, path: str) -> bool:
        return (
            include[name].match_file(path)
            and not exclude[name].match_file(path)
            and not any(claims(other, path) for other in components[name].exclude_components)
        )

    return {path: owner for path in paths if (owner := next((name for name in components if claims(name, path)), ""))}


def attributes(place: Path | str, commit: str, paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """What git says of each path."""
    names = "\0".join(paths).encode("utf-8", "surrogateescape")
    with tempfile.TemporaryDirectory() as folder:
        index = f"{folder}/index"  # the attribute files of the commit itself, without a work tree
        git(place, "read-tree", commit, index=index)
        asked = ("check-attr", "--cached", "--stdin", "-z", *ATTRIBUTES)
        answer = git(place, *asked, data=names + b"\0", index=index)
    words = [word.decode("utf-8", "surrogateescape") for word in answer.split(b"\0")[:-1]]
    found: dict[str, dict[str, str]] = {path: {} for path in paths}
    for path, name, value in zip(words[::3], words[1::3], words[2::3], strict=True):
        if value != "unspecified":
            found[path][name] = value
    return found


def count_file(
    path: str, data: bytes, around: Context, said: Mapping[str, str]
) -> tuple[str, int, int, int, LineCounts] | None:
    """Language, bytes, physical and non-blank lines and line classes of a file that is counted; else None."""
    if any(said.get(f"linguist-{word}") in {"set", "true"} for word in ("generated", "vendored", "documentation")):
        return None
    text, disposition = readable(data)
    if disposition.state is not State.COUNTED:
        return None
    language = by_alias(said.get("linguist-language", "")) or language_of(path, data, around).language
    if not text:
        return language, 0, 0, 0, LineCounts()
    if not language:
        return None
    physical = text.count(b"\n") + (not text.endswith(b"\n")) if b"\r" not in text else len(text.splitlines())
    nonblank = sum(1 for line in text.splitlines() if line.strip())
    about = languages()[language]
    scanner = SCANNERS.get(about.family)
    second = second_count(text, about) if scanner is None else None
    lines = LineCounts.of(scanner.scan(text)) if scanner else from_witness(second, nonblank, about) if second else None
    screened = screen_path(path, Marks({}, {}), screen_text(text, about, physical))
    taken_back = said.get("linguist-generated") in {"unset", "false"} and screened.reason in {"generated", "minified"}
    if lines is None or (screened != COUNTED and not taken_back):
        return None
    return language, len(data), physical, nonblank, lines


def amount(spec: Spec, name: str, chosen: Denominator, counted: Mapping[str, Sequence[Counted]]) -> int:
    """The amount of a side under a denominator, from files counted by `count_system`."""
    total = 0
    profile = next((each for each in spec.systems[name].profiles.values() if each.default), None)
    dropped = GitIgnoreSpec.from_lines(profile.exclude if profile else ())
    for entry in spec.systems[name].boundaries[chosen.boundary]:
        owner, _, part = entry.rpartition(".")
        for file in counted[owner or name]:
            outside = not owner and dropped.match_file(file.path)
            if file.component == part and not outside and file.purpose in chosen.purposes and in_language(file, chosen):
                total += value(file, chosen)
    return total


def in_language(file: Counted, chosen: Denominator) -> bool:
    about = languages().get(file.language)
    if chosen.languages == "all" or about is None:
        return True
    if chosen.languages == "programming":
        return about.kind.value in {"programming", "build"}
    return about.compiler if chosen.languages == "compiler" else about.group == chosen.languages


def value(file: Counted, chosen: Denominator) -> int:
    match chosen.unit:
        case "files":
            return 1
        case "bytes":
            return file.size
        case "zstd":
            return file.compressed
        case "physical":
            return file.physical
        case "nonblank":
            return file.nonblank
        case "code":
            return code_lines(chosen.convention, file.language, file.lines) or 0
        case _:
            raise ValueError(f"there is no second path to {chosen.unit}")
