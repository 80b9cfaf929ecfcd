import os
from pathlib import Path

import pytest
from leverage.model.errors import ConfigurationError
from leverage.report import write
from leverage.report.view import Table
from leverage.report.write import render_report, write_files, write_report
from tests.unit.report.sample import sample_report, sample_tables


def test_a_report_is_a_set_of_files(tmp_path: Path) -> None:
    written = write_report(sample_report(), sample_tables(), tmp_path / "new" / "out")
    names = sorted(str(path.relative_to(tmp_path / "new" / "out")) for path in written)
    assert names == [
        "charts/moves-narrow.svg",
        "charts/moves.svg",
        "charts/ratio-narrow.svg",
        "charts/ratio.svg",
        "charts/required-narrow.svg",
        "charts/required.svg",
        "charts/stages-narrow.svg",
        "charts/stages.svg",
        "index.html",
        "report.json",
        "report.md",
        "tables/columns.json",
        "tables/files.csv",
        "tables/ratios.csv",
    ]
    found = [path for path in (tmp_path / "new" / "out").rglob("*") if path.is_file()]
    assert sorted(found) == sorted(written), "no temporary file is left"
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in written)


def test_writing_again_replaces_and_leaves_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "index.html").write_text("old")
    write_files({"index.html": b"new"}, tmp_path)
    assert (tmp_path / "index.html").read_bytes() == b"new"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_nothing_is_written_when_rendering_fails(tmp_path: Path) -> None:
    broken = Table("files", (("path", "a path"),), ((1, 2),))
    with pytest.raises(ValueError, match="under 1 columns"):
        write_report(sample_report(), [broken], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_tables_of_one_name_are_a_defect() -> None:
    with pytest.raises(ValueError, match="two tables"):
        render_report(sample_report(), [*sample_tables(), sample_tables()[0]])


def test_an_output_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ConfigurationError, match="cannot write the report") as caught:
        write_files({"index.html": b"x"}, tmp_path / "out")
    assert caught.value.problems[0].hint
    assert (tmp_path / "out").read_text() == "a file"


def test_a_full_disk_leaves_the_old_report_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files({"a": b"old a", "b": b"old b"}, tmp_path)
    opened = []

    def fdopen(handle: int, mode: str) -> object:
        opened.append(handle)
        if len(opened) == 2:
            os.close(handle)
            raise OSError(28, "No space left on device")
        return os.fdopen(handle, mode)

    monkeypatch.setattr(write, "os", type("os", (), {"fdopen": staticmethod(fdopen)}))
    with pytest.raises(ConfigurationError, match="No space left on device"):
        write_files({"a": b"new a", "b": b"new b"}, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert (tmp_path / "a").read_bytes() == b"old a"
