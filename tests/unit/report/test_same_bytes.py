"""The same report gives the same bytes wherever and as whoever it is rendered."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from tests.unit.report.sample import sample_report, sample_tables
from leverage.report.write import render_report
files = render_report(sample_report(), sample_tables())
for path in sorted(files):
    print(path, hashlib.sha256(files[path]).hexdigest())
"""
HOSTILE_SETTINGS = """
svg.fonttype: path
font.family: serif
font.size: 30
axes.facecolor: red
text.usetex: True
lines.linewidth: 9
savefig.dpi: 300
"""


def digests(home: Path, **changes: str) -> str:
    home.mkdir()
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "MPL", "XDG_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ROOT)],
        env={**environment, "HOME": str(home), **changes},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_home_locale_zone_seed_and_settings_do_not_matter(tmp_path: Path) -> None:
    plain = digests(tmp_path / "plain", PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C")
    settings = tmp_path / "settings"
    settings.mkdir()
    (settings / "matplotlibrc").write_text(HOSTILE_SETTINGS)
    other = digests(
        tmp_path / "other ünïcode",
        PYTHONHASHSEED="4711",
        TZ="Pacific/Kiritimati",
        LC_ALL="C.UTF-8",
        MPLCONFIGDIR=str(settings),
        SOURCE_DATE_EPOCH="1",
    )
    assert other == plain
    assert plain.count("\n") == 16


def test_reading_the_command_line_does_not_load_the_figures() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import leverage.report.write, sys; print({'matplotlib', 'jinja2', 'pandas'} & set(sys.modules))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout == "set()\n"


@pytest.mark.parametrize("module", ["charts", "html", "markdown"])
def test_importing_a_renderer_does_not_load_matplotlib(module: str) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", f"import leverage.report.{module}, sys; print('matplotlib' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout == "False\n"
