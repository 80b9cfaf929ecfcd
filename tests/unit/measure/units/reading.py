"""What the tests of unit readers share."""

from __future__ import annotations

from leverage.measure.languages import languages
from leverage.measure.lines.registry import SCANNERS
from leverage.measure.units import UnitMap, read_units
from leverage.model.lines import LineCounts


def classes(language: str, data: bytes) -> bytes:
    return bytes(SCANNERS[languages()[language].family].scan(data))


def units(language: str, data: bytes) -> UnitMap:
    return read_units(language, data, classes(language, data))


def listed(language: str, text: str) -> list[tuple[str, str, int, int]]:
    """Symbol, kind, first and last line of every unit but the rest."""
    found = units(language, text.encode())
    assert found.problem == ""
    return [(unit.symbol, unit.kind.value, unit.first, unit.last) for unit in found.units[1:]]


def owned(language: str, text: str) -> dict[str, list[int]]:
    """The lines that belong to each unit."""
    found = units(language, text.encode())
    return {
        unit.symbol: [line for line, owner in enumerate(found.owners, 1) if owner == index]
        for index, unit in enumerate(found.units)
    }


def check(language: str, data: bytes) -> UnitMap:
    """The promises that hold for any bytes; worked out from the owners, not from what the units say of themselves."""
    of_lines = classes(language, data)
    found = read_units(language, data, of_lines)
    assert len(found.owners) == len(of_lines)
    assert all(0 <= owner < len(found.units) for owner in found.owners)
    for index, unit in enumerate(found.units):
        own = [line for line, owner in enumerate(found.owners, 1) if owner == index]
        assert unit.lines == LineCounts.of(bytes(of_lines[line - 1] for line in own))
        assert 1 <= unit.first <= unit.last <= len(of_lines)
        assert all(unit.first <= line <= unit.last for line in own)
    assert len({unit.symbol for unit in found.units}) == len(found.units)
    assert [unit.first for unit in found.units] == sorted(unit.first for unit in found.units)
    if found.units:
        rest = found.units[0]
        assert (rest.symbol, rest.kind.value, rest.first, rest.last) == ("", "rest", 1, len(of_lines))
        assert all(unit.symbol and unit.kind.value != "rest" for unit in found.units[1:])
    else:
        assert not of_lines
    total = LineCounts()
    for unit in found.units:
        total += unit.lines
    assert total == LineCounts.of(of_lines)
    return found
