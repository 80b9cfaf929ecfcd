"""Package-index artifacts: from a mirror, the store, directories and servers; chosen, checked, never installed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from leverage.model.errors import SourceError
from leverage.model.provenance import Pin
from leverage.sources.base import Missing
from leverage.sources.blobid import blob_id, content_id
from leverage.sources.index import is_artifact_of
from leverage.sources.pipconfig import PipConfiguration
from leverage.spec.types import PypiSource
from tests.unit.sources.tools import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

    from tests.unit.sources.tools import Answer, World

SOURCE = PypiSource(pypi="Some_Name", version="1.0")
FILES = {"pkg/a.py": b"a = 1\n", "pkg/b.py": b"b = 2\n"}
PIN_TREE = content_id((path, blob_id(data)) for path, data in FILES.items())


def python(path: str) -> bool:
    return path.endswith(".py")


def wheel(folder: Path, tag: str = "py3-none-any", files: dict[str, bytes] = FILES, padding: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"some_name-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name), data)
        file.writestr(zipfile.ZipInfo(f"lib-{tag}.so"), os.urandom(padding))
    return path


def sdist(folder: Path, files: dict[str, bytes] = FILES, setup: bytes = b"") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "some_name-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for name, data in {**files, "setup.py": setup}.items():
            info = tarfile.TarInfo(f"some_name-1.0/{name}")
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return path


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Stand in for pip, which takes a second to say what it is configured to do; a few tests ask the real one."""

    def say(*indexes: str, find_links: tuple[str, ...] = ()) -> None:
        configuration = PipConfiguration(indexes=indexes, find_links=find_links)
        monkeypatch.setattr("leverage.sources.index.pip_configuration", lambda _timeout: configuration)

    return say


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_mirror_is_read_in_place(world: World) -> None:
    path = wheel(world.path / "files", padding=10)
    source = world.open(SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=python)
    assert source.snapshot.pin == Pin("pypi", f"sha256:{sha256(path)}", PIN_TREE, "", path.name)
    assert source.snapshot.location == "some-name==1.0"
    assert source.snapshot.answered_by == "local mirror of some-name==1.0"
    assert [(file.path, file.blob, file.size) for file in source.snapshot.files] == [
        ("lib-py3-none-any.so", "", 10),
        ("pkg/a.py", blob_id(b"a = 1\n"), 6),
        ("pkg/b.py", blob_id(b"b = 2\n"), 6),
    ]
    assert contents(source) == {"lib-py3-none-any.so": "not-fetched", **FILES}
    assert not (world.path / "store").exists()


def test_the_tree_is_the_same_whatever_artifact_answered(world: World) -> None:
    paths = [
        wheel(world.path / "files", tag, padding=size) for tag, size in (("cp311-cp311-a", 5), ("cp310-cp310-b", 9))
    ]
    paths.append(sdist(world.path / "files"))
    pins = [
        world.open(
            SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=lambda path: path.startswith("pkg/")
        ).snapshot.pin
        for path in paths
    ]
    assert {pin.tree for pin in pins} == {PIN_TREE}
    assert len({pin.id for pin in pins}) == 3


def test_a_mirror_that_is_something_else(world: World, pip: Callable[..., None]) -> None:
    pip()
    other = wheel(world.path / "files").rename(world.path / "files/other-1.0-py3-none-any.whl")
    for path in (other, world.path / "nowhere.whl", world.path):
        with pytest.raises(SourceError, match="local mirror of some-name==1"):
            world.open(SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=python)


@pytest.mark.parametrize(
    ("filename", "is_one"),
    [
        ("some_name-1.0-py3-none-any.whl", True),
        ("Some.Name-1.0-1-cp311-cp311-manylinux_2_28_x86_64.manylinux2014_x86_64.whl", True),
        ("some-name-1.0.tar.gz", True),
        ("some_name-1.0.zip", True),
        ("some_name-1.0.1-py3-none-any.whl", False),
        ("some_name-1.0.post1.tar.gz", False),
        ("some_name_x-1.0.tar.gz", False),
        ("some_name-1.0-py3-none-any.whl.metadata", False),
        ("some_name-1.0-py3-none-any.exe", False),
        ("some_name-1.0-../../x-none-any.whl", False),
        ("some_name-1.0-py3\n-none-any.whl", False),
    ],
)
def test_which_files_are_artifacts_of_a_version(filename: str, is_one: bool) -> None:  # noqa: FBT001
    assert is_artifact_of(filename, "some-name", "1.0") is is_one


