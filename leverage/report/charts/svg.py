"""From matplotlib's SVG to a figure that can live in a page: small, clean, accessible, the same bytes every time.

Text stays text. What changes: style attributes become presentation attributes (a strict content security policy
refuses the former), colours get classes so that a page can recolour them, ids that nothing refers to go and the rest
get the figure's own prefix, numbers are rounded to a hundredth of a pixel, fonts are the reader's, and the figure gets
a role, a title and a description.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from leverage.report.charts.palette import COLOURS

FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NO_TURN = re.compile(r"rotate\(-?0(?:\.0+)? [^)]*\)")
_CLASSES = {colour.light: colour.name for colour in COLOURS}
_PAINTED = re.compile(rf' (?:fill|stroke)="(?:{"|".join(_CLASSES)})"')
_INHERITED = {"stroke-linejoin": "round", "stroke-linecap": "butt", "text-anchor": "start", "font-size": "12px"}
"""What the figure as a whole says already, or need not say."""
_PROPERTIES = frozenset(
    {
        "fill",
        "fill-opacity",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linejoin",
        "stroke-linecap",
        "opacity",
        "font-size",
        "font-weight",
        "font-style",
        "text-anchor",
    }
)


@dataclass(frozen=True, slots=True)
class Chart:
    """A finished figure.

    Attributes:
        name: file name without suffix; ids inside begin with ``chart-`` and this name.
        title: the finding, in words.
        description: what the figure shows, for those who cannot see it.
        body: the ``<svg>`` element, to be placed in a page.
    """

    name: str
    title: str
    description: str
    body: str

    @property
    def document(self) -> str:
        """The figure as a file of its own."""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self.body}\n'

    @property
    def inline(self) -> str:
        """The figure for a page whose style sheet has `palette.style_rules`: colours by their classes alone."""
        return _PAINTED.sub("", self.body)


def finish(raw: str, *, name: str, title: str, description: str) -> Chart:
    """Turn what matplotlib wrote into a `Chart`. ``title`` and ``description`` must be fit to be shown.

    Raises:
        ValueError: the figure holds a style property that has no presentation attribute.
    """
    root = ET.fromstring(raw)  # noqa: S314 - written by matplotlib a moment ago
    used = set(_REFERENCE.findall(raw)) | {element.get(_HREF, "")[1:] for element in root.iter(f"{_SVG}use")}
    prefix = f"chart-{name}"
    width, height = root.get("viewBox", "0 0 1 1").split()[2:]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" id="{prefix}" role="img" '
        f'viewBox="0 0 {_short(width)} {_short(height)}" aria-labelledby="{prefix}-title {prefix}-desc" '
        f'font-family={quoteattr(FONT)} font-size="12" stroke-linejoin="round">'
    )
    head = f'<title id="{prefix}-title">{escape(title)}</title><desc id="{prefix}-desc">{escape(description)}</desc>'
    body = [_write(child, prefix, used) for child in root]
    return Chart(name, title, description, "".join([opening, head, *body, "</svg>"]))


def _write(element: ET.Element, prefix: str, used: set[str]) -> str:
    tag = element.tag.removeprefix(_SVG)
    if tag in {"metadata", "style"}:
        return ""
    attributes = _attributes(element, prefix, used)
    inside = escape(element.text) if tag == "text" and element.text else ""
    inside += "".join(_write(child, prefix, used) for child in element)
    if tag in {"g", "defs"} and not inside:
        return ""
    if tag == "g" and not attributes:
        return inside
    opening = tag + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{opening}>{inside}</{tag}>" if inside else f"<{opening}/>"


def _attributes(element: ET.Element, prefix: str, used: set[str]) -> dict[str, str]:
    found = {key: kept for key, value in element.attrib.items() if (kept := _attribute(key, value, prefix, used))}
    if _HREF in found:
        found["href"] = found.pop(_HREF)
    for declaration in filter(None, (part.strip() for part in element.get("style", "").split(";"))):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "font-family" or _INHERITED.get(key) == value:
            continue
        if key not in _PROPERTIES:
            raise ValueError(f"{prefix}: no presentation attribute for {declaration!r}")
        found[key] = _value(value, prefix).removesuffix("px")
    classes = [f"{key[0]}-{_CLASSES[found[key]]}" for key in ("fill", "stroke") if found.get(key) in _CLASSES]
    return found | ({"class": " ".join(classes)} if classes else {})


def _attribute(key: str, value: str, prefix: str, used: set[str]) -> str:
    """The value that an attribute keeps; empty where it goes."""
    if key == "style":
        return ""
    if key == "id":
        return f"{prefix}-{value}" if value in used else ""
    if key == _HREF:
        return f"#{prefix}-{value[1:]}"
    if key == "transform":
        return _short(_NO_TURN.sub("", value).strip())
    return _value(value, prefix)


def _value(text: str, prefix: str) -> str:
    return _short(_REFERENCE.sub(rf"url(#{prefix}-\1)", " ".join(text.split())))


def _short(text: str) -> str:
    return _NUMBER.sub(_hundredths, text)


def _hundredths(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
