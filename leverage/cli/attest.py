"""`leverage attest`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leverage.cli.console import say
from leverage.cli.gather import measure_systems
from leverage.cli.options import chosen_systems, session, session_options
from leverage.cli.packs import pack_of
from leverage.cli.report import source_date
from leverage.cli.writing import cannot_write, write_whole
from leverage.evidence.attest import SALT_BYTES, Attestation, attestation, attestation_text
from leverage.evidence.build import build
from leverage.evidence.facts import SystemFacts
from leverage.model.errors import ConfigurationError, Location, Problem, UncheckableError

if TYPE_CHECKING:
    from leverage.cli.options import Session, Settings

SALT_SUFFIX = ".salt"


@click.command("attest")
@click.argument("system")
@session_options
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write; by default SYSTEM.attestation.json. The salt lies beside it, under the same name with "
    f"{SALT_SUFFIX}.",
)
def command(settings: Settings, *, system: str, output: Path | None) -> None:
    """Write the counts of SYSTEM without a name of its code: to publish a ratio, and keep the code.

    Counts per stage, divergence, purpose, language and convention, the tree, and salted hashes that prove later which
    files were counted. Keep the salt to yourself: with it, who guesses paths can confirm the guess.
    """
    opened = session(settings)
    (name,) = chosen_systems(opened, (system,))
    path = output or Path(f"{name}.attestation.json")
    salt_path = path.with_name(path.name + SALT_SUFFIX)
    date = source_date()
    salt = read_salt(salt_path) if salt_path.exists() else secrets.token_bytes(SALT_BYTES)
    made = attested_now(opened, name, salt, date)
    if not salt_path.exists():
        _keep(salt_path, salt)
    write_whole(path, attestation_text(made).encode())
    click.echo(path)
    say(f"publish {path}; keep {salt_path} to yourself, it opens the hashes")


def attested_now(opened: Session, name: str, salt: bytes, date: str = "") -> Attestation:
    """What is attested of a system as it is measured now.

    Raises:
        ConfigurationError: a pack or a glob is wrong.
        UncheckableError: its source cannot be had.
    """
    pack = pack_of(opened, name)
    found = measure_systems(opened, [name])[name]
    if not isinstance(found, SystemFacts):
        raise UncheckableError(found)
    evidence = build(opened.loaded, {name: found}, {}, {name: pack} if pack else {})
    return attestation(evidence, name, pack, salt=salt, date=date)


def read_salt(path: Path) -> bytes:
    """The salt that lies in a file.

    Raises:
        ConfigurationError: there is none, or something else.
    """
    try:
        salt = bytes.fromhex(path.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise _bad_salt(path, str(getattr(error, "strerror", None) or error)) from error
    if len(salt) != SALT_BYTES:
        raise _bad_salt(path, f"{len(salt)} bytes where {SALT_BYTES} are due")
    return salt


def _bad_salt(path: Path, answer: str) -> ConfigurationError:
    return ConfigurationError(
        Problem(
            "bad-salt",
            f"the salt cannot be read: {answer}",
            Location(str(path)),
            "the hashes of files and rules are made with it",
            "name the file that `leverage attest` wrote beside the attestation",
        )
    )


def _keep(path: Path, salt: bytes) -> None:
    """Write the salt so that nobody else on the machine reads it, and never over one that is there."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(salt.hex().encode() + b"\n")
    except OSError as error:
        raise cannot_write(path, error) from error
