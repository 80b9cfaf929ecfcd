"""`repos.yaml`: from bytes to a checked `Spec`, or to all that is wrong with it at once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.spec.check import check
from leverage.spec.faults import Fault, Kind, faults, repaired
from leverage.spec.files import read_file
from leverage.spec.schema import KeyPath, Schema, spec_schema
from leverage.spec.types import Spec
from leverage.spec.yamlread import parse
from leverage.spec.yamltree import Mapping, Node, locate, noun

if TYPE_CHECKING:
    from pathlib import Path

    from leverage.spec.findings import Finding


MOST = 1000  # wrong values that are reported; nobody mends more in one go, and each costs some 0.1 ms
ROUNDS = 3  # a wrong value may hide another, such as that its list is too long


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A valid `repos.yaml` with what is needed to point into it.

    Attributes:
        spec: what the user wrote.
        file: name of the file as it was given.
        digest: ``sha256:`` and the hash of its bytes.
    """

    spec: Spec
    file: str
    digest: str
    _root: Node = field(repr=False, compare=False)

    def locate(self, *key_path: str | int) -> Location:
        """Place of a key or list item, such as ``locate("systems", "glow", "source", "commit")``.

        Where the path does not exist (a default, say), the place of its nearest parent.
        """
        return locate(self._root, self.file, key_path)


def load_spec(path: Path, conventions: frozenset[str] | None = None) -> LoadedSpec:
    """Read and check `repos.yaml`.

    Args:
        path: the file.
        conventions: names of the counting conventions that exist; None where they need not be checked.

    Raises:
        ConfigurationError: the file cannot be read or is wrong. Holds every problem, sorted by place.
    """
    data = read_file(path, noun="configuration", missing_hint="name it with --config FILE or LEVERAGE_CONFIG")
    return parse_spec(data, str(path), conventions)


def parse_spec(data: bytes, file: str, conventions: frozenset[str] | None = None) -> LoadedSpec:
    """Like `load_spec`, from bytes; ``file`` is the name that messages show."""
    root, problems = parse(data, file)
    if not isinstance(root, Mapping):
        if not problems:
            what = "the file is empty" if root is None else f"the file must be a mapping, and this is {noun(root)}"
            hint = "begin with `version: 1`, `title: …` and `systems:`"
            problems = [Problem("wrong-type", what, locate(root, file, ()), hint=hint)]
        raise ConfigurationError(*problems)
    spec, found, findings = _validate(root, file, conventions)
    problems += [fault.problem for fault in found if fault.problem]
    problems += [
        Problem(each.slug, each.what, locate(root, file, each.path), each.why, each.hint)
        for each in findings
        if not _follows(each, found)
    ]
    if problems or spec is None:
        raise ConfigurationError(*sorted(problems, key=lambda each: (each.where or Location(file), each.what)))
    return LoadedSpec(spec, file, f"sha256:{hashlib.sha256(data).hexdigest()}", root)


def _validate(
    root: Mapping, file: str, conventions: frozenset[str] | None
) -> tuple[Spec | None, list[Fault], list[Finding]]:
    """The spec (None where no repair made it readable), what is wrong with values, and what does not fit together."""
    data: object = root.plain()
    found: list[Fault] = []
    schema: Schema = {}
    for _ in range(ROUNDS):
        try:
            spec = _ADAPTER.validate_json(json.dumps(data))
        except ValidationError as error:
            schema = schema or spec_schema()
            errors = error.errors(include_url=False, include_context=False)
            new = faults(errors[:MOST], data, root, file, schema)
            known = {fault.path for fault in found}
            found += [fault for fault in new if fault.path not in known]
            if len(errors) > MOST:
                what = f"{len(errors) - MOST:,} more values are wrong than are shown here"
                cut = Problem("too-many-problems", what, locate(root, file, ()), hint="mend those that are shown first")
                return None, [*found, Fault((), Kind.BAD_VALUE, cut)], []
            data = repaired(data, new, schema)
        else:
            return spec, found, check(spec, conventions)
    return None, found, []


# JSON mode: a list becomes a tuple and a word an enum member, while "7" is still no integer and 7 no text.
_ADAPTER: TypeAdapter[Spec] = TypeAdapter(Spec)


def _follows(finding: Finding, found: list[Fault]) -> bool:
    """Whether a finding may only be the consequence of a fault, whose repair removed or changed what it looked at."""
    return any(
        all(one == other for one, other in zip(fault.path, finding.path, strict=False))
        or (finding.about and _emptied(fault.path, finding.about))
        for fault in found
    )


def _emptied(path: KeyPath, section: str) -> bool:
    """Whether the repair of a fault at a path took away entries of a section, itself or with the system around it."""
    match path:
        case ("systems", _):
            return section != "systems"
        case ("families", *_):
            return section == "families"
        case _:
            return path[-1:] == (section,)
