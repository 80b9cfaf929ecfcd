"""The types of `repos.yaml`, one definition for validation, JSON Schema and typed use.

Pydantic dataclasses: frozen, unknown keys refused. Everything here is what the user wrote; names are resolved to
immutable things by `repos.lock` (see `leverage.spec.lock`).
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag
from pydantic.dataclasses import dataclass

from leverage.model.decisions import Purpose
from leverage.model.heights import Height

CONFIG = ConfigDict(extra="forbid", strict=True)

ID_PATTERN = r"^[a-z0-9][a-z0-9._-]*$"
Id = Annotated[str, Field(pattern=ID_PATTERN, max_length=64)]
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$", description="full commit id, 40 hex digits, quoted")]
Glob = Annotated[str, Field(min_length=1, description="gitignore-style pattern from the root of the source")]
HeightName = Literal["capture", "graph", "loop_ir", "tile_ir", "device_program", "binary", "runtime"]
# The bound keeps `Fraction` from being asked for ten to the power of a billion.
Decimal = Annotated[str, Field(pattern=r"^[0-9]{1,15}(\.[0-9]{1,15})?$")] | Annotated[int, Field(ge=0, le=10**15)]


class Role(StrEnum):
    """What a system is in the comparison."""

    EXTENSION = "extension"
    FROM_SCRATCH = "from_scratch"
    SUBSTRATE = "substrate"
    SECOND_STAGE = "second_stage"


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class GitSource:
    """A git repository at a full commit."""

    git: Annotated[str, Field(min_length=1, description="URL of the repository")]
    commit: Commit
    ref: Annotated[str, Field(description="the branch or tag the commit was taken from; for people")] = ""
    also: Annotated[tuple[str, ...], Field(description="further places to look for the same commit, in order")] = ()


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class PypiSource:
    """A package-index artifact; the smallest one that carries the wanted files is read, nothing is installed."""

    pypi: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", description="name of the distribution")]
    version: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$", description="exact version, such as 2.11.0")
    ]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class PathSource:
    """A local git repository (with `commit`), or a plain directory (without; marked unpinned)."""

    path: Annotated[str, Field(min_length=1, description="path, relative to repos.yaml; ~ is the home directory")]
    commit: Commit | None = None


SOURCE_KEYS = ("git", "pypi", "path")


def _source_tag(value: object) -> str | None:
    """Which kind of source was meant, by the key that names the place; None where there is no such key."""
    has = value.__contains__ if isinstance(value, dict) else lambda key: hasattr(value, key)
    return next((f"{key} source" for key in SOURCE_KEYS if has(key)), None)


# Decided by its key, so that a mistake in one kind of source is reported once and not for all three.
Source = Annotated[
    Annotated[GitSource, Tag("git source")]
    | Annotated[PypiSource, Tag("pypi source")]
    | Annotated[PathSource, Tag("path source")],
    Discriminator(_source_tag),
]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Component:
    """A part of a system: files and a place in the stack."""

    include: Annotated[tuple[Glob, ...], Field(min_length=1)]
    exclude: tuple[Glob, ...] = ()
    exclude_components: Annotated[
        tuple[Id, ...], Field(description="files of these components are not counted here")
    ] = ()
    height: Annotated[
        tuple[HeightName, ...],
        Field(max_length=2, description="[from, to], or [runtime]; empty where the place in the stack does not matter"),
    ] = ()
    purpose: Purpose = Purpose.PRODUCTION
    note: str = ""

    @property
    def interval(self) -> tuple[Height, Height] | None:
        """The place in the stack as `leverage.model.heights.covered` takes it; None where none was given."""
        heights = [Height[name.upper()] for name in self.height]
        return (heights[0], heights[-1]) if heights else None


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Profile:
    """A named narrowing of a system, such as one back end of several."""

    exclude: tuple[Glob, ...] = ()
    default: bool = False
    note: str = ""


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Reported:
    """A figure somebody gave, with nothing behind it that could be counted."""

    figure: Literal["size_ratio"]
    over: Annotated[Id, Field(description="the system that the figure compares with")]
    value: Annotated[Decimal, Field(description="an integer or a quoted decimal")]
    precision: Literal["exact", "about", "at_least"] = "about"
    unit: str = "not stated"
    revision: str = "not stated"
    by: str
    source: str
    wording: Literal["verbatim", "paraphrase"] = "paraphrase"

    @property
    def fraction(self) -> Fraction:
        """The value as an exact fraction."""
        return Fraction(self.value)


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class System:
    """One implementation under comparison."""

    role: Role
    name: Annotated[str, Field(description="display name; the id where empty")] = ""
    vendor: str = ""
    licence: str = ""
    source: Source | None = None
    components: dict[Id, Component] = Field(default_factory=dict)
    boundaries: Annotated[
        dict[Id, tuple[str, ...]],
        Field(description="boundary name -> components; `system.component` names one of another system"),
    ] = Field(default_factory=dict)
    profiles: dict[Id, Profile] = Field(default_factory=dict)
    builds_on: Id | None = None
    below: tuple[Id, ...] = ()
    pack: Annotated[str, Field(description="classification rules; the id of the system where empty")] = ""
    stands_in_for: Id | None = None
    reported: tuple[Reported, ...] = ()
    needed: Annotated[str, Field(description="for systems without bytes: what would be needed to measure them")] = ""
    note: str = ""


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Denominator:
    """A named way of choosing both sides of a ratio: one value on each axis."""

    boundary: Id
    purposes: Annotated[tuple[Purpose, ...], Field(min_length=1)] = (Purpose.PRODUCTION,)
    unit: Literal["code", "physical", "nonblank", "bytes", "zstd", "tokens", "functions", "files"] = "code"
    convention: Annotated[str, Field(description="only for unit `code`: the rule by which a line is code")] = "leverage"
    languages: Literal["programming", "compiler", "python", "cpp", "all"] = "programming"
    copies: Annotated[
        Literal["in", "out"], Field(description="`out`: without lines that stand verbatim in what a system builds on")
    ] = "in"
    note: str = ""


# Values are checked beside the axes, where a misspelt one can be told from one that is not measured yet.
AxisValues = Literal["all"] | Annotated[tuple[str, ...], Field(min_length=1)]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Axes:
    """Values on the axes of a denominator; an axis that is left out stays where it is."""

    boundary: AxisValues | None = None
    purpose: Annotated[AxisValues | None, Field(description="production, with_tests, with_build")] = None
    unit: Annotated[
        AxisValues | None,
        Field(description="code, nonblank, physical, bytes, zstd, tokens, functions, files; operators is not measured"),
    ] = None
    convention: Annotated[AxisValues | None, Field(description="only varies where the unit is code")] = None
    languages: Annotated[AxisValues | None, Field(description="programming, compiler, python, cpp, all")] = None
    copies: Annotated[AxisValues | None, Field(description="in, out; `out` only where lines are counted")] = None
    revision: Annotated[AxisValues | None, Field(description="pinned; history is not measured yet")] = None


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Exclusion:
    """Members that a family leaves out, and why."""

    where: Annotated[Axes, Field(description="left out is what has one of the values on each of these axes")]
    why: Annotated[str, Field(min_length=1, description="what makes these members meaningless")]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Family:
    """Denominators declared together: the headline with some axes varied, or a product of such families."""

    vary: Axes = Field(default_factory=Axes)
    product: Annotated[tuple[Id, ...], Field(description="families whose axes are varied together")] = ()
    without: Annotated[tuple[Exclusion, ...], Field(description="members that are left out, each with its reason")] = ()
    note: str = ""


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Comparison:
    """Which two sides the ratios compare. The left side may be closed; its stand-ins are found by `stands_in_for`."""

    left: Id
    right: Id
    headline: Id


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
DottedName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$", max_length=200)]
Selector = Annotated[
    str,
    Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.]*((\[[^\[\]]+\])+|\([A-Za-z_][A-Za-z0-9_]*\))?$", max_length=200),
]
Given = (
    Annotated[str, Field(pattern=r"^([0-9]{1,15}(\.[0-9]{1,15})?|[a-z][a-z0-9_]*)$")]
    | Annotated[int, Field(ge=0, le=10**15)]
)


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Probe:
    """Something that claims need to know from source code: exactly one of the keys from `constant` to `reaches`.

    The source is read and never run.
    """

    system: Id
    path: Annotated[
        str, Field(min_length=1, description="path from the root of the source; `assigns` and `counts` take a pattern")
    ]
    constant: Annotated[
        Selector | None,
        Field(description="a number in Python: `NAME`, `Class.method.name`, `TABLE[key]` or `function(parameter)`"),
    ] = None
    define: Annotated[DottedName | None, Field(description="a number in C or C++: `#define` or `constexpr`")] = None
    assigns: Annotated[DottedName | None, Field(description="a dotted name that is assigned to")] = None
    calls: Annotated[tuple[DottedName, ...], Field(description="what a function calls, in this order")] = ()
    names: Annotated[tuple[DottedName, ...], Field(description="what a function mentions, in this order")] = ()
    counts: Annotated[
        tuple[DottedName, ...],
        Field(description="functions, of whose calls the different first arguments are counted; a list counts its own"),
    ] = ()
    settings: Annotated[
        Literal["all"] | None, Field(description="counts the names that a module and its classes assign")
    ] = None
    reaches: Annotated[
        tuple[DottedName, ...],
        Field(description="functions, of which is followed what of the system may run with them"),
    ] = ()
    namespace: Annotated[
        Name | None, Field(description="for `counts`: only operators of this namespace, without their overloads")
    ] = None
    within: Annotated[DottedName | None, Field(description="the function, for `calls` and `names`")] = None
    given: Annotated[
        dict[DottedName, Given], Field(description="values of names in the expression: numbers, or probes above")
    ] = Field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Share:
    """Whether code of some kind is more than a share of a system's code."""

    of: Annotated[str, Field(min_length=1, description="system, with `@profile` where one is meant")]
    boundary: Id
    by: Annotated[Literal["divergence", "stage"], Field(description="which words of the classification are named")]
    readings: Annotated[
        dict[str, Annotated[tuple[str, ...], Field(min_length=1)]],
        Field(min_length=1, description="reading -> the kinds of code that are added up"),
    ]
    against: Annotated[
        tuple[Literal["all", "departing"], ...],
        Field(min_length=1, description="`departing`: code that departs from the substrate's assumptions"),
    ] = ("all",)
    more_than: Annotated[Decimal, Field(description="a share between 0 and 1; the bound is ours")]


