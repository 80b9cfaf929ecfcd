"""The baseline: touchpoints that are known and accepted, kept in a file beside the port, so that only news is shown.

A touchpoint is recognised by its path, kind, form, symbol and the function around it, with a count, never by its line:
code that moves is no news. The file is JSON with one entry a line, in order, so that its history reads well.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.model.touchpoints import Touchpoint, Unresolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FORMAT = 1
UNRESOLVED = "unresolved"
"""Kind of entries for places that could not be resolved; their text stands in place of a symbol."""
MOST_BYTES = 64 * 2**20

Key = tuple[str, str, str, str, str]
"""Path, kind, form, symbol, function around it."""
_FIELDS = ("path", "kind", "form", "symbol", "within")
Row = TypeVar("Row", Touchpoint, Unresolved)


@dataclass(frozen=True, slots=True)
class Baseline:
    """Accepted touchpoints.

    Attributes:
        accepted: how many of each are accepted.
    """

    accepted: Counter[Key] = field(default_factory=Counter)

    @classmethod
    def of(cls, touchpoints: Iterable[Touchpoint], unresolved: Iterable[Unresolved]) -> Baseline:
        """The baseline that accepts just these."""
        return cls(Counter([*map(key_of, touchpoints), *map(key_of, unresolved)]))


@dataclass(frozen=True, slots=True)
class News:
    """What a baseline does not accept.

    Attributes:
        touchpoints: touchpoints beyond those accepted; of several alike the last ones of the file.
        unresolved: likewise.
        accepted: how many rows the baseline accepts.
        gone: how many accepted ones there are no more.
    """

    touchpoints: tuple[Touchpoint, ...]
    unresolved: tuple[Unresolved, ...]
    accepted: int
    gone: int


def key_of(row: Touchpoint | Unresolved) -> Key:
    """What a row is recognised by."""
    if isinstance(row, Touchpoint):
        return row.path, row.kind.value, row.form, row.symbol, row.within
    return row.path, UNRESOLVED, "" if row.kind is None else row.kind.value, row.text, ""


def news(baseline: Baseline, touchpoints: Sequence[Touchpoint], unresolved: Sequence[Unresolved]) -> News:
    """The rows that the baseline does not accept, in the order given."""
    left = Counter(baseline.accepted)
    new_touchpoints, new_unresolved = _beyond(touchpoints, left, key_of), _beyond(unresolved, left, key_of)
    every = len(touchpoints) + len(unresolved)
    return News(
        tuple(new_touchpoints),
        tuple(new_unresolved),
        accepted=every - len(new_touchpoints) - len(new_unresolved),
        gone=left.total(),
    )


def _beyond(rows: Iterable[Row], left: Counter[Key], key: Callable[[Row], Key]) -> list[Row]:
    """Rows beyond what is left of the accepted ones, which are taken away from it."""
    beyond = []
    for row in rows:
        if left[key(row)] > 0:
            left[key(row)] -= 1
        else:
            beyond.append(row)
    return beyond


def baseline_text(baseline: Baseline) -> str:
    """The file's text; the same baseline gives the same bytes."""
    lines = [
        json.dumps({**dict(zip(_FIELDS, key, strict=True)), "count": count}, ensure_ascii=True)
        for key, count in sorted(baseline.accepted.items())
        if count > 0
    ]
    return f'{{"format":{FORMAT},"accepted":[\n' + ",\n".join(lines) + "\n]}\n"


def parse_baseline(data: bytes, name: str) -> Baseline:
    """Read a file that `baseline_text` wrote, or that was edited by hand.

    Args:
        data: its bytes.
        name: its name, for messages.

    Raises:
        ConfigurationError: it is no baseline of a format that is known here.
    """
    try:
        whole = json.loads(data) if len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError) as error:
        raise _wrong(f"it is not JSON: {error}", name) from error
    if not isinstance(whole, dict) or not isinstance(whole.get("accepted"), list):
        raise _wrong("it has no list `accepted`", name)
    if whole.get("format") != FORMAT:
        raise _wrong(f"its format is {str(whole.get('format'))[:40]}, and format {FORMAT} is known here", name)
    accepted: Counter[Key] = Counter()
    for at, entry in enumerate(whole["accepted"], 1):
        match entry:
            case {
                "path": str(path),
                "kind": str(kind),
                "form": str(form),
                "symbol": str(symbol),
                "within": str(within),
                "count": int(count),
            } if count > 0 and not isinstance(count, bool):
                accepted[path, kind, form, symbol, within] += count
            case _:
                what = f"entry {at} of `accepted` needs {', '.join(_FIELDS)} as text and count as a number above 0"
                raise _wrong(what, name)
    return Baseline(accepted)


def _wrong(what: str, name: str) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            "baseline",
            f"this is no baseline of touchpoints: {what}",
            Location(name),
            why="without it nobody can say what is new",
            hint="write it anew with --write-baseline FILE",
        )
    )
