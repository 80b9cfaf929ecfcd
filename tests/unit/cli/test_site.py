"""`leverage site`: what it copies, what it refuses, and that the folder can be given again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from leverage.report.write import write_report
from tests.unit.report.sample import sample_report, sample_tables

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Place

FILES = {"index.html", "trend.csv", "columns.json", "report-files.json"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    write_report(sample_report(), sample_tables(), out)
    return out


def lay(made: Path, place: Place, *names: str) -> None:
    for name in names:
        shutil.copytree(made, place.path / name)


def test_reports_from_elsewhere_are_copied_whole_and_linked(made: Path, place: Place) -> None:
    lay(made, place, "one", "two")
    ran = place.run("site", "one", "Zwei drei=two", "-o", "public")
    assert (ran.code, ran.out) == (0, "public/index.html\n"), ran.err
    out = place.path / "public"
    assert {path.name for path in out.iterdir()} == FILES | {"one", "zwei-drei"}
    for path in (place.path / "two").rglob("*"):
        if path.is_file():
            assert (out / "zwei-drei" / path.relative_to(place.path / "two")).read_bytes() == path.read_bytes()
    page = (out / "index.html").read_text()
    assert '<a href="one/index.html">one</a>' in page
    assert '<a href="zwei-drei/index.html">Zwei drei</a>' in page


def test_reports_inside_the_output_are_linked_where_they_are_and_it_can_be_done_again(made: Path, place: Place) -> None:
    lay(made, place, "public/b", "public/a")
    for _ in range(2):
        ran = place.run("site", "public/a", "public/b", "-o", "public")
        assert ran.code == 0, ran.err
        assert {path.name for path in (place.path / "public").iterdir()} == FILES | {"a", "b"}
    assert (place.path / "public/a/index.html").read_bytes() == (made / "index.html").read_bytes()


def test_two_reports_of_one_name_are_told_apart(made: Path, place: Place) -> None:
    lay(made, place, "x/out", "y/OUT", "y/out")
    ran = place.run("site", "x/out", "y/OUT", "y/out/report.json", "index.html=x/out", "-o", "public")
    assert ran.code == 0, ran.err
    folders = {path.name for path in (place.path / "public").iterdir() if path.is_dir()}
    assert folders == {"out", "out-2", "out-2-2", "index.html-2"}
    assert "out (2)" in (place.path / "public/index.html").read_text()


def test_data_alone_is_enough_and_has_no_link_to_a_page(made: Path, place: Place) -> None:
    (place.path / "kept").mkdir()
    shutil.copy(made / "report.json", place.path / "kept")
    ran = place.run("site", "kept", "-o", "public")
    assert ran.code == 0, ran.err
    assert [path.name for path in (place.path / "public/kept").iterdir() if path.name != "report-files.json"] == [
        "report.json"
    ]
    assert 'href="kept/index.html"' not in (place.path / "public/index.html").read_text()


def test_files_that_are_not_what_the_report_wrote_are_not_published(made: Path, place: Place) -> None:
    lay(made, place, "one", "two")
    (place.path / "one/tables/files.csv").write_text("changed")
    (place.path / "one/secret.txt").write_text("mine")
    (place.path / "one/report.md").unlink()
    (place.path / "one/report.md").symlink_to("/etc/passwd")
    (place.path / "two/report.json").write_text((made / "report.json").read_text() + " ")
    ran = place.run("site", "one", "two", "-o", "public")
    assert ran.code == 0
    assert "one: 2 files not copied" in ran.err
    assert "two: report.json was changed" in ran.err
    names = {str(path.relative_to(place.path / "public")) for path in (place.path / "public").rglob("*")}
    assert not names & {"one/tables/files.csv", "one/secret.txt", "one/report.md", "two/index.html"}
    assert {"one/index.html", "two/report.json"} <= names


def test_the_index_never_takes_the_place_of_a_report(made: Path, place: Place) -> None:
    lay(made, place, "one", "two")
    for out in ("one", "two"):
        ran = place.run("site", "one", "-o", out)
        assert ran.code == 2
        assert "[report-in-the-way]" in ran.err
        assert (place.path / out / "index.html").read_bytes() == (made / "index.html").read_bytes()


def test_what_is_no_report_is_told_all_at_once_and_nothing_is_written(made: Path, place: Place) -> None:
    lay(made, place, "one")
    (place.path / "empty").mkdir()
    (place.path / "broken").mkdir()
    (place.path / "broken/report.json").write_text("{")
    ran = place.run("site", "one", "empty", "broken", "gone", "-o", "public")
    assert ran.code == 2
    assert [word in ran.err for word in ("empty/report.json", "broken/report.json:1", "gone")] == [True] * 3
    assert not (place.path / "public").exists()


def test_a_link_in_the_output_is_not_followed(made: Path, place: Place) -> None:
    lay(made, place, "one")
    (place.path / "public").mkdir()
    (place.path / "elsewhere").mkdir()
    (place.path / "public/one").symlink_to(place.path / "elsewhere")
    ran = place.run("site", "one", "-o", "public")
    assert ran.code == 2
    assert "[cannot-write]" in ran.err
    assert list((place.path / "elsewhere").iterdir()) == []
