"""`leverage init`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.classify.pack import parse_pack
from leverage.cli.classifyviews import View, uncertain_files
from leverage.cli.console import progress_on_terminal, say
from leverage.cli.home import counts_file, home, opened_cache
from leverage.cli.options import Settings, session_options
from leverage.cli.proposal import entry_text, id_of, layout, opinions, pack_text
from leverage.cli.purposes import purpose_of_file, purposes_below
from leverage.cli.unread import warn_of_unread
from leverage.cli.writing import make_folder, write_all
from leverage.evidence.classified import classified, is_code, statements
from leverage.measure.conventions import CONVENTIONS
from leverage.measure.pipeline import measure
from leverage.model.decisions import Purpose
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.sources.gitplace import find_repository
from leverage.sources.opening import open_source
from leverage.sources.remote import tip
from leverage.spec.load import parse_spec
from leverage.spec.mirrors import mirrors_from
from leverage.spec.text import shown
from leverage.spec.types import ID_PATTERN, GitSource, PathSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leverage.model.files import FileFacts
    from leverage.sources.base import OpenSource

_EXTENDS = re.compile(rb"^[ \t]*(?:from|import)[ \t]+torch\._inductor\b", re.MULTILINE)
_HEAD = "version: 1\ntitle: Systems under comparison\n\nsystems:\n"
_TOP_LEVEL = re.compile(r"^[A-Za-z_].*", re.MULTILINE)


@click.command("init")
@click.option(
    "--from", "place", required=True, metavar="URL | PATH", help="Repository or folder of the system to describe."
)
@session_options
@click.option("--rev", default="HEAD", show_default=True, help="Branch, tag or commit that is pinned.")
@click.option("--name", default="", help="Id of the system; made of the repository's name by default.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder in which repos.yaml and the pack are written; without it the entry is printed and nothing is written.",
)
def command(settings: Settings, *, place: str, rev: str, name: str, into: Path | None) -> None:
    """Describe a system that nobody has described yet: an entry for repos.yaml, and a pack to correct.

    Fetches the source, tells production from tests and vendored code by paths, classifies every function without rules,
    and says what is uncertain, the largest first. With --into FOLDER the entry is added to FOLDER/repos.yaml (made if
    there is none), and FOLDER/NAME.yaml is a pack that proposes one rule for each stage and divergence. Nothing that
    exists is overwritten.
    """
    if not place:
        raise click.UsageError("--from needs a folder or a URL")
    name = name or id_of(place)
    if not re.fullmatch(ID_PATTERN, name):
        raise click.UsageError(f"{name!r} is no id: small letters, digits and dashes; give one with --name")
    source = _source(settings, place, rev, into or Path())
    with progress_on_terminal([name]) as talks, opened_cache(counts_file(home())) as cache:
        talk = talks[name]
        opened = open_source(
            GitSource(git=source["git"], commit=source["commit"])
            if "git" in source
            else PathSource(path=str(Path(place).expanduser().absolute()), commit=source.get("commit")),
            base=(into or Path()).absolute(),
            store=home(),
            mirrors=mirrors_from(settings.mirror, os.environ),
            offline=settings.offline,
            wanted=lambda _: True,
            progress=talk,
        )
        with opened:
            talk(f"counting {len(opened.snapshot.files):,} files")
            facts = measure(
                opened, opened.snapshot.files, context=opened.snapshot.files, cache=cache, jobs=settings.jobs
            )
            warn_of_unread(facts)
            purpose_of = purposes_below("", opened.snapshot.files)
            purposes = {
                fact.file.path: purpose_of_file(fact, purpose_of(fact.file.path)) for fact in facts if is_code(fact)
            }
            production = [fact for fact in facts if purposes.get(fact.file.path) is Purpose.PRODUCTION]
            if not production:
                raise ConfigurationError(
                    Problem("nothing-to-describe", f"{shown(place)} holds no production code that could be classified")
                )
            talk(f"classifying {len(production):,} files")
            rows = classified(statements(opened, production, pack=None, cache=cache, jobs=settings.jobs), None)
            found = layout(purposes, _extending(opened, production))
        talk("")
    entry = entry_text(name, source, found, purposes)
    pack = pack_text(name, source, found, opinions(rows))
    view = View(
        tuple(rows),
        {row.path: Purpose.PRODUCTION for row in rows},
        {fact.file.path: fact.language for fact in production},
        None,
        {},
        100,
    )
    if uncertain := uncertain_files(view):
        say(uncertain)
    if into is None:
        click.echo(entry, nl=False)
        return
    _write(into, name, entry, pack)


def _source(settings: Settings, place: str, revision: str, base: Path) -> dict[str, str]:
    """The keys of the source, pinned where it is a repository."""
    folder = Path(place).expanduser()
    mirrors = mirrors_from(settings.mirror, os.environ)
    if folder.is_dir():
        # As it is written in repos.yaml: from its folder where that is near, else from the root.
        path = os.path.relpath(folder.absolute(), base.absolute())
        written = str(folder.absolute()) if path.startswith("../..") else path
        if find_repository(folder.absolute()) is None:
            return {"path": written}
        commit = tip(str(folder.absolute()), revision, base=base.absolute(), mirrors=mirrors, offline=True)
        return {"path": written, "commit": commit}
    if "://" not in place and "@" not in place and place not in mirrors:
        raise ConfigurationError(
            Problem("no-such-path", f"{shown(place)} is neither a folder nor a URL", hint="check the path")
        )
    commit = tip(place, revision, base=base.absolute(), mirrors=mirrors, offline=settings.offline)
    return {"git": place, "commit": commit}


def _extending(source: OpenSource, facts: Sequence[FileFacts]) -> list[str]:
    """Production files that import Inductor."""
    python = [fact.file for fact in facts if fact.language == "python"]
    return [file.path for file, data in source.read(python) if isinstance(data, bytes) and _EXTENDS.search(data)]


def _write(into: Path, name: str, entry: str, pack: str) -> None:
    """Add the entry, write the pack; both are proved to load before anything is written.

    Without a rule that can be proposed there is no pack.
    """
    config, pack_path = into / "repos.yaml", into / f"{name}.yaml"
    if pack_path.exists():
        raise ConfigurationError(
            Problem("would-overwrite", "there is a pack of this name", Location(str(pack_path)), hint="give a --name")
        )
    if pack:
        entry = entry.replace("    note: ", f"    pack: ./{name}.yaml\n    note: ", 1)
    before = config.read_text(encoding="utf-8") if config.exists() else _HEAD
    text = _added(before, entry)
    parse_spec(text.encode(), str(config), frozenset(CONVENTIONS))
    if pack:
        parse_pack(pack.encode(), name=name, file=str(pack_path))
    make_folder(into)
    write_all({**({pack_path: pack.encode()} if pack else {}), config: text.encode()})
    then = f"correct {pack_path}" if pack else "no file is clear enough to propose a rule; write a pack"
    say(f"{name} is in {config}; {then}, then: leverage classify {name} --config {config}")
    click.echo(config)
    if pack:
        click.echo(pack_path)


def _added(text: str, entry: str) -> str:
    """The configuration with one more system, put behind the others; all other lines stay as they are."""
    keys = list(_TOP_LEVEL.finditer(text))
    at = next((number for number, key in enumerate(keys) if key[0].startswith("systems:")), None)
    if at is None:
        return f"{text.rstrip()}\n\nsystems:\n{entry}"
    end = keys[at + 1].start() if at + 1 < len(keys) else len(text)
    head = text[:end].rstrip()
    return (
        f"{head}\n\n{entry}\n{text[end:]}".rstrip() + "\n"
        if not head.endswith("systems:")
        else f"{head}\n{entry}{text[end:]}"
    )
