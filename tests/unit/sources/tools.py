"""Repositories, servers and access for the tests of sources; everything lies in the test's own directory."""

from __future__ import annotations

import hashlib
import os
import subprocess
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from leverage.sources.base import Access, Missing, OpenSource
from leverage.sources.opening import open_source

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.spec.types import Source

IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-03-01T23:30:00-0500",
    "GIT_COMMITTER_DATE": "2026-03-01T23:30:00-0500",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
COMMITTED = "2026-03-02T04:30:00Z"  # the date above in UTC


class Repository:
    """A repository under construction."""

    def __init__(self, path: Path, *options: str) -> None:
        self.path = path
        self.wanted = ""
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str, data: bytes | None = None) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            env={**os.environ, **IDENTITY},
            input=data,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def write(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_bytes(data)

    def commit(self, files: dict[str, bytes]) -> str:
        """Write files and commit everything; the commit's id."""
        self.write(files)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        return self.git("rev-parse", "HEAD")

    @property
    def git_directory(self) -> Path:
        inner = self.path / ".git"
        return inner if inner.exists() else self.path

    def put(self, kind: str, data: bytes, *, size: int | None = None) -> str:
        """Write a loose object by hand, whatever git would say of it; ``size`` is what its header declares."""
        whole = b"%s %d\0" % (kind.encode(), len(data) if size is None else size) + data
        name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        path = self.git_directory / "objects" / name[:2] / name[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(whole))
        return name

    def put_tree(self, entries: list[tuple[str, bytes, str]]) -> str:
        """A tree of (mode, name, id), in the order given."""
        return self.put("tree", b"".join(b"%s %s\0" % (m.encode(), n) + bytes.fromhex(i) for m, n, i in entries))

    def put_commit(self, tree: str, *, date: str = "1767225600 +0100") -> str:
        return self.put("commit", f"tree {tree}\nauthor A <a@b> {date}\ncommitter A <a@b> {date}\n\nm\n".encode())

    def loose(self, name: str) -> Path:
        return self.git_directory / "objects" / name[:2] / name[2:]


def contents(source: OpenSource) -> dict[str, bytes | str]:
    """Every path with its bytes, or the reason why there are none."""
    with source:
        return {
            file.path: data.reason if isinstance(data, Missing) else data
            for file, data in source.read(source.snapshot.files)
        }


@dataclass
class Server:
    """A running HTTP server on loopback."""

    url: str
    requests: list[tuple[str, str, str]]
    stop: Callable[[], None]


Answer = Callable[[BaseHTTPRequestHandler], None]


class World:
    """A directory with repositories, servers and access."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._servers: list[ThreadingHTTPServer] = []
        self._opened: list[OpenSource] = []

    def repository(self, name: str = "origin", *options: str) -> Repository:
        return Repository(self.path / name, *options)

    def access(self, **changes: Any) -> Access:
        """`Access` with everything in this directory and offline; keyword arguments override."""
        values: dict[str, Any] = {
            "base": self.path,
            "store": self.path / "store",
            "mirrors": {},
            "offline": True,
            "wanted": lambda _path: True,
            "timeout": 20.0,
        }
        return Access(**{**values, **changes})

    def open(self, source: Source, **changes: Any) -> OpenSource:
        """Open through the public function; closed at the end of the test at the latest."""
        access = self.access(**changes)
        opened = open_source(source, **{field.name: getattr(access, field.name) for field in fields(access)})
        self._opened.append(opened)
        return opened

    def serve(self, answer: Answer) -> Server:
        """Start an HTTP server on loopback; it ends with the test."""
        requests: list[tuple[str, str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def _any(self) -> None:
                requests.append((self.command, self.path, self.headers.get("Authorization", "")))
                answer(self)

            do_GET = do_POST = do_HEAD = _any  # noqa: N815

            def log_message(self, *arguments: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        self._servers.append(server)
        return Server(f"http://127.0.0.1:{server.server_port}", requests, server.shutdown)

    def close(self) -> None:
        for opened in self._opened:
            opened.__exit__(None, None, None)
        for server in self._servers:
            server.shutdown()
            server.server_close()


def git_backend(root: Path, *, protocol: bool = True, config: dict[str, str] | None = None) -> Answer:
    """An answer that serves the repositories below ``root`` through git's own HTTP program.

    Args:
        root: directory of repositories.
        protocol: whether the client may choose version 2 of the protocol, which gives out any commit.
        config: settings of the server.
    """
    settings = list((config or {}).items())
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": str(len(settings) + 1),
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    for number, (key, value) in enumerate(settings, 1):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value

    def answer(handler: BaseHTTPRequestHandler) -> None:
        path, _, query = handler.path.partition("?")
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        done = subprocess.run(
            ["git", "http-backend"],
            env={
                **environment,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": handler.command,
                "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
                **({"GIT_PROTOCOL": handler.headers.get("Git-Protocol", "")} if protocol else {}),
            },
            input=body,
            capture_output=True,
            check=False,
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        handler.send_response(int(lines.pop("Status", "200").split()[0]))
        for key, value in lines.items():
            handler.send_header(key, value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer
