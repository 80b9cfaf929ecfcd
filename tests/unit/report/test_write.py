import hashlib
import json
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
        "badge.json",
        "badge.svg",
        "charts/moves-narrow.svg",
        "charts/moves.svg",
        "charts/ratio-narrow.svg",
        "charts/ratio.svg",
        "charts/required-narrow.svg",
        "charts/required.svg",
        "charts/stages-narrow.svg",
        "charts/stages.svg",
        "index.html",
        "report-files.json",
        "report.json",
        "report.md",
        "tables/columns.json",
        "tables/files.csv",
        "tables/ratios.csv",
    ]
    found = [path for path in (tmp_path / "new" / "out").rglob("*") if path.is_file()]
    assert sorted(found) == sorted(written), "no temporary file is left"


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_who_may_read_a_report_is_the_users_choice(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        written = write_files({"index.html": b"x", "tables/a.csv": b"y"}, tmp_path)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in written} == {mode}


def test_what_an_earlier_report_left_goes_and_what_others_put_there_stays(tmp_path: Path) -> None:
    write_files(
        {"index.html": b"1", "charts/ratio.svg": b"2", "charts/moves.svg": b"3", "tables/a.csv": b"4"}, tmp_path
    )
    (tmp_path / "charts/moves.svg").write_bytes(b"3, and a note of mine")
    (tmp_path / "charts/mine.svg").write_bytes(b"5")
    write_files({"index.html": b"1", "tables/a.csv": b"6"}, tmp_path)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["charts/mine.svg", "charts/moves.svg", "index.html", "report-files.json", "tables/a.csv"]
    write_files({"index.html": b"1"}, tmp_path)
    assert not (tmp_path / "tables/a.csv").exists()


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_a_manifest_of_somebody_else_leads_nowhere(tmp_path: Path) -> None:
    out, secret = tmp_path / "out", tmp_path / "secret"
    out.mkdir()
    secret.write_bytes(b"keep")
    (out / "link").symlink_to(secret)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/a.csv").write_bytes(b"keep")
    (out / "tables").symlink_to(tmp_path / "tables")
    names = ["../secret", str(secret), "link", "tables/a.csv", "tables/../../secret", "", "."]
    manifests: tuple[object, ...] = (
        {"format": 1, "files": {name: digest(b"keep") for name in names}},
        {"format": 1, "files": [1]},
        {"format": 2},
        [],
        {"format": 1, "files": {"link": 3}},
    )
    for stated in manifests:
        (out / "report-files.json").write_text(json.dumps(stated))
        write_files({"index.html": b"x"}, out)
        assert secret.read_bytes() == (tmp_path / "tables/a.csv").read_bytes() == b"keep"
        assert (out / "link").is_symlink()
    (out / "report-files.json").write_text("[" * 100_000)
    write_files({"index.html": b"x"}, out)


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"keep")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/index.html").symlink_to(tmp_path / "secret")
    write_files({"index.html": b"new"}, tmp_path / "out")
    assert (tmp_path / "secret").read_bytes() == b"keep"
    assert not (tmp_path / "out/index.html").is_symlink()


def test_a_folder_of_the_report_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/tables").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigurationError, match="tables is a link"):
        write_files({"index.html": b"x", "tables/a.csv": b"y"}, tmp_path / "out")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["tables"]


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
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "report-files.json"]
    assert (tmp_path / "a").read_bytes() == b"old a"
