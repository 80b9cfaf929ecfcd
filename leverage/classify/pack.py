"""Packs: classification rules as data, each with its reason and examples, checked before they are used.

A pack is one YAML file, found by name among those shipped in `leverage/classify/packs` or by path. The format is
described by `_WrittenPack` and `_WrittenRule` below. Loading proves every example, so a pack that loads is right about
what each of its rules decides and what it doesn't.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, ConfigDict, Field, StrictInt, TypeAdapter, ValidationError, WithJsonSchema
from pydantic.dataclasses import dataclass as pydantic_dataclass

from leverage.classify.symbols import BETWEEN, SymbolPatterns, split_target
from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.model.errors import ConfigurationError, Location, Problem
from leverage.spec.faults import faults
from leverage.spec.files import read_file
from leverage.spec.globs import Globs, glob_fault
from leverage.spec.text import did_you_mean, shown
from leverage.spec.types import ID_PATTERN
from leverage.spec.yamlread import parse
from leverage.spec.yamltree import Mapping, locate, noun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leverage.spec.yamltree import Node

_SUFFIX = ".yaml"
_CATCH_ALL_PROBES = ("zq", "Zq", "_q", "0q")  # names that no pattern with a name of its own in it matches


def _one_of(known: tuple[str, ...]) -> tuple[AfterValidator, WithJsonSchema]:
    def check(word: str) -> str:
        if word not in known:
            raise ValueError(word)
        return word

    return AfterValidator(check), WithJsonSchema({"type": "string", "enum": list(known)})


_CONFIG = ConfigDict(extra="forbid")
_Id = Annotated[str, Field(pattern=ID_PATTERN, max_length=64)]
_Text = Annotated[str, Field(min_length=1)]
_Texts = Annotated[tuple[_Text, ...], Field(min_length=1)]
_Count = Annotated[StrictInt, Field(ge=0)]
_Reason = Annotated[
    str, Field(min_length=20, max_length=600, description="a sentence of 20 to 600 characters that says why")
]


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class About:
    """Where the rules come from: what was read and how, of which source, at which revision."""

    read: _Text
    source: _Text
    revision: _Text


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class Expectation:
    """The size of a rule when it was written: production files in which it decides, and the lines that it decides.

    Lines are physical: those of whole files, or of the units of code of a rule that names symbols.
    """

    files: _Count
    lines: _Count


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class _WrittenRule:
    """A rule as the file has it; `Rule` says what the fields mean."""

    id: _Id
    stage: Annotated[str, *_one_of(STAGE_IDS)]
    divergence: Annotated[str, *_one_of(DIVERGENCE_IDS)]
    paths: _Texts
    symbols: tuple[_Text, ...] = ()
    reason: _Reason
    matches: _Texts
    not_: Annotated[tuple[_Text, ...], Field(alias="not")] = ()
    expect: Expectation | None = None


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class _WrittenPack:
    """A pack as the file has it; `Pack` says what the fields mean."""

    id: _Id
    about: About
    roots: _Texts
    rules: Annotated[tuple[_WrittenRule, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Rule:
    """One declared rule.

    Attributes:
        id: name of the rule inside its pack.
        stage: id of a stage.
        divergence: id of a divergence.
        paths: gitignore-style patterns from the root of the source, each below one of the pack's roots; one suffices.
        symbols: names of units of code, ``*`` for any text, of which one must match as well; a rule without symbols
            decides whole files.
        reason: why, in a sentence that a reader of the code would sign.
        matches: what this rule decides: paths, or ``path::symbol`` for units of code.
        excludes: what this rule does not decide (``not`` in the file), written likewise.
        expect: its size when it was written, where that was noted.
        line: line of the pack's file where it starts, from 1.
    """

    id: str
    stage: str
    divergence: str
    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    reason: str
    matches: tuple[str, ...]
    excludes: tuple[str, ...]
    expect: Expectation | None
    line: int
    _globs: Globs = field(init=False, repr=False, compare=False)
    _symbols: SymbolPatterns = field(init=False, repr=False, compare=False)
    _beginnings: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_globs", Globs(self.paths))
        object.__setattr__(self, "_symbols", SymbolPatterns(self.symbols))
        # The part before the first wild card, without a slash at its end: `a/**/b` also matches `a/b`.
        beginnings = (re.split(r"[*?[]", glob, maxsplit=1)[0].rstrip("/") for glob in self.paths)
        object.__setattr__(self, "_beginnings", tuple(beginnings))

    def speaks_of(self, path: str) -> bool:
        """Whether a pattern of paths matches; a rule with symbols then decides some units of the file."""
        # One test of all beginnings settles nearly every path at a small part of the cost of asking the patterns.
        return path.startswith(self._beginnings) and path in self._globs

    def reaches(self, path: str, symbol: str = "") -> bool:
        """Whether the rule matches a file, or a unit of it; an earlier rule may still decide it.

        Args:
            path: path from the root of the source.
            symbol: name of a unit of code; empty for the file as a whole, which rules with symbols never reach.
        """
        return (not self.symbols or symbol in self._symbols) and self.speaks_of(path)


@dataclass(frozen=True, slots=True)
class Pack:
    """The rules of one system.

    Attributes:
        id: name of the pack; its file has the same name.
        about: what was read to write it.
        roots: folders that the rules speak about: at least the top folder of each component. No pattern may cover one.
        rules: in order; the first that reaches a path decides.
        file: the name that messages use for the file.
        digest: SHA-256 of the file's bytes, 64 hex digits.
    """

    id: str
    about: About
    roots: tuple[str, ...]
    rules: tuple[Rule, ...]
    file: str
    digest: str

    def reaching(self, path: str, symbol: str = "") -> tuple[Rule, ...]:
        """All rules that reach a file, or a unit of code in it, in order; the first decides."""
        return tuple(rule for rule in self.rules if rule.reaches(path, symbol))

    def divides(self, path: str) -> bool:
        """Whether some rule decides units of a file apart from it."""
        return any(rule.symbols and rule.speaks_of(path) for rule in self.rules)


def shipped_packs() -> tuple[str, ...]:
    """Names of the packs in the package, sorted."""
    folder = importlib.resources.files("leverage.classify") / "packs"
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in folder.iterdir() if entry.name.endswith(_SUFFIX)))


def load_pack(name_or_path: str, *, base: Path | None = None) -> Pack:
    """Load a pack and prove its examples.

    Args:
        name_or_path: name of a shipped pack, or a path (whatever holds a ``/`` or ends in ``.yaml``).
        base: folder that a relative path starts from, such as that of `repos.yaml`; the current folder where None.

    Raises:
        ConfigurationError: there is no such pack, or it is wrong; holds all problems at once.
    """
    if "/" in name_or_path or name_or_path.endswith(_SUFFIX):
        path = (base or Path()) / Path(name_or_path).expanduser()
        hint = "correct `pack:` in repos.yaml; a relative path starts from the folder of repos.yaml"
        data = read_file(path, noun="pack of classification rules", missing_hint=hint)
        return parse_pack(data, name=path.name.removesuffix(_SUFFIX), file=name_or_path)
    known = shipped_packs()
    if name_or_path not in known:
        what = f"there is no pack {shown(name_or_path)}"
        raise ConfigurationError(Problem("pack-unknown", what, hint=did_you_mean(name_or_path, known, "packs")))
    file = f"{name_or_path}{_SUFFIX}"
    data = (importlib.resources.files("leverage.classify") / "packs" / file).read_bytes()
    return parse_pack(data, name=name_or_path, file=file)


def parse_pack(data: bytes, *, name: str, file: str) -> Pack:
    """Make a pack of the bytes of a file.

    Args:
        data: the YAML text, UTF-8.
        name: the id that the pack must have.
        file: the name that messages use for the file.

    Raises:
        ConfigurationError: the pack is wrong; holds all problems at once, in the order of the file.
    """
    root, problems = parse(data, file)
    if not isinstance(root, Mapping):
        if not problems:
            what = f"a pack must be a mapping, and this is {noun(root)}"
            problems = [Problem("wrong-type", what, locate(root, file, ()))]
        raise ConfigurationError(*problems)
    written: _WrittenPack | None = None
    plain = root.plain()
    try:
        written = _ADAPTER.validate_python(plain)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False)
        found = faults(errors, plain, root, file, _ADAPTER.json_schema())
        problems += [fault.problem for fault in found if fault.problem]
    problems += _beyond_structure(root, name, file)
    if written is None or problems:  # with a rule missing or mistyped, what decides an example says nothing
        raise ConfigurationError(*sorted(problems, key=lambda each: each.where or Location(file)))
    rules = tuple(_rule(rule, locate(root, file, ("rules", index)).line) for index, rule in enumerate(written.rules))
    pack = Pack(written.id, written.about, written.roots, rules, file, hashlib.sha256(data).hexdigest())
    if wrong := list(_example_problems(pack, root)):
        raise ConfigurationError(*wrong)
    return pack


_ADAPTER: TypeAdapter[_WrittenPack] = TypeAdapter(_WrittenPack)


def _rule(written: _WrittenRule, line: int) -> Rule:
    return Rule(
        written.id,
        written.stage,
        written.divergence,
        written.paths,
        written.symbols,
        written.reason,
        written.matches,
        written.not_,
        written.expect,
        line,
    )


def _beyond_structure(root: Mapping, name: str, file: str) -> Iterator[Problem]:
    """What types cannot say. Works on the raw file, so that a mistake of one kind doesn't hide those of another."""
    data = root.plain()
    if isinstance(data.get("id"), str) and data["id"] != name:
        what = f"the pack in this file calls itself {shown(data['id'])}"
        yield Problem("pack-id", what, locate(root, file, ("id",)), hint=f"write `id: {name}` or rename the file")
    roots = _texts(data.get("roots"))
    places: dict[str, list[Location]] = defaultdict(list)
    rules = data.get("rules")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if not isinstance(rule, dict):
            continue
        if isinstance(rule.get("id"), str):
            places[rule["id"]].append(locate(root, file, ("rules", index)))
        for number, glob in enumerate(_texts(rule.get("paths"))):
            yield from _glob_problems(glob, roots, locate(root, file, ("rules", index, "paths", number)))
        for number, pattern in enumerate(_texts(rule.get("symbols"))):
            if not pattern.strip("*._"):
                what = f"the pattern {shown(pattern)} reaches every symbol"
                place = locate(root, file, ("rules", index, "symbols", number))
                yield Problem("pack-catch-all", what, place, hint="leave `symbols` out for a rule about whole files")
    for rule_id, (first, *others) in places.items():
        for place in others:
            what = f"the rule {shown(rule_id)} stands here for the second time, first in line {first.line}"
            yield Problem("pack-duplicate-rule", what, place, "figures name the rule that decided", "rename one")


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _glob_problems(glob: str, roots: Sequence[str], place: Location) -> Iterator[Problem]:
    if fault := glob_fault(glob):
        yield Problem("bad-glob", f"the pattern {shown(glob)} {fault[0]}", place, hint=fault[1])
        return
    if not any(glob == root or glob.startswith(f"{root}/") for root in roots):
        yield Problem(
            "pack-outside-roots",
            f"the pattern {shown(glob)} doesn't begin with one of the roots of the pack",
            place,
            why="a pattern that is not anchored reaches files that nobody looked at",
            hint=f"begin with one of: {', '.join(map(shown, roots))}",
        )
        return
    globs = Globs((glob,))
    ends = ("", ".py", PurePosixPath(glob).suffix)
    for root in roots:
        flat = [f"{root}/{name}{end}" for name in _CATCH_ALL_PROBES for end in ends]
        deep = [f"{root}/{name}/{name}{end}" for name in _CATCH_ALL_PROBES for end in ends]
        if any(probe in globs for probe in (*flat, *deep)):
            yield Problem(
                "pack-catch-all",
                f"the pattern {shown(glob)} reaches whatever lies in {shown(root)}",
                place,
                why="a rule that reaches everything claims to have judged files that nobody read",
                hint="name the files or folders; what no rule reaches is reported as undetermined",
            )
            return


def _example_problems(pack: Pack, root: Node) -> Iterator[Problem]:
    for index, rule in enumerate(pack.rules):
        for number, example in enumerate(rule.matches):
            reaching = pack.reaching(*split_target(example))
            if reaching[:1] != (rule,):
                decides = f"the rule {shown(reaching[0].id)} decides it" if reaching else "no rule reaches it"
                of_units = rule.symbols and BETWEEN not in example
                yield Problem(
                    "pack-example",
                    f"the rule {shown(rule.id)} doesn't decide its own example {shown(example)}; {decides}",
                    locate(root, pack.file, ("rules", index, "matches", number)),
                    hint="examples of a rule with symbols are written path::symbol"
                    if of_units
                    else "correct the patterns, the example or the order of the rules",
                )
        for number, example in enumerate(rule.excludes):
            if pack.reaching(*split_target(example))[:1] == (rule,):
                yield Problem(
                    "pack-counter-example",
                    f"the rule {shown(rule.id)} decides {shown(example)}, which it says it doesn't",
                    locate(root, pack.file, ("rules", index, "not", number)),
                    hint="narrow the patterns or put a rule for it before this one",
                )
