from __future__ import annotations

import pytest
from leverage.model.amounts import Unit
from leverage.spec.refs import Measure, resolve_component, resolve_measure, splits
from tests.unit.spec.examples import GOOD, load


def test_every_way_of_cutting_a_dotted_name() -> None:
    assert list(splits("a.b.c")) == [("a.b", "c"), ("a", "b.c")]
    assert list(splits("a")) == []


@pytest.mark.parametrize(
    ("system", "entry", "found"),
    [
        ("port", "extension", ("port", "extension")),
        ("port", "base-2.11.inductor", ("base-2.11", "inductor")),
        ("open", "port.extension", ("port", "extension")),
        ("open", "extension", None),
        ("port", "base-2.inductor", None),
        ("port", "base-2.11.", None),
        ("port", "", None),
    ],
)
def test_components(system: str, entry: str, found: tuple[str, str] | None) -> None:
    assert resolve_component(load(GOOD).spec, system, entry) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("undetermined_share", Measure("", "", None)),
        ("base-2.11.undetermined_share", Measure("base-2.11", "", None)),
        ("base-2.11.inductor.code", Measure("base-2.11", "inductor", Unit.CODE)),
        ("port.tests.bytes", Measure("port", "tests", Unit.BYTES)),
        ("port.tests", None),
        ("port.code", None),
        ("port.tests.lines", None),
        ("x.undetermined_share", None),
        (".undetermined_share", None),
        ("code", None),
        ("", None),
    ],
)
def test_measures(text: str, found: Measure | None) -> None:
    assert resolve_measure(load(GOOD).spec, text) == found
