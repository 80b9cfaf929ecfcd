"""Packs: classification rules as data, each with its reason and examples, checked before they are used.

A pack is one YAML file, found by name among those shipped in `leverage/classify/packs` or by path. The format is
described by `_WrittenPack` and `_WrittenRule` below. Loading proves every example, so a pack that loads is right about
what each of its rules decides and what it doesn't.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.resources
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern
from pydantic import AfterValidator, ConfigDict, Field, StrictInt, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core import PydanticCustomError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from leverage.classify.vocabulary import DIVERGENCE_IDS, STAGE_IDS
from leverage.model.errors import ConfigurationError, Location, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SUFFIX = ".yaml"
_LARGEST_PACK = 1 << 20  # bytes; packs are written by hand, so more is a mistake
_CATCH_ALL_PROBES = ("zq", "Zq", "_q", "0q")  # names that no pattern with a name of its own in it matches


def _nearest(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(known)}"


def _one_of(kind: str, known: tuple[str, ...]) -> AfterValidator:
    def check(word: str) -> str:
        if word not in known:
            slug = f"pack-{kind}"
            message = f"there is no {kind} {word!r}"
            raise PydanticCustomError(slug, message, {"hint": _nearest(word, known)})
        return word

    return AfterValidator(check)


_CONFIG = ConfigDict(extra="forbid")
_Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]
_Text = Annotated[str, Field(min_length=1)]
_Texts = Annotated[tuple[_Text, ...], Field(min_length=1)]
_Count = Annotated[StrictInt, Field(ge=0)]


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class About:
    """Where the rules come from: what was read and how, of which source, at which revision."""

    read: _Text
    source: _Text
    revision: _Text


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class Expectation:
    """The size of a rule when it was written: files that it decides, and their physical lines."""

    files: _Count
    lines: _Count


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class _WrittenRule:
    """A rule as the file has it; `Rule` says what the fields mean."""

    id: _Id
    stage: Annotated[str, _one_of("stage", STAGE_IDS)]
    divergence: Annotated[str, _one_of("divergence", DIVERGENCE_IDS)]
    paths: _Texts
    reason: Annotated[str, Field(min_length=20, max_length=600)]
    matches: _Texts
    not_: Annotated[tuple[_Text, ...], Field(alias="not")] = ()
    expect: Expectation | None = None


@pydantic_dataclass(frozen=True, config=_CONFIG, kw_only=True)
class _WrittenPack:
    """A pack as the file has it; `Pack` says what the fields mean."""

    id: _Id
    about: About
    roots: _Texts
    rules: tuple[_WrittenRule, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One declared rule.

    Attributes:
        id: name of the rule inside its pack.
        stage: id of a stage.
        divergence: id of a divergence.
        paths: gitignore-style patterns from the root of the source, each below one of the pack's roots; one suffices.
        reason: why, in a sentence that a reader of the code would sign.
        matches: paths that this rule decides.
        excludes: paths that this rule does not decide (``not`` in the file).
        expect: its size when it was written, where that was noted.
        line: line of the pack's file where it starts, from 1.
    """

    id: str
    stage: str
    divergence: str
    paths: tuple[str, ...]
    reason: str
    matches: tuple[str, ...]
    excludes: tuple[str, ...]
    expect: Expectation | None
    line: int
    _expressions: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)
    _beginnings: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_expressions", tuple(_compile(glob) for glob in self.paths))
        # The part before the first wild card, without a slash at its end: `a/**/b` also matches `a/b`.
        beginnings = (re.split(r"[*?\[\\]", glob, maxsplit=1)[0].rstrip("/") for glob in self.paths)
        object.__setattr__(self, "_beginnings", tuple(beginnings))

    def reaches(self, path: str) -> bool:
        """Whether a pattern of this rule matches the path; an earlier rule may still decide it."""
        # The test of the beginning settles nearly every path at a small part of the cost of an expression.
        return path.startswith(self._beginnings) and any(expression.match(path) for expression in self._expressions)


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

    def reaching(self, path: str) -> tuple[Rule, ...]:
        """All rules that reach a path, in order; the first decides."""
        return tuple(rule for rule in self.rules if rule.reaches(path))


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
        try:
            with path.open("rb") as stream:
                data = stream.read(_LARGEST_PACK + 1)
        except OSError as error:
            raise ConfigurationError(
                Problem(
                    "pack-unreadable",
                    f"the pack {name_or_path} cannot be read: {error.strerror}",
                    why="without its pack the code of a system has no stages",
                    hint="correct `pack:` in repos.yaml; a relative path starts from the folder of repos.yaml",
                )
            ) from error
        return parse_pack(data, name=path.name.removesuffix(_SUFFIX), file=name_or_path)
    known = shipped_packs()
    if name_or_path not in known:
        problem = Problem("pack-unknown", f"there is no pack {name_or_path!r}", hint=_nearest(name_or_path, known))
        raise ConfigurationError(problem)
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
        ConfigurationError: the pack is wrong; holds all problems at once.
    """
    tree = _parse_yaml(data, file)
    written: _WrittenPack | None = None
    problems: list[Problem] = []
    try:
        written = TypeAdapter(_WrittenPack).validate_python(tree)
    except ValidationError as error:
        problems += _structural(error, tree, file)
    problems += _beyond_structure(tree, name, file)
    if written is None or problems:  # with a rule missing or mistyped, what decides an example says nothing
        raise ConfigurationError(*sorted(problems, key=lambda problem: problem.where or Location(file)))
    rules = tuple(_rule(rule, _place(tree, ("rules", index), file).line) for index, rule in enumerate(written.rules))
    pack = Pack(written.id, written.about, written.roots, rules, file, hashlib.sha256(data).hexdigest())
    if wrong := list(_example_problems(pack, tree)):
        raise ConfigurationError(*wrong)
    return pack


def _rule(written: _WrittenRule, line: int) -> Rule:
    return Rule(
        written.id,
        written.stage,
        written.divergence,
        written.paths,
        written.reason,
        written.matches,
        written.not_,
        written.expect,
        line,
    )


def _compile(glob: str) -> re.Pattern[str]:
    expression = GitIgnoreSpecPattern(glob).regex
    if expression is None:
        raise ValueError(f"not a pattern: {glob!r}")
    # A file name may hold a line end; only DOTALL lets "anything" match it.
    return re.compile(expression.pattern, re.DOTALL)


def _parse_yaml(data: bytes, file: str) -> object:
    def refuse(what: str, line: int = 0, column: int = 0) -> ConfigurationError:
        return ConfigurationError(Problem("pack-yaml", what, Location(file, line, column)))

    if len(data) > _LARGEST_PACK:
        raise refuse(f"the pack is larger than {_LARGEST_PACK} bytes")
    try:
        tree: object = YAML(typ="rt", pure=True).load(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise refuse(f"the pack is not UTF-8 (byte {error.start})") from error
    except MarkedYAMLError as error:
        mark = error.problem_mark
        what = f"the pack is not YAML: {error.problem or error.context}"
        raise refuse(what, *((mark.line + 1, mark.column + 1) if mark else ())) from error
    except YAMLError as error:
        raise refuse(f"the pack is not YAML: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise refuse("the pack is nested too deeply") from error
    return tree


def _place(tree: object, keys: Sequence[str | int], file: str) -> Location:
    """The place of a key or item in the file; of the nearest thing around it where it is missing."""
    line, column = 0, 0
    for key in keys:
        marks = getattr(tree, "lc", None)
        try:
            line, column = marks.item(key) if isinstance(tree, list) else marks.key(key)  # type: ignore[union-attr]
            tree = tree[key]  # type: ignore[index]
        except (AttributeError, KeyError, IndexError, TypeError):
            break
    return Location(file, line + 1, column + 1)


def _structural(error: ValidationError, tree: object, file: str) -> Iterator[Problem]:
    for item in error.errors(include_url=False, include_input=False):
        slug = item["type"] if item["type"].startswith("pack-") else "pack-structure"
        keys = ".".join(str(key) for key in item["loc"])
        hint = str(item.get("ctx", {}).get("hint", ""))
        if item["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
            fields = ("id", "stage", "divergence", "paths", "reason", "matches", "not", "expect")
            hint = _nearest(str(item["loc"][-1]), (*fields, "about", "roots", "rules"))
        message = "a mapping is needed here" if item["type"] == "dataclass_type" else item["msg"]
        yield Problem(slug, f"{keys}: {message}" if keys else message, _place(tree, item["loc"], file), hint=hint)


def _beyond_structure(tree: object, name: str, file: str) -> Iterator[Problem]:
    """What types cannot say. Works on the raw file, so that a mistake of one kind doesn't hide those of another."""
    if not isinstance(tree, dict):
        return
    if isinstance(tree.get("id"), str) and tree["id"] != name:
        what = f"the pack in this file calls itself {tree['id']!r}"
        yield Problem("pack-id", what, _place(tree, ("id",), file), hint=f"write `id: {name}` or rename the file")
    if tree.get("rules") == []:
        yield Problem("pack-structure", "rules: at least one rule is needed", _place(tree, ("rules",), file))
    roots = [root for root in _list(tree.get("roots")) if isinstance(root, str)]
    seen: dict[object, Location] = {}
    for index, rule in enumerate(_list(tree.get("rules"))):
        if not isinstance(rule, dict):
            continue
        place = _place(tree, ("rules", index), file)
        if isinstance(rule.get("id"), str) and rule["id"] in seen:
            what = f"the rule {rule['id']!r} is defined twice, first at line {seen[rule['id']].line}"
            yield Problem("pack-duplicate-rule", what, place, why="figures name the rule that decided")
        elif isinstance(rule.get("id"), str):
            seen[rule["id"]] = place
        for number, glob in enumerate(_list(rule.get("paths"))):
            if isinstance(glob, str):
                yield from _glob_problems(glob, roots, _place(tree, ("rules", index, "paths", number), file))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _glob_problems(glob: str, roots: Sequence[str], place: Location) -> Iterator[Problem]:
    if not any(glob == root or glob.startswith(f"{root}/") for root in roots):
        yield Problem(
            "pack-outside-roots",
            f"the pattern {glob!r} doesn't begin with one of the roots of the pack",
            place,
            why="a pattern that is not anchored reaches files that nobody looked at",
            hint=f"begin with one of: {', '.join(roots)}",
        )
        return
    try:
        expression = _compile(glob)
    except ValueError:
        yield Problem("pack-pattern", f"{glob!r} is not a gitignore-style pattern", place)
        return
    suffix = Path(glob).suffix
    for root in roots:
        probes = [f"{root}/{name}{end}" for name in _CATCH_ALL_PROBES for end in ("", ".py", suffix)]
        probes += [f"{root}/{name}/{name}{end}" for name in _CATCH_ALL_PROBES for end in ("", ".py", suffix)]
        if any(expression.match(probe) for probe in probes):
            yield Problem(
                "pack-catch-all",
                f"the pattern {glob!r} reaches whatever lies in {root}",
                place,
                why="a rule that reaches everything claims to have judged files that nobody read",
                hint="name the files or folders; what no rule reaches is reported as undetermined",
            )
            return


def _example_problems(pack: Pack, tree: object) -> Iterator[Problem]:
    for index, rule in enumerate(pack.rules):
        for number, path in enumerate(rule.matches):
            reaching = pack.reaching(path)
            if reaching[:1] != (rule,):
                decides = f"the rule {reaching[0].id!r} decides it" if reaching else "no rule reaches it"
                yield Problem(
                    "pack-example",
                    f"the rule {rule.id!r} doesn't decide its own example {path!r}; {decides}",
                    _place(tree, ("rules", index, "matches", number), pack.file),
                    hint="correct the patterns, the example or the order of the rules",
                )
        for number, path in enumerate(rule.excludes):
            if pack.reaching(path)[:1] == (rule,):
                yield Problem(
                    "pack-counter-example",
                    f"the rule {rule.id!r} decides {path!r}, which it says it doesn't",
                    _place(tree, ("rules", index, "not", number), pack.file),
                    hint="narrow the patterns or put a rule for that path before this one",
                )
