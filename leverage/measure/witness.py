"""pygount as fallback counter and as independent second count.

pygount is called on bytes, never on files, and with everything off that would make a file vanish: no patterns for
generated files, no pool of duplicates. The lexer is ours to choose: pygount picks it by file name, so it is shown a
name from the language table (`Language.pygount`) that only one lexer claims.

What it does differently from the line rule, and what is done about it here:

- Pygments drops blank lines at both edges of a text; they are put back into `WitnessCounts.empty`.
- Lines of brackets alone are empty to it; `from_witness` moves as many of them back as the count of non-blank lines
  allows.
- Blank lines inside comments and literals belong to the comment or literal.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, replace
from functools import cache as once
from importlib.resources import files
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from leverage.measure.languages import Kind, Language, languages
from leverage.measure.lines.base import normalize, physical_lines
from leverage.measure.screen import readable
from leverage.measure.workers import in_workers
from leverage.model.files import FileFacts, State, WitnessCounts
from leverage.model.lines import LineCounts
from leverage.sources.base import Missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.measure.cache import Cache
    from leverage.sources.base import OpenSource

LIMIT = 4 * 2**20
"""Bytes above which pygount is not asked."""


_BATCH = 100  # answers kept in one transaction of the cache: one takes seconds where a file is large


@once
def witness_version() -> str:
    """What decides what the witness says of given bytes: pygount, Pygments, and how they are asked here."""
    from importlib.metadata import version  # noqa: PLC0415 - only where the witness is asked

    ours = files("leverage.measure").joinpath("witness.py").read_bytes()
    versions = f"{version('pygount')} {version('Pygments')} ".encode()
    return hashlib.sha256(versions + ours).hexdigest()[:16]


def with_witness(
    source: OpenSource, facts: Sequence[FileFacts], *, cache: Cache | None = None, jobs: int = 1
) -> list[FileFacts]:
    """The same facts with what pygount says of each file whose text and language are known; slow, so cached.

    Its answers are kept apart from our own counts: they depend on other code, and take far longer.
    """
    asked = {fact.file.path: _key(fact) for fact in facts if _is_asked(fact)}
    kept = cache.notes({key for key in asked.values() if not key.startswith("path ")}) if cache is not None else {}
    known = {key: _counts(value) for key, value in kept.items()}
    wanted: dict[str, FileFacts] = {}
    for fact in facts:
        key = asked.get(fact.file.path, "")
        if key and key not in known:
            wanted.setdefault(key, fact)
    answers = _answers(source, wanted, jobs)
    while batch := dict(islice(answers, _BATCH)):
        known.update(batch)
        if cache is not None:
            cache.note(
                {
                    key: json.dumps(None if counts is None else astuple(counts))
                    for key, counts in batch.items()
                    if not key.startswith("path ")
                }
            )
    return [replace(fact, witness=known[asked[fact.file.path]]) if fact.file.path in asked else fact for fact in facts]


def _is_asked(fact: FileFacts) -> bool:
    language = languages().get(fact.language)
    return bool(language and language.pygount) and fact.physical > 0


def _key(fact: FileFacts) -> str:
    """Equal for files of equal bytes that are shown to the same lexer; a file without a blob id is like no other."""
    lexer = languages()[fact.language].pygount
    return f"{fact.file.blob or f'path {fact.file.path}'} {lexer} witness {witness_version()}"


def _counts(value: str) -> WitnessCounts | None:
    said = json.loads(value)
    return None if said is None else WitnessCounts(*said)


def _answers(source: OpenSource, wanted: dict[str, FileFacts], jobs: int) -> Iterator[tuple[str, WitnessCounts | None]]:
    read = source.read([fact.file for fact in wanted.values()])
    stream = ((key, fact.language, data) for (key, fact), (_, data) in zip(wanted.items(), read, strict=True))
    if jobs > 1 and len(wanted) > 1:
        yield from in_workers(_answer, stream, jobs)
        return
    for key, language, data in stream:
        yield key, _answer(language, data)


def _answer(language: str, data: bytes | Missing) -> WitnessCounts | None:
    if isinstance(data, Missing):
        return None
    text, found = readable(data)
    return second_count(text, languages()[language]) if found.state is State.COUNTED else None


def second_count(data: bytes, language: Language) -> WitnessCounts | None:
    """What pygount itself counts in the bytes of a file (unit: lines), or None where it has no lexer for the language.

    The four classes add up to the physical lines. Bytes that are not UTF-8 are replaced, so no text is refused; text
    above `LIMIT` is, for the regular expressions of 500 lexers promise no linear time. About 13,000 lines a second.
    """
    if not language.pygount or len(data) > LIMIT:
        return None
    physical = physical_lines(data)
    if not data.strip():
        return WitnessCounts(0, 0, physical, 0)
    from pygount import SourceAnalysis  # noqa: PLC0415 - pulls in Pygments, which most runs never need

    analysis = SourceAnalysis.from_file(
        language.pygount,
        "",
        encoding="utf-8",
        fallback_encoding=None,
        generated_regexes=[],
        file_handle=BytesIO(_readable(data)),
    )
    counted = analysis.code_count + analysis.documentation_count + analysis.string_count
    return WitnessCounts(
        analysis.code_count, analysis.documentation_count, max(0, physical - counted), analysis.string_count
    )


def from_witness(witness: WitnessCounts, nonblank: int, language: Language) -> LineCounts:
    """Line classes for a language that only pygount counts; they add up to the witness's lines.

    Comments of prose and markup are documentation, all others comments.
    """
    brackets = max(0, nonblank - witness.code - witness.string - witness.documentation)
    prose = language.kind in {Kind.PROSE, Kind.MARKUP}
    return LineCounts(
        code=witness.code,
        string=witness.string,
        bracket=brackets,
        documentation=witness.documentation if prose else 0,
        comment=0 if prose else witness.documentation,
        blank=witness.empty - brackets,
    )


def _readable(data: bytes) -> bytes:
    """UTF-8 with line feeds only, so that pygount sees the same physical lines and never refuses the text."""
    return normalize(data).decode("utf-8", "replace").encode("utf-8")
