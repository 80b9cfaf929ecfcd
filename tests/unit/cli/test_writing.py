"""Files that the user named: whole or not at all, and nothing that is no file is replaced by one."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from leverage.cli.writing import make_folder, write_all, write_whole
from leverage.model.errors import ConfigurationError


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"old")
    write_whole(tmp_path / "a", b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a", b"new")]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_whole(tmp_path / "pipe", b"text")
    reader.join(10)
    assert got == [b"text"]
    assert (tmp_path / "pipe").is_fifo()


def test_a_device_stays_a_device() -> None:
    write_whole(Path("/dev/null"), b"text")
    assert Path("/dev/null").is_char_device()


def test_of_several_files_all_are_written_or_none(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"old")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_all({tmp_path / "one": b"new", tmp_path / "gone" / "two": b"new"})
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("one", b"old")]


def test_a_folder_that_cannot_be_made_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        make_folder(tmp_path / "file" / "folder")