TouchName = Literal[
    "import",
    "subclass",
    "override",
    "monkey_patch",
    "container_mutation",
    "config_key",
    "registration",
    "attribute_use",
    "copied",
]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Touches:
    """Whether a port touches named symbols of its substrate in some way."""

    of: Annotated[Id, Field(description="the port")]
    symbols: Annotated[tuple[DottedName, ...], Field(min_length=1)]
    kinds: Annotated[tuple[TouchName, ...], Field(description="ways that count; all where empty")] = ()


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Untouched:
    """Things of a substrate, and which of them a port touches: exactly one of `by`, `probe` and `ran`."""

    by: Annotated[
        Literal["symbol", "module"] | None, Field(description="what is counted of the touchpoints below `below`")
    ] = None
    below: Annotated[DottedName | None, Field(description="for `by`: only symbols below this one")] = None
    kinds: Annotated[tuple[TouchName, ...], Field(description="for `by`: ways that count; all where empty")] = ()
    probe: Annotated[Name | None, Field(description="a probe that counts what is touched, in place of `by`")] = None
    of: Annotated[
        Name | None, Field(description="a probe that counts all of them; modules are those that are measured")
    ] = None
    ran: Annotated[
        str | None,
        Field(description="lines in functions of this part, such as torch/_inductor, that ran for some model"),
    ] = None


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class LeftAlone:
    """Whether more than a share of a substrate is left alone by a port, or was seen to run beneath it."""

    of: Annotated[Id, Field(description="the port")]
    readings: Annotated[dict[str, Untouched], Field(min_length=1)]
    more_than: Annotated[Decimal, Field(description="a share between 0 and 1; the bound is ours")]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class RunsBeneath:
    """Whether more lines of a substrate ran than a number for each line of the port's own, while models compiled."""

    of: Annotated[Id, Field(description="the port")]
    readings: Annotated[
        dict[str, str],
        Field(min_length=1, description="reading -> part, such as torch/_inductor; empty for all of the substrate"),
    ]
    more_than: Annotated[Decimal, Field(description="lines for each own line; the bound is ours")]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class DecidedIn:
    """Whether code of named stages lies in functions that may run with some function of the system."""

    of: Annotated[str, Field(min_length=1, description="system, with `@profile` where one is meant")]
    boundary: Id
    reach: Annotated[Name, Field(description="a probe that `reaches`")]
    decisions: Annotated[
        dict[str, Annotated[tuple[str, ...], Field(min_length=1)]],
        Field(min_length=1, description="decision -> the stages that its code is in"),
    ]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Rounding:
    """Whether a stated figure is the rounded value of another."""

    stated: Annotated[str, Field(pattern=r"^[0-9]{1,15}(\.[0-9]{1,15})?$", description="as written, with its decimals")]
    computed: Annotated[str, Field(min_length=1, max_length=200, description="arithmetic on numbers, such as 100 / 7")]


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Claim:
    """A statement, and the expression of ours that tests it: one kind of test, or `needs` or `awaits` in its place."""

    text: str
    wording: Literal["verbatim", "paraphrase"]
    by: str
    source: str
    revision_measured_by_claimant: str = "unknown"
    ratio_of: Annotated[
        tuple[Id, Id] | None, Field(description="[larger, smaller], the two systems of the claimed ratio")
    ] = None
    value: Annotated[Decimal | None, Field(description="the claimed ratio, an integer or a quoted decimal")] = None
    readings: Annotated[
        tuple[Literal["about", "at_least"], ...],
        Field(min_length=1, description="`about`: within 10 %; `at_least`: not smaller"),
    ] = ("about", "at_least")
    arithmetic: Annotated[
        dict[str, Annotated[str, Field(min_length=1, max_length=200)]],
        Field(description="reading -> comparison over probes, such as `cores * bytes == 64 * 2**20`"),
    ] = Field(default_factory=dict)
    found: Annotated[tuple[Name, ...], Field(description="probes that all must be found true")] = ()
    share: Share | None = None
    consistent: Rounding | None = None
    touches: Touches | None = None
    left_alone: LeftAlone | None = None
    runs_beneath: RunsBeneath | None = None
    decided_in: DecidedIn | None = None
    second_stage_of: Annotated[Id | None, Field(description="a port; holds where a second stage is declared")] = None
    second_vendor_of: Annotated[Id | None, Field(description="a port; holds where another vendor has the like")] = None
    awaits: Annotated[tuple[str, ...], Field(description="evidence that is not measured yet")] = ()
    needs: Annotated[str, Field(description="what is missing where the claim cannot be checked")] = ""
    inputs: Annotated[tuple[Name, ...], Field(description="further probes that are shown beside the claim")] = ()
    note: str = ""
    expect: Literal["holds", "holds only under", "does not hold", "not comparable", "cannot be checked"] | None = None


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Budget:
    """A limit that `leverage check` enforces."""

    measure: Annotated[
        str,
        Field(
            description="`system.component.unit`, `undetermined_share`, `system.undetermined_share`, "
            "`system.touchpoints`, `system.private_touchpoints` or `system.monkey_patches`"
        ),
    ]
    at_most: Annotated[Decimal, Field(description="an integer or a quoted decimal")]
    note: str = ""


@dataclass(frozen=True, config=CONFIG, kw_only=True)
class Spec:
    """The whole of `repos.yaml`."""

    version: Literal[1]
    title: str
    terms: Annotated[
        dict[Id, Annotated[str, Field(min_length=1)]],
        Field(description="words of this file that a reader of the report cannot know, each with a sentence"),
    ] = Field(default_factory=dict)
    systems: dict[Id, System]
    compare: Comparison | None = None
    denominators: dict[Id, Denominator] = Field(default_factory=dict)
    families: dict[Id, Family] = Field(default_factory=dict)
    probes: dict[Name, Probe] = Field(default_factory=dict)
    claims: dict[Id, Claim] = Field(default_factory=dict)
    budgets: tuple[Budget, ...] = ()
