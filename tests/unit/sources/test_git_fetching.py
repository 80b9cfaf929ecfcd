"""Fetching over loopback: depth 1 by commit, servers that refuse, hang, ask or lie, and interruptions."""

import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from leverage.model.errors import SourceError
from leverage.sources.git import open_git
from leverage.spec.types import GitSource
from tests.unit.sources.tools import Repository, World, contents, git_backend


@pytest.fixture
def origin(world: World) -> Repository:
    """Three commits; the wanted one is the second, which no branch points to."""
    origin = world.repository("served/origin")
    origin.commit({"old": b"0"})
    origin.wanted = origin.commit({"a": b"1", "dir/b": b"2"})
    origin.commit({"a": b"3"})
    return origin


FILES = {"a": b"1", "dir/b": b"2", "old": b"0"}


def stored(world: World) -> list[Path]:
    return sorted(path for path in (world.path / "store" / "git").glob("*/*.git"))


def leftovers(world: World) -> list[Path]:
    return list((world.path / "store" / "git" / "incoming").iterdir())


def test_one_commit_at_depth_one(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))
    url = f"{server.url}/origin"
    said: list[str] = []
    source = open_git(GitSource(git=url, commit=origin.wanted), world.access(offline=False, progress=said.append))
    assert contents(source) == FILES
    assert (source.snapshot.location, source.snapshot.answered_by, source.snapshot.note) == (url, url, "")
    assert any("fetching" in line for line in said)
    [repository] = stored(world)
    count = ["git", "-C", str(repository), "rev-list", "--count", "--all"]
    assert subprocess.run(count, capture_output=True, text=True, check=True).stdout.strip() == "1"
    assert leftovers(world) == []
    assert not (repository / "hooks").exists()

    server.stop()
    again = open_git(GitSource(git=url, commit=origin.wanted), world.access())
    assert again.snapshot == source.snapshot  # offline, from the store, and the same in every respect


