"""Text of others made fit to be shown: nothing invisible, nothing that reorders a line, no link that is not plain http.

File names, notes and addresses come from fetched trees and from `repos.yaml`. Escaping for HTML, Markdown and CSV is
the business of those renderers; what is common to all of them is here.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

LONGEST_NAME = 160
"""Characters of a name that are shown; the whole name is in `report.json` and in the tables."""

_ESCAPED_BYTES = range(0xDC80, 0xDD00)  # how Python keeps bytes of a file name that are not UTF-8
_PLAIN_URL = re.compile(r"[!#$%&'()*+,\-./:;=?@A-Z\[\]_a-z~0-9]+")


def visible(text: str) -> str:
    """The text with every control, format, surrogate or unassigned character written out, such as ``⟨U+202E⟩``.

    Bytes of a file name that are not UTF-8 are written as ``⟨0x80⟩``. The result is one line that can be encoded.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or unicodedata.category(char) == "Zs" else _written_out(char) for char in text
    )


def _written_out(char: str) -> str:
    code = ord(char)
    return f"⟨0x{code - 0xDC00:02X}⟩" if code in _ESCAPED_BYTES else f"⟨U+{code:04X}⟩"


def prose(text: str) -> str:
    """Sentences with runs of white space and line ends as single spaces, otherwise as `visible`."""
    return visible(" ".join(text.split()))


def sentence(text: str) -> str:
    """`prose` that ends like a sentence; nothing stays nothing."""
    plain = prose(text)
    return plain if not plain or plain.endswith((".", "!", "?")) else f"{plain}."


def name(text: str, longest: int = LONGEST_NAME) -> str:
    """A name or path as `visible`, cut in the middle where it is longer than ``longest``, with its true length."""
    shown = visible(text)
    if len(shown) <= longest:
        return shown
    tail = longest // 3
    return f"{shown[: longest - tail]}…{shown[-tail:]} ({len(text):,} characters)"


def web_address(text: str) -> str:
    """The text if it is a plain http or https address with a host, else an empty string: nothing to link to."""
    if not _PLAIN_URL.fullmatch(text):
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme in {"http", "https"} and parts.hostname else ""


def file_address(browse: str, path: str) -> str:
    """Address of a file on the forge: the pinned tree's address and the path, percent-encoded byte by byte."""
    base = web_address(browse)
    return base + quote(path.encode("utf-8", "surrogateescape"), safe="/") if base else ""


def line_address(browse: str, path: str, line: int) -> str:
    """Address of a line of a file on the forge; empty where there is none."""
    target = file_address(browse, path)
    return f"{target}#L{line}" if target else ""


def glob_root(pattern: str) -> str:
    """The directory below which a pattern can match: its leading parts without wildcards; empty for the root."""
    parts = pattern.lstrip("/").split("/")[:-1]
    plain = [part for part in parts if not set(part) & set("*?[]!\\")]
    return "/".join(plain) if plain == parts[: len(plain)] else ""


def tree_address(browse: str, directory: str = "") -> str:
    """Address of a directory of the pinned tree. Forges that tell files (``blob``) from directories want ``tree``."""
    return file_address(re.sub(r"/blob/(?=[0-9a-f]{40,64}/\Z)", "/tree/", browse), directory)
