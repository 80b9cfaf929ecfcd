"""The git id of a piece of content, for sources that are not git."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def object_id(kind: str, data: bytes) -> str:
    """The SHA-1 object id (40 hex digits) that git gives to ``data`` as an object of ``kind`` (blob, tree, commit)."""
    # SHA-1 is git's own naming scheme, not a secret of ours; `usedforsecurity` keeps FIPS builds of Python working.
    digest = hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def blob_id(data: bytes) -> str:
    """The git blob id (40 hex digits) of a file's content."""
    return object_id("blob", data)


def content_id(entries: Iterable[tuple[str, str]]) -> str:
    """``content:`` and a SHA-256 over (path, blob id) pairs, independent of their order.

    Two sources have the same content id exactly if they hold the same bytes under the same paths.
    """
    digest = hashlib.sha256()
    for path, blob in sorted((path.encode("utf-8", "surrogateescape"), blob) for path, blob in entries):
        digest.update(b"%d %s %s\n" % (len(path), path, blob.encode()))
    return f"content:{digest.hexdigest()}"
