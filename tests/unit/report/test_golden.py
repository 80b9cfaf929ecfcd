"""The page and the Markdown of the sample, word for word. `LEVERAGE_REFRESH_GOLDEN=1` writes them anew.

Figures are left out: their text is matplotlib's business between releases, and `test_charts.py` checks what they hold.
"""

import os
import re
from pathlib import Path

import pytest
from leverage.report.charts import draw_charts
from leverage.report.html import to_html
from leverage.report.markdown import to_markdown
from tests.unit.report.sample import sample_report, sample_tables

GOLDEN = Path(__file__).parents[2] / "golden"
REFRESH = "LEVERAGE_REFRESH_GOLDEN"


def page() -> str:
    report = sample_report()
    source = to_html(report, sample_tables(), draw_charts(report))
    return re.sub(
        r'<svg [^>]*class="chart" id="chart-([a-z-]+)".*?</svg>', r"<svg><!-- \1 --></svg>", source, flags=re.DOTALL
    )


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_output_is_as_agreed(name: str) -> None:
    actual = page() if name == "report.html" else to_markdown(sample_report())
    golden = GOLDEN / name
    if os.environ.get(REFRESH):
        golden.write_text(actual, encoding="utf-8")
    expected = golden.read_text(encoding="utf-8") if golden.exists() else ""
    if actual != expected:
        beside = golden.with_name(f"{name}.actual")
        beside.write_text(actual, encoding="utf-8")
        first = next(
            (
                index
                for index, (a, b) in enumerate(zip(actual.splitlines(), expected.splitlines(), strict=False), 1)
                if a != b
            ),
            "the end",
        )
        pytest.fail(f"{name} differs from line {first}; look at {beside.name}, then set {REFRESH}=1 if it is right")
