"""Archives that climb, lie, grow or break, and archives that are in order."""

from __future__ import annotations

import io
import os
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from leverage.model.errors import SourceError
from leverage.sources import archive as module
from leverage.sources.archive import open_archive
from leverage.sources.base import Missing

if TYPE_CHECKING:
    from pathlib import Path


ZIPS = {".zip", ".whl"}


def wanted(_path: str) -> bool:
    return True


def write_zip(path: Path, members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, compression)
    return path


def write_tar(path: Path, members: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return path


def read(path: Path) -> dict[str, bytes | str]:
    with open_archive(path, wanted, strip_top=path.suffix not in ZIPS) as archive:
        found = {}
        for member in archive.members:
            data = archive.read(member)
            found[member.path] = data.reason if isinstance(data, Missing) else data
        return found


FILES = {"a.py": b"a = 1\n", "dir/b": b"", "dir/deep/c\xe9": b"\0\xff"}


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip(compression: int, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.whl", FILES, compression)
    with zipfile.ZipFile(path, "a") as file:
        file.mkdir("empty") if hasattr(file, "mkdir") else file.writestr("empty/", b"")
    assert read(path) == FILES


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz", "w"])
@pytest.mark.parametrize("start", ["name-1.0/", "./name-1.0/"])
def test_a_tar_without_its_top_directory(mode: str, start: str, tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", {f"{start}{name}": data for name, data in FILES.items()}, mode)
    assert read(path) == FILES


def test_a_zip_of_a_source_distribution_and_members_outside_the_top_directory(tmp_path: Path) -> None:
    members = {"n-1/a": b"1", "n-1/b/c": b"2", "other/a": b"3", "top": b"4"}
    for path in (write_zip(tmp_path / "x.zip", members), write_tar(tmp_path / "x.tar.gz", members)):
        with open_archive(path, wanted, strip_top=True) as archive:
            assert [member.path for member in archive.members] == ["a", "b/c", "other/a", "top"]
            assert [archive.read(member) for member in archive.members] == [b"1", b"2", b"3", b"4"]


def test_members_of_a_tar_can_be_read_in_any_order_and_again(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar.gz", {"n/a": b"1" * 5000, "n/b": b"2" * 700, "n/c": b"3"})
    with open_archive(path, wanted, strip_top=path.suffix not in ZIPS) as archive:
        a, b, c = archive.members
        assert [archive.read(each) for each in (c, a, b, a)] == [b"3", b"1" * 5000, b"2" * 700, b"1" * 5000]


def test_only_what_is_wanted_is_kept_of_a_tar(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar.gz", {"n/a": b"1", "n/b": b"2"})
    with open_archive(path, lambda path: path == "a", strip_top=path.suffix not in ZIPS) as archive:
        assert [(member.path, member.size) for member in archive.members] == [("a", 1), ("b", 1)]
        assert archive.read(archive.members[0]) == b"1"
        assert isinstance(archive.read(archive.members[1]), Missing)


UNSAFE = ["../up", "a/../../up", "/etc/passwd", "C:/x", "c:x", "a\\..\\b", "a//b", "a/./b", "..", "a/.."]


@pytest.mark.parametrize("name", UNSAFE)
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="archive-refused"):
        read(write_zip(tmp_path / "x.zip", {"a": b"1", name: b"2"}))
    with pytest.raises(SourceError, match="archive-refused"):
        read(write_tar(tmp_path / "x.tar", {"n/a": b"1", f"n/{name}": b"2"}, "w"))
    if name.startswith(("/", "..")):
        with pytest.raises(SourceError, match="archive-refused"):
            read(write_tar(tmp_path / "y.tar", {name: b"2"}, "w"))


def test_a_name_with_a_nul_is_not_cut_short(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"good.pyXevil": b"1"})
    path.write_bytes(path.read_bytes().replace(b"good.pyXevil", b"good.py\0evil"))
    with pytest.raises(SourceError, match="unsafe name"):
        read(path)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"aa": b"1", "bb": b"2"})
    path.write_bytes(path.read_bytes().replace(b"bb", b"aa"))
    with pytest.raises(SourceError, match="two members of one name"):
        read(path)
    one, two = write_tar(tmp_path / "1.tar", {"n/a": b"1"}, "w"), tmp_path / "2.tar"
    two.write_bytes(one.read_bytes()[:1024] + one.read_bytes())
    with pytest.raises(SourceError, match="two members of one name"):
        read(two)


def test_links_and_devices_are_listed_and_never_followed(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as file:
        for name, kind in (
            ("sym", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("fifo", tarfile.FIFOTYPE),
            ("dev", tarfile.CHRTYPE),
        ):
            info = tarfile.TarInfo(f"n/{name}")
            info.type = kind
            info.linkname = "/etc/passwd"
            file.addfile(info)
    with open_archive(path, wanted, strip_top=path.suffix not in ZIPS) as archive:
        assert [(member.path, str(member.kind), member.size) for member in archive.members] == [
            ("sym", "symlink", 0),
            ("hard", "symlink", 0),
            ("fifo", "file", -1),
            ("dev", "file", -1),
        ]
        assert all(isinstance(archive.read(member), Missing) for member in archive.members)
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        zipped.writestr(entry, "/etc/passwd")
    with open_archive(path, wanted, strip_top=path.suffix not in ZIPS) as archive:
        assert str(archive.members[0].kind) == "symlink"


def test_a_zip_bomb_is_not_inflated(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("bomb", "w", force_zip64=True) as member:
        for _ in range(65):
            member.write(b"\0" * (1 << 20))
    assert path.stat().st_size < 100_000
    assert read(path) == {"bomb": "too-large"}


def test_a_zip_that_would_unpack_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    path = write_zip(tmp_path / "x.zip", {f"{i}": b"\0" * 400 for i in range(3)})
    with pytest.raises(SourceError, match="would unpack to 1200 bytes"):
        read(path)
    with open_archive(
        path, lambda path: path == "0", strip_top=path.suffix not in ZIPS
    ) as archive:  # what nobody reads does no harm
        assert len(archive.members) == 3


def test_a_tar_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)
    path = write_tar(tmp_path / "x.tar.gz", {f"n/{i}": b"\0" * 40_000 for i in range(3)})
    with pytest.raises(SourceError, match="unpacks to more than 100000"):
        read(path)
    with (
        pytest.raises(SourceError, match="unpacks to more than 100000"),
        open_archive(path, lambda _path: False, strip_top=path.suffix not in ZIPS),
    ):
        pass


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_MEMBERS", 20)
    files = {f"n/{i}": b"" for i in range(30)}
    for path in (write_zip(tmp_path / "x.zip", files), write_tar(tmp_path / "x.tar.gz", files)):
        with pytest.raises(SourceError, match="more than 20 members"):
            read(path)


def test_a_tar_header_of_gigabytes_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("n/a")
    info.type = tarfile.XHDTYPE
    info.size = 3 * 1024**3
    path = tmp_path / "x.tar"
    path.write_bytes(info.tobuf(tarfile.USTAR_FORMAT))
    os.truncate(path, 4 * 1024**3)  # a hole: it takes no room
    with pytest.raises(SourceError, match="archive-refused"):
        read(path)


@pytest.mark.parametrize("declared", [3, 5000])
def test_a_zip_that_lies_about_a_size(declared: int, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a": b"x" * 1000, "b": b"fine"})
    data = path.read_bytes()
    assert data.count(struct.pack("<L", 1000)) == 2  # the local header and the central directory
    path.write_bytes(data.replace(struct.pack("<L", 1000), struct.pack("<L", declared)))
    assert read(path) == {"a": "unreadable", "b": b"fine"}


def test_a_zip_with_a_wrong_checksum_or_a_password(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a": b"content"})
    checksum = struct.pack("<L", zlib.crc32(b"content"))
    (tmp_path / "crc.zip").write_bytes(path.read_bytes().replace(checksum, b"\0\0\0\0"))
    assert read(tmp_path / "crc.zip") == {"a": "unreadable"}
    data = bytearray(path.read_bytes())
    data[6] |= 1  # "encrypted", in the local header and in the central directory
    data[data.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "password.zip").write_bytes(data)
    assert read(tmp_path / "password.zip") == {"a": "unreadable"}


@pytest.mark.parametrize("data", [b"", b"PK", b"\x1f\x8b", b"not an archive" * 100, b"BZh9", b"\xfd7zXZ\0"])
def test_what_is_no_archive(data: bytes, tmp_path: Path) -> None:
    for name in ("x.whl", "x.tar.gz"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError, match="archive-refused"):
            read(tmp_path / name)


ZIP = {f"d{i}/f{i}": bytes([i]) * 30 for i in range(4)}


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(["zip", "w", "w:gz"]),
    changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4),
    cut=st.floats(0.2, 1),
)
def test_any_damage_is_an_error_or_a_missing_file(
    kind: str, changes: list[tuple[float, int]], cut: float, tmp_path: Path
) -> None:
    path = tmp_path / ("x.zip" if kind == "zip" else "x.tar")
    write_zip(path, ZIP) if kind == "zip" else write_tar(path, {f"n/{name}": data for name, data in ZIP.items()}, kind)
    data = bytearray(path.read_bytes())
    for where, value in changes:
        data[int(where * (len(data) - 1))] = value
    path.write_bytes(data[: int(cut * len(data))])
    try:
        found = read(path)
    except SourceError:
        return
    assert all(value == "unreadable" or isinstance(value, bytes) for value in found.values() if value != "too-large")
