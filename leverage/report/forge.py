"""Where a reader can see a pinned file: the forge's address of a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leverage.model.provenance import Pin

_FORGES: dict[str, str] = {
    "github.com": "https://{host}/{path}/blob/{commit}/",
    "gitee.com": "https://{host}/{path}/blob/{commit}/",
    "gitcode.com": "https://{host}/{path}/blob/{commit}/",
    "gitlab.com": "https://{host}/{path}/-/blob/{commit}/",
    "codeberg.org": "https://{host}/{path}/src/commit/{commit}/",
}
_URL = re.compile(r"(?:https?|ssh|git)://(?:[^@/]+@)?([^/:]+)(?::\d+)?/(.+?)(?:\.git)?/*\Z")
_SCP = re.compile(r"(?:[^@/]+@)?([A-Za-z0-9.-]+):(?!//)(.+?)(?:\.git)?/*\Z")


def browse_url(location: str, pin: Pin | None) -> str:
    """Address to which a path is appended, ending in ``/``; empty where the forge is not known or nothing is pinned."""
    if pin is None or pin.kind != "git":
        return ""
    match = _URL.match(location) or _SCP.match(location)
    if match is None or match[1] not in _FORGES:
        return ""
    if not re.fullmatch(r"[A-Za-z0-9._/-]+", match[2]) or ".." in match[2]:
        return ""
    return _FORGES[match[1]].format(host=match[1], path=match[2], commit=pin.id)
