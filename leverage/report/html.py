"""The page: one self-contained HTML file that needs neither network nor script to be read.

The order of the sections is `SECTIONS`; a new section is one template and one line there. Escaping is Jinja's, always
on; besides, everything that is printed goes through `display.visible`, so no template can forget it. A content security
policy allows exactly the page's one style sheet and one script, by hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from leverage.report import couplingtext, display, findings, lookup
from leverage.report.charts import palette
from leverage.report.csvout import file_name
from leverage.report.format import count_text, part_text, plural
from leverage.report.jsonview import to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leverage.report.charts.svg import Chart
    from leverage.report.view import ReportV1, Table

MOST_WITNESSES = 20
"""Disagreements that are listed on the page, the largest first; `report.json` has them all."""

MOST_PRINTED = 12
"""Rows of a long table that are printed; `style.css` has the same number."""

MOST_PARTS, MOST_PATCHES, MOST_HOLDS = 8, 25, 12
"""Parts of a substrate, monkey patches and upstream symbols of a port that are listed on the page; of the two last ones
a third, where the port is not the one of the comparison."""

MOST_OPEN = 8
"""Denominators up to which the tables under the figures are unfolded from the start."""
LONGEST_PARAGRAPH = 1500
"""Characters of a sentence that are shown; only a hostile name makes one longer."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. ``id`` is its permanent anchor and the name of its template."""

    id: str
    title: str
    finding: Callable[[ReportV1], str] | None = None


SECTIONS = (
    Section("ratio", "Ratio under each denominator", findings.ratio_finding),
    Section("moves", "What moves it", findings.moves_finding),
    Section("grid", "Every denominator", findings.grid_finding),
    Section("required", "What would have to be true", findings.required_finding),
    Section("stages", "Stage by stage", findings.stages_finding),
    Section("code", "Where the code is", findings.code_finding),
    Section("coupling", "Leverage and coupling", couplingtext.coupling_finding),
    Section("claims", "Claims ledger", findings.claims_finding),
    Section("transfer", "Would it transfer?", findings.transfer_finding),
    Section("budgets", "Budgets", findings.budgets_finding),
    Section("provenance", "Provenance", findings.provenance_finding),
    Section("identity", "Counted, excluded, unknown", findings.identity_finding),
    Section("witness", "Second opinion", findings.witness_finding),
    Section("method", "Method and glossary"),
    Section("data", "Data"),
)


class Anchors:
    """Permanent, unique ids for one page: the same (kind, name) always gets the same anchor."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}

    def __call__(self, kind: str, name: str) -> str:
        """The anchor of a thing, such as ``system-torch-spyre``."""
        key = (kind, name)
        if key not in self._given:
            slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:64].strip("-") or "x"
            anchor, again = f"{kind}-{slug}", 2
            while anchor in self._given.values():
                anchor, again = f"{kind}-{slug}-{again}", again + 1
            self._given[key] = anchor
        return self._given[key]


def to_html(report: ReportV1, tables: Sequence[Table], charts: Sequence[Chart]) -> str:
    """The whole page. ``tables`` and ``charts`` are the files that will lie beside it, for the links to them."""
    style = palette.style_rules() + resource("style.css")
    script = resource("enhance.js")
    environment = environment_of_pages()
    page = environment.get_template("page.html.j2")
    return page.render(
        report=report,
        sections=SECTIONS,
        tables=[(file_name(table), table) for table in tables],
        charts={chart.name: chart for chart in charts},
        style=Markup(style),  # noqa: S704 - ours
        script=Markup(script),  # noqa: S704 - ours
        policy=policy(style, script),
        data=Markup(to_json(embedded(report), compact=True).replace("<", "\\u003c")),  # noqa: S704 - cannot end its element
        anchor=Anchors(),
        stage_lines=lookup.stage_lines(report.stages),
        stage_ranges=lookup.stage_ranges(report.stages),
        most_printed=MOST_PRINTED,
        most_witnesses=MOST_WITNESSES,
        most_open=MOST_OPEN,
        most_parts=MOST_PARTS,
        most_patches=MOST_PATCHES,
        most_holds=MOST_HOLDS,
        system=partial(lookup.find_system, report),
    )


def embedded(report: ReportV1) -> ReportV1:
    """What the page carries as data, without what would double it; `report.json` has all.

    Left out are the members of the grid, what moves the ratio, patches, upstream symbols and traced parts one by one,
    how each side comes to its amount under all denominators but the headline, and the reasons for files that are not
    counted.
    """
    return replace(
        report,
        moves=[],
        coupling=[replace(one, patches=[], holds=[]) for one in report.coupling],
        leverage=[replace(one, parts=[]) for one in report.leverage],
        grid=replace(report.grid, members=[]),
        denominators=[replace(one, waterfalls=one.waterfalls if one.headline else []) for one in report.denominators],
        identity=[replace(one, rows=[]) for one in report.identity],
    )


def environment_of_pages() -> Environment:
    """Templates with everything escaped and made visible, whatever a template prints."""
    environment = Environment(
        loader=PackageLoader("leverage.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_printed,
    )
    environment.filters |= {
        "prose": _paragraph,
        "sentence": display.sentence,
        "words": _words,
        "name": display.name,
        "count": count_text,
        "link": display.web_address,
        "slug": _slug,
    }
    environment.globals |= {
        "findings": findings,
        "coupling": couplingtext,
        "lookup": lookup,
        "file_address": display.file_address,
        "line_address": display.line_address,
        "tree_address": display.tree_address,
        "glob_root": display.glob_root,
        "part_text": part_text,
        "plural": plural,
    }
    return environment


def _paragraph(value: str) -> str:
    return display.name(display.prose(value), LONGEST_PARAGRAPH)


def _words(value: str) -> Markup:
    """A paragraph in which what stands between back-ticks is code; everything is escaped."""
    parts = _paragraph(value).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def _slug(value: str) -> str:
    """A word or two as a part of a class or id."""
    return re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")


def _printed(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    return display.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def resource(name: str) -> str:
    """A file of the folder of templates."""
    return files("leverage.report").joinpath("templates", name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """The content security policy of a page with one style sheet and at most one script, both ours."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}"
