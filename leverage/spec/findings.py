"""One thing that does not fit together in `repos.yaml`, and the kinds that several checks find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverage.spec.text import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leverage.spec.schema import KeyPath


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit.

    Attributes:
        path: where in the document.
        slug: kind of problem.
        what: one sentence.
        hint: what to change.
        why: why it matters.
        about: section whose entries were looked up, such as ``systems``: where an entry there is broken itself, this
            may only be a consequence.
    """

    path: KeyPath
    slug: str
    what: str
    hint: str
    why: str = ""
    about: str = ""


def refers(known: Mapping[str, object], name: str, path: KeyPath, noun: str) -> Iterator[Finding]:
    """A finding where a name is not among those known."""
    if name not in known:
        hint = did_you_mean(name, known, f"{noun}s here")
        yield Finding(path, "unknown-reference", f"there is no {noun} {shown(name)}", hint, about=f"{noun}s")


def positive(value: str | int, path: KeyPath) -> Iterator[Finding]:
    """A finding where a claimed ratio is zero."""
    if not int(str(value).replace(".", "")):
        yield Finding(path, "bad-value", "a ratio of 0 says nothing", "write the ratio that was claimed, such as 7")
