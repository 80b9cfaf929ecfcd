"""One thing that does not fit together in `repos.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