def test_over_gits_own_protocol(origin: Repository, world: World) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    daemon = subprocess.Popen(
        ["git", "daemon", "--export-all", "--listen=127.0.0.1", f"--port={port}", "--base-path=."],
        cwd=world.path / "served",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        source = open_git(
            GitSource(git=f"git://127.0.0.1:{port}/origin", commit=origin.wanted), world.access(offline=False)
        )
        assert contents(source) == FILES
    finally:
        os.killpg(daemon.pid, signal.SIGKILL)
        daemon.wait()


@pytest.mark.parametrize("allowed", ["allowAnySHA1InWant", "allowReachableSHA1InWant"])
def test_an_old_server_that_gives_out_single_commits(allowed: str, origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served", protocol=False, config={f"uploadpack.{allowed}": "true"}))
    source = open_git(GitSource(git=f"{server.url}/origin", commit=origin.wanted), world.access(offline=False))
    assert contents(source) == FILES
    assert source.snapshot.note == ""


def test_an_old_server_that_does_not(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served", protocol=False))
    said: list[str] = []
    source = open_git(
        GitSource(git=f"{server.url}/origin", commit=origin.wanted), world.access(offline=False, progress=said.append)
    )
    assert contents(source) == FILES
    assert "all branches" in source.snapshot.note
    assert any("all branches" in line for line in said)
    with pytest.raises(SourceError, match="does not have the commit on any branch or tag"):
        open_git(GitSource(git=f"{server.url}/origin", commit="b" * 40), world.access(offline=False))
    assert leftovers(world) == []


def test_a_commit_that_the_server_does_not_have(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))
    with pytest.raises(SourceError, match="commit-not-found") as caught:
        open_git(GitSource(git=f"{server.url}/origin", commit="b" * 40), world.access(offline=False))
    assert f"{server.url}/origin: it does not have the commit" in str(caught.value)
    assert stored(world) == []
    assert leftovers(world) == []


def test_a_repository_that_is_not_there(world: World) -> None:
    server = world.serve(git_backend(world.path))
    with pytest.raises(SourceError, match="there is no repository"):
        open_git(GitSource(git=f"{server.url}/nowhere", commit="b" * 40), world.access(offline=False))


def test_places_are_asked_in_order_and_the_first_that_has_it_answers(origin: Repository, world: World) -> None:
    world.repository("served/upstream").commit({"x": b"1"})
    server = world.serve(git_backend(world.path / "served"))
    source = GitSource(
        git=f"{server.url}/upstream", commit=origin.wanted, also=(f"{server.url}/gone", f"{server.url}/origin")
    )
    opened = open_git(source, world.access(offline=False))
    assert opened.snapshot.location == f"{server.url}/upstream"
    assert opened.snapshot.answered_by == f"{server.url}/origin"
    assert open_git(source, world.access()).snapshot == opened.snapshot


def test_a_mirror_spares_the_connection(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))
    url = f"{server.url}/origin"
    source = open_git(
        GitSource(git="https://example.invalid/x", commit=origin.wanted, also=(url,)),
        world.access(offline=False, mirrors={url: str(origin.path)}),
    )
    assert source.snapshot.answered_by == f"local mirror of {url}"
    assert server.requests == []


def test_the_id_of_a_tag_object(origin: Repository, world: World) -> None:
    origin.git("tag", "-a", "-m", "t", "v1", origin.wanted)
    server = world.serve(git_backend(world.path / "served"))
    with pytest.raises(SourceError, match="is the id of a tag") as caught:
        open_git(
            GitSource(git=f"{server.url}/origin", commit=origin.git("rev-parse", "v1")), world.access(offline=False)
        )
    assert origin.wanted in str(caught.value)
    assert stored(world) == []


def test_a_server_that_never_answers(world: World) -> None:
    release = threading.Event()

    def hang(_handler: BaseHTTPRequestHandler) -> None:
        release.wait(30)

    server = world.serve(hang)
    started = time.monotonic()
    try:
        with pytest.raises(SourceError, match="source-unreachable"):
            open_git(GitSource(git=f"{server.url}/x", commit="b" * 40), world.access(offline=False, timeout=1.5))
    finally:
        release.set()
    assert time.monotonic() - started < 10


def test_a_port_where_nobody_listens(world: World) -> None:
    with pytest.raises(SourceError, match="it cannot be reached") as caught:
        open_git(GitSource(git="http://127.0.0.1:9/x", commit="b" * 40), world.access(offline=False))
    assert "source-unreachable" in str(caught.value)


def refuse(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(401)
    handler.send_header("WWW-Authenticate", 'Basic realm="who are you"')
    handler.end_headers()


def test_nobody_is_asked_for_a_password(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = world.path / "asked"
    helper = world.path / "askpass"
    helper.write_text(f"#!/bin/sh\ntouch {asked}\nsleep 30\n")
    helper.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(helper))
    server = world.serve(refuse)
    with pytest.raises(SourceError, match="it asks for credentials"):
        open_git(GitSource(git=f"{server.url}/x", commit="b" * 40), world.access(offline=False))
    assert not asked.exists()


def test_no_keyboard_is_waited_for_even_on_a_terminal(world: World) -> None:
    """With a real terminal as the controlling one, whatever opens /dev/tty must fail rather than wait."""
    server = world.serve(refuse)
    script = world.path / "ask.py"
    script.write_text(
        "import os, sys\n"
        "from pathlib import Path\n"
        "from leverage.sources.base import Access\n"
        "from leverage.sources.git import open_git\n"
        "from leverage.spec.types import GitSource\n"
        "os.close(os.open(os.ttyname(0), os.O_RDWR))  # a session leader's first terminal becomes the controlling one\n"
        "open('/dev/tty').close()\n"
        f"access = Access(base=Path({str(world.path)!r}), store=Path({str(world.path / 'store')!r}), mirrors={{}},\n"
        "    offline=False, wanted=bool, timeout=20.0)\n"
        "for url in sys.argv[1:]:\n"
        "    try:\n"
        "        open_git(GitSource(git=url, commit='b' * 40), access)\n"
        "    except Exception as error:\n"
        "        print('said:', error)\n"
    )
    ssh = world.path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text("#!/bin/sh\n(: < /dev/tty) 2>/dev/null && touch keyboard\nexit 255\n")
    ssh.chmod(0o755)
    here, there = pty.openpty()
    started = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, str(script), f"{server.url}/x", "ssh://host.invalid/x"],
        stdin=there,
        stdout=subprocess.PIPE,
        stderr=there,
        env={**os.environ, "PATH": f"{ssh.parent}:{os.environ['PATH']}"},
        start_new_session=True,
    )
    output, _ = child.communicate(timeout=60)
    os.close(there)
    os.close(here)
    assert output.count(b"said:") == 2, output
    assert b"asks for credentials" in output
    assert not list(world.path.rglob("keyboard"))
    assert time.monotonic() - started < 15


