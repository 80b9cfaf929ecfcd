"""Amounts and ratios: exact integers and fractions that refuse to be mixed.

An `Amount` never travels without what it counts (unit), by which published rule (convention) and over which selection
of files (scope). Where the assignment of some lines is in doubt it also carries the lowest and the highest value that
the doubt allows. Percent and "x" exist only where text is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from leverage.model.errors import IncommensurableError


class Unit(StrEnum):
    """What is counted."""

    CODE = "code"
    PHYSICAL = "physical"
    NONBLANK = "nonblank"
    BYTES = "bytes"
    ZSTD = "zstd"
    TOKENS = "tokens"
    FUNCTIONS = "functions"
    FILES = "files"

    @property
    def noun(self) -> str:
        """The unit as it stands behind a number."""
        return {
            Unit.CODE: "code lines",
            Unit.PHYSICAL: "physical lines",
            Unit.NONBLANK: "non-blank lines",
            Unit.BYTES: "bytes",
            Unit.ZSTD: "compressed bytes",
            Unit.TOKENS: "lexical tokens",
            Unit.FUNCTIONS: "functions",
            Unit.FILES: "files",
        }[self]


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact count with everything that says what it counts.

    Attributes:
        value: the count, an integer of at least zero.
        unit: what is counted.
        convention: the rule by which a line is code (``leverage``, ``pygount`` ...); ``exact`` where no rule is needed.
        scope: the selection that was counted (purposes, languages), in canonical words; equal scopes compare equal.
        low: lowest value that doubtful assignments allow; equals ``value`` without doubt.
        high: highest such value.
        unsized: files of the selection whose size in this unit is not known: they are in no value, and widen ``high``;
            where copies are taken out, also files of which it is not known what is a copy: they widen ``low``.
    """

    value: int
    unit: Unit
    convention: str
    scope: str
    low: int = -1
    high: int = -1
    unsized: int = 0

    def __post_init__(self) -> None:
        if self.low < 0:
            object.__setattr__(self, "low", self.value)
        if self.high < 0:
            object.__setattr__(self, "high", self.value)
        if not 0 <= self.low <= self.value <= self.high:
            raise ValueError(f"an amount needs 0 <= low <= value <= high, got {self}")

    @property
    def exact(self) -> bool:
        """Whether no assignment is in doubt."""
        return self.low == self.high

    def _same_measure(self, other: Amount, verb: str) -> None:
        for name in ("unit", "convention", "scope"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise IncommensurableError(f"cannot {verb} amounts of different {name}: {mine!r} and {theirs!r}")

    def __add__(self, other: Amount) -> Amount:
        self._same_measure(other, "add")
        return Amount(
            self.value + other.value,
            self.unit,
            self.convention,
            self.scope,
            self.low + other.low,
            self.high + other.high,
            self.unsized + other.unsized,
        )

    def __truediv__(self, other: Amount) -> Ratio:
        return Ratio(self, other)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two amounts of the same unit, convention and scope, kept as an exact fraction.

    Raises:
        IncommensurableError: the two amounts count different things.
        ZeroDivisionError: the denominator may be zero; that case is "not comparable", never infinity.
    """

    numerator: Amount
    denominator: Amount

    def __post_init__(self) -> None:
        self.numerator._same_measure(self.denominator, "divide")  # noqa: SLF001 - the two types are one unit
        if self.denominator.low == 0:
            raise ZeroDivisionError("the denominator of a ratio may be zero")

    @property
    def value(self) -> Fraction:
        """The ratio of the two values."""
        return Fraction(self.numerator.value, self.denominator.value)

    @property
    def low(self) -> Fraction:
        """Smallest numerator over largest denominator."""
        return Fraction(self.numerator.low, self.denominator.high)

    @property
    def high(self) -> Fraction:
        """Largest numerator over smallest denominator."""
        return Fraction(self.numerator.high, self.denominator.low)
