"""What is known of the substrate beforehand: `upstream.toml` as a value."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Classes of things, by canonical dotted name.

    Attributes:
        fields: of attributes.
        elements: of the elements of collections.
        returns: of what is returned; a trailing ``[]`` means a sequence of such.
        calls: of the parameters that a hook calls its function with.
        shared: classes of which a compilation has one object.
        config: modules whose attributes are switches.
        registration: matches the last part of the name of a function that registers.
        mutating: functions that change a collection they are given, with the index of that argument.
    """

    fields: Mapping[str, str]
    elements: Mapping[str, str]
    returns: Mapping[str, str]
    calls: Mapping[str, tuple[str, ...]]
    shared: frozenset[str]
    config: frozenset[str]
    registration: re.Pattern[str]
    mutating: Mapping[str, int]


@cache
def knowledge() -> Knowledge:
    """The shipped table."""
    data = tomllib.loads((files("leverage.resolve") / "upstream.toml").read_text(encoding="utf-8"))
    return Knowledge(
        data["fields"],
        data["elements"],
        data["returns"],
        {name: tuple(classes) for name, classes in data["calls"].items()},
        frozenset(data["shared"]["classes"]),
        frozenset(data["config"]["modules"]),
        re.compile(data["registration"]["names"]),
        data["mutating"],
    )