def test_credentials_reach_the_server_and_nothing_else(origin: Repository, world: World) -> None:
    inner = git_backend(world.path / "served")

    def guarded(handler: BaseHTTPRequestHandler) -> None:
        # "Basic" of ann:s3cr/et+word
        if handler.headers.get("Authorization") == "Basic YW5uOnMzY3IvZXQrd29yZA==":
            inner(handler)
        else:
            refuse(handler)

    server = world.serve(guarded)
    url = f"{server.url.replace('://', '://ann:s3cr%2Fet+word@')}/origin"
    said: list[str] = []
    source = open_git(GitSource(git=url, commit=origin.wanted), world.access(offline=False, progress=said.append))
    assert source.snapshot.location == source.snapshot.answered_by == f"{server.url}/origin"
    with pytest.raises(SourceError) as caught:
        open_git(
            GitSource(git=url.replace("word", "other"), commit="b" * 40),
            world.access(offline=False, progress=said.append),
        )
    kept = b"".join(path.read_bytes() for path in (world.path / "store").rglob("*") if path.is_file())
    names = " ".join(str(path) for path in (world.path / "store").rglob("*"))
    for text in (repr(source.snapshot), " ".join(said), str(caught.value), names):
        assert not re.search(r"s3cr|ann:", text)
    assert b"s3cr" not in kept
    # A new password for the same place finds what the old one has fetched.
    assert (
        open_git(GitSource(git=url.replace("word", "new"), commit=origin.wanted), world.access()).snapshot
        == source.snapshot
    )