def test_the_smallest_that_carries_the_wanted_files_is_taken(world: World, pip: Callable[..., None]) -> None:
    folder = world.path / "files"
    wheel(folder, "cp311-cp311-big", padding=5000)
    middle = wheel(folder, "cp310-cp310-win_amd64", padding=2000)
    wheel(folder, "cp39-cp39-empty", files={"pkg/data.txt": b""})
    pip(find_links=(str(world.path / "nowhere"), str(folder)))
    source = world.open(SOURCE, wanted=python)
    assert source.snapshot.pin.artifact == middle.name
    assert source.snapshot.answered_by == str(folder)
    smaller = sdist(folder)
    assert world.open(SOURCE, wanted=lambda path: path == "pkg/a.py").snapshot.pin.artifact == smaller.name


def test_nothing_of_a_source_distribution_runs(world: World, pip: Callable[..., None]) -> None:
    marker = world.path / "ran"
    sdist(world.path / "files", setup=f"open({str(marker)!r}, 'w')\n".encode())
    pip(find_links=(str(world.path / "files"),))
    assert contents(world.open(SOURCE, wanted=python))["pkg/a.py"] == b"a = 1\n"
    assert not marker.exists()


def test_a_file_called_pip_in_the_current_directory_is_not_run(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = world.path / "ran"
    (world.path / "pip.py").write_text(f"open({str(marker)!r}, 'w')\n")
    monkeypatch.chdir(world.path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(SourceError, match="artifact-not-found"):
        world.open(SOURCE, wanted=python)
    assert not marker.exists()


def index(folder: Path, *, form: str = "json", lie: dict[str, Any] | None = None, to: str = "/files/") -> Answer:
    """A simple index of the artifacts in a folder; ``lie`` replaces what it says of each."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if handler.path.startswith("/files/"):
            data, kind = (folder / Path(handler.path).name).read_bytes(), "application/octet-stream"
        elif handler.path == "/simple/some-name/" and form == "json":
            files = [
                {
                    "filename": path.name,
                    "url": f"{to}{path.name}",
                    "hashes": {"sha256": sha256(path)},
                    "size": path.stat().st_size,
                    "upload-time": "2026-03-23T18:12:06.123456Z",
                    **(lie or {}),
                }
                for path in sorted(folder.iterdir())
            ]
            data, kind = json.dumps({"files": files}).encode(), "application/vnd.pypi.simple.v1+json"
        elif handler.path == "/simple/some-name/":
            links = [f'<a href="../..{to}{path.name}#sha256={sha256(path)}">x</a>' for path in sorted(folder.iterdir())]
            data, kind = "\n".join(links).encode(), "text/html"
        else:
            handler.send_error(404)
            return
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(data)

    return answer


@pytest.mark.parametrize("form", ["json", "html"])
def test_a_server(form: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small = wheel(world.path / "files", "cp310-cp310-macosx_11_0_arm64", padding=100)
    wheel(world.path / "files", "cp310-cp310-manylinux_2_28_x86_64", padding=5000)
    server = world.serve(index(world.path / "files", form=form))
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
    constraint = world.path / "constraints.txt"
    constraint.write_text("some-name<0.5\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(constraint))
    said: list[str] = []
    source = world.open(SOURCE, offline=False, wanted=python, progress=said.append)
    date = "2026-03-23T18:12:06Z" if form == "json" else ""
    assert source.snapshot.pin == Pin("pypi", f"sha256:{sha256(small)}", PIN_TREE, date, small.name)
    assert source.snapshot.answered_by == f"{server.url}/simple/"
    assert contents(source) == {"lib-cp310-cp310-macosx_11_0_arm64.so": "not-fetched", **FILES}
    assert (world.path / "store/pypi" / sha256(small) / small.name).read_bytes() == small.read_bytes()
    assert sum(path.endswith(".whl") for method, path, _ in server.requests if method == "GET") == 1
    assert any(small.name in line for line in said)

    server.stop()
    assert world.open(SOURCE, wanted=python).snapshot == source.snapshot  # from the store


def test_a_damaged_stored_artifact_is_removed_and_fetched_again(world: World, pip: Callable[..., None]) -> None:
    path = wheel(world.path / "files")
    server = world.serve(index(world.path / "files"))
    pip(f"{server.url}/simple")
    world.open(SOURCE, offline=False, wanted=python)
    stored = world.path / "store/pypi" / sha256(path) / path.name
    stored.write_bytes(stored.read_bytes()[:-1])
    with pytest.raises(SourceError, match="was damaged"):
        world.open(SOURCE, wanted=python)
    assert contents(world.open(SOURCE, offline=False, wanted=python))["pkg/a.py"] == b"a = 1\n"
    assert stored.read_bytes() == path.read_bytes()
    assert list((world.path / "store/pypi/incoming").iterdir()) == []


@pytest.mark.parametrize(
    ("lie", "answer"),
    [
        ({"hashes": {"sha256": "0" * 64}}, "what arrived has SHA-256"),
        ({"hashes": {}}, "gives no SHA-256"),
        ({"size": 10}, "sends more than the 10 bytes"),
        ({"size": 5 * 1024**4}, "more than the"),
        ({"url": "file:///etc/passwd"}, "no artifact of some-name 1.0"),
        ({"url": "ftp://127.0.0.1/x"}, "no artifact of some-name 1.0"),
        ({"filename": "../some_name-1.0-py3-none-any.whl"}, "no artifact of some-name 1.0"),
        ({"hashes": None}, "not an index page"),
        ({"url": None}, "not an index page"),
        ({"filename": None}, "not an index page"),
        ({"url": "http://127.0.0.1:9/some_name-1.0-py3-none-any.whl"}, "it cannot be reached"),
        ({"url": "/gone"}, "the server answers 404"),
    ],
)
def test_an_index_that_lies(lie: dict[str, Any], answer: str, world: World, pip: Callable[..., None]) -> None:
    wheel(world.path / "files")
    server = world.serve(index(world.path / "files", lie=lie))
    pip(f"{server.url}/simple")
    with pytest.raises(SourceError, match="artifact-not-found") as caught:
        world.open(SOURCE, offline=False, wanted=python)
    assert answer in str(caught.value)
    assert not list((world.path / "store").rglob("*.whl"))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://127.0.0.1:9/x"])
def test_a_redirect_leads_only_to_the_web(target: str, world: World, pip: Callable[..., None]) -> None:
    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    server = world.serve(redirect)
    pip(f"{server.url}/simple")
    with pytest.raises(SourceError, match="artifact-not-found"):
        world.open(SOURCE, offline=False, wanted=python)


def test_credentials_go_to_their_own_host_only_and_into_no_text(world: World, pip: Callable[..., None]) -> None:
    wheel(world.path / "files")
    files = world.serve(index(world.path / "files"))
    elsewhere = files.url.replace("127.0.0.1", "localhost")
    server = world.serve(index(world.path / "files", to=f"{elsewhere}/files/"))
    pip(f"{server.url.replace('://', '://ann:s3cret%21@')}/simple")
    said: list[str] = []
    source = world.open(SOURCE, offline=False, wanted=python, progress=said.append)
    # "Basic" of ann:s3cret!
    assert {login for _, _, login in server.requests} == {"Basic YW5uOnMzY3JldCE="}
    assert {login for _, _, login in files.requests} == {""}
    with pytest.raises(SourceError) as caught:
        world.open(PypiSource(pypi="other", version="1"), offline=False, progress=said.append)
    stored = "".join(path.read_text("latin-1") for path in (world.path / "store").rglob("*.json"))
    for text in (repr(source.snapshot), "".join(said), str(caught.value), stored):
        assert "s3cret" not in text
        assert "ann" not in text


def test_a_netrc_file(world: World, pip: Callable[..., None]) -> None:
    wheel(world.path / "files")
    server = world.serve(index(world.path / "files"))
    netrc = world.path / "home/.netrc"
    netrc.write_text("machine 127.0.0.1 login ann password s3cret!\n")
    netrc.chmod(0o600)
    pip(f"{server.url}/simple")
    world.open(SOURCE, offline=False, wanted=python)
    assert {login for _, _, login in server.requests} == {"Basic YW5uOnMzY3JldCE="}


def test_pips_own_configuration_file_and_several_indexes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    big = wheel(world.path / "one", "cp311-cp311-any", padding=900)
    small = wheel(world.path / "two/files", "cp310-cp310-any")
    page = world.path / "two/simple/some-name/index.html"
    page.parent.mkdir(parents=True)
    page.write_text(
        f'<a href="../../files/{small.name}#sha256={sha256(small)}">x</a><a href="http://127.0.0.1:9/{small.name}">'
    )
    server = world.serve(index(world.path / "one"))
    config = world.path / "pip.conf"
    config.write_text(
        f"[global]\nindex-url = {server.url}/simple\nextra-index-url =\n    file://{world.path}/two/simple\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    assert world.open(SOURCE, offline=False, wanted=python).snapshot.pin.artifact == small.name
    assert not (world.path / "store").exists()  # it was read in place
    small.unlink()
    assert world.open(SOURCE, offline=False, wanted=python).snapshot.pin.artifact == big.name


def test_a_file_of_an_index_that_is_not_what_its_page_says(world: World, pip: Callable[..., None]) -> None:
    path = wheel(world.path / "files")
    page = world.path / "simple/some-name/index.html"
    page.parent.mkdir(parents=True)
    page.write_text(f'<a href="../../files/{path.name}#sha256={"0" * 64}">x</a>')
    pip(f"file://{world.path}/simple")
    with pytest.raises(SourceError, match="its SHA-256 is not the one"):
        world.open(SOURCE, wanted=python)


def test_offline_no_server_is_asked(world: World, pip: Callable[..., None]) -> None:
    server = world.serve(index(world.path))
    pip(f"{server.url}/simple")
    with pytest.raises(SourceError, match="offline"):
        world.open(SOURCE, wanted=python)
    assert server.requests == []


def test_what_the_lock_says(world: World, pip: Callable[..., None]) -> None:
    one = wheel(world.path / "files", "cp310-cp310-any")
    two = wheel(world.path / "files", "cp311-cp311-any", padding=500)
    other = wheel(world.path / "other", files={"pkg/a.py": b"changed"})
    pip(find_links=(str(world.path / "files"),))
    locked = Pin("pypi", f"sha256:{sha256(two)}", PIN_TREE, "", two.name)
    mirror = {"pypi:some-name==1.0": str(one)}
    # Another artifact with the same files will do; without these it will not.
    assert world.open(SOURCE, wanted=python, expect=locked, mirrors=mirror).snapshot.pin.artifact == one.name
    with pytest.raises(SourceError, match="lock-mismatch"):
        world.open(SOURCE, wanted=python, expect=locked, mirrors={"pypi:some-name==1.0": str(other)})
    # The same artifact will do though the scope has changed.
    narrow = world.open(
        SOURCE, wanted=lambda path: path == "pkg/a.py", expect=locked, mirrors={"pypi:some-name==1.0": str(two)}
    )
    assert narrow.snapshot.pin.tree != PIN_TREE


def test_the_locked_artifact_is_preferred_to_a_smaller_one(world: World, pip: Callable[..., None]) -> None:
    wheel(world.path / "files", "cp310-cp310-any")
    locked = wheel(world.path / "files", "cp311-cp311-any", padding=500)
    server = world.serve(index(world.path / "files"))
    pip(f"{server.url}/simple")
    pin = Pin("pypi", f"sha256:{sha256(locked)}", PIN_TREE, "", locked.name)
    assert world.open(SOURCE, offline=False, wanted=python, expect=pin).snapshot.pin.artifact == locked.name


def test_an_artifact_with_none_of_the_wanted_files(world: World, pip: Callable[..., None]) -> None:
    pip()
    path = wheel(world.path / "files")
    with pytest.raises(SourceError, match="carries none of the wanted files"):
        world.open(SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=lambda path: path.endswith(".cpp"))


def test_a_hostile_wheel_is_refused(world: World) -> None:
    path = wheel(world.path / "files", files={**FILES, "../../evil.py": b"x"})
    with pytest.raises(SourceError, match="archive-refused"):
        world.open(SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=python)


def test_a_damaged_member_is_a_missing_file(world: World) -> None:
    path = wheel(world.path / "files")
    path.write_bytes(path.read_bytes().replace(b"a = 1\n", b"a = 2\n"))
    source = world.open(SOURCE, mirrors={"pypi:some-name==1.0": str(path)}, wanted=python)
    with source:
        found = {file.path: data for file, data in source.read(source.snapshot.files)}
    assert isinstance(found["pkg/a.py"], Missing)
    assert found["pkg/b.py"] == b"b = 2\n"


def test_without_pip_the_message_says_what_to_do(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SourceError, match="pip-not-found"):
        world.open(SOURCE, wanted=python)