def test_the_users_own_insteadof_is_honoured_and_a_hook_of_the_user_is_not_run(
    origin: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = world.serve(git_backend(world.path / "served"))
    marker = world.path / "ran"
    hooks = world.path / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {marker}\n")
        (hooks / name).chmod(0o755)
    (world.path / "home" / ".gitconfig").write_text(
        f'[url "{server.url}/"]\n\tinsteadOf = https://inside.invalid/\n[core]\n\thooksPath = {hooks}\n'
        f"\tfsmonitor = {hooks}/post-checkout\n[init]\n\ttemplateDir = {hooks}\n[fetch]\n\trecurseSubmodules = true\n"
        "[transfer]\n\tbundleURI = true\n"
    )
    source = open_git(GitSource(git="https://inside.invalid/origin", commit=origin.wanted), world.access(offline=False))
    assert contents(source) == FILES
    assert source.snapshot.answered_by == "https://inside.invalid/origin"
    assert not marker.exists()


def test_submodules_are_not_fetched(origin: Repository, world: World) -> None:
    commit = origin.commit(
        {".gitmodules": b'[submodule "m"]\n\tpath = m\n\turl = ext::touch ran\n\tfetchRecurseSubmodules = true\n'}
    )
    origin.git("update-index", "--add", "--cacheinfo", f"160000,{commit},m")
    origin.git("commit", "-q", "-m", "m")
    server = world.serve(git_backend(world.path / "served"))
    head = origin.git("rev-parse", "HEAD")
    source = open_git(GitSource(git=f"{server.url}/origin", commit=head), world.access(offline=False))
    assert [str(file.kind) for file in source.snapshot.files if file.path == "m"] == ["submodule"]
    assert not list(world.path.rglob("ran"))


@pytest.mark.parametrize("damage", ["pack", "tree", "blob", "all"])
def test_a_damaged_stored_copy_is_noticed_and_fetched_again(damage: str, origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))
    source = GitSource(git=f"{server.url}/origin", commit=origin.wanted)
    open_git(source, world.access(offline=False))
    [repository] = stored(world)
    [pack] = repository.glob("objects/pack/*.pack")
    pack.chmod(0o644)
    if damage == "pack":
        pack.write_bytes(pack.read_bytes()[:40])
    elif damage == "all":
        shutil.rmtree(repository / "objects")
    else:
        data = pack.read_bytes()
        shutil.rmtree(pack.parent)
        subprocess.run(["git", "-C", str(repository), "unpack-objects", "-q"], input=data, check=True)
        name = origin.git("rev-parse", f"{origin.wanted}:{'dir' if damage == 'tree' else 'dir/b'}")
        (repository / "objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(SourceError, match="offline"):
        open_git(source, world.access())
    assert stored(world) == []
    assert contents(open_git(source, world.access(offline=False))) == FILES
    assert leftovers(world) == []


def test_many_at_once_share_one_store(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))
    source = GitSource(git=f"{server.url}/origin", commit=origin.wanted)
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: open_git(source, world.access(offline=False)), range(6)))
    assert [contents(each) for each in opened] == [FILES] * 6
    assert len(stored(world)) == 1
    assert leftovers(world) == []


def test_a_killed_fetch_leaves_nothing_that_looks_complete(origin: Repository, world: World) -> None:
    inner = git_backend(world.path / "served")
    slow = threading.Event()
    reached = threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if handler.command == "POST":
            reached.set()
            slow.wait(30)
        inner(handler)

    server = world.serve(answer)
    script = (
        "from pathlib import Path\n"
        "from leverage.sources.base import Access\n"
        "from leverage.sources.git import open_git\n"
        "from leverage.spec.types import GitSource\n"
        f"open_git(GitSource(git={server.url + '/origin'!r}, commit={origin.wanted!r}), Access(base=Path('.'),\n"
        f"    store=Path({str(world.path / 'store')!r}), mirrors={{}}, offline=False, wanted=bool))\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script])
    assert reached.wait(30)
    child.send_signal(signal.SIGKILL)
    child.wait()
    slow.set()
    assert stored(world) == []
    assert leftovers(world) != []
    source = open_git(GitSource(git=f"{server.url}/origin", commit=origin.wanted), world.access(offline=False))
    assert contents(source) == FILES

    old = time.time() - 2 * 24 * 3600
    for path in leftovers(world):
        os.utime(path, (old, old))
    with pytest.raises(SourceError):
        open_git(GitSource(git=f"{server.url}/origin", commit="b" * 40), world.access(offline=False))
    assert leftovers(world) == []


def test_an_interruption_by_the_user_cleans_up(origin: Repository, world: World) -> None:
    server = world.serve(git_backend(world.path / "served"))

    def interrupt(text: str) -> None:
        if "fetching" not in text:
            return
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_git(
            GitSource(git=f"{server.url}/origin", commit=origin.wanted), world.access(offline=False, progress=interrupt)
        )
    assert stored(world) == []


def test_a_store_that_cannot_be_written(origin: Repository, world: World) -> None:
    (world.path / "store").write_text("a file")
    server = world.serve(git_backend(world.path / "served"))
    with pytest.raises(SourceError, match="source-io"):
        world.open(GitSource(git=f"{server.url}/origin", commit=origin.wanted), offline=False)
