from __future__ import annotations

import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.coupling.releases.extract import Entry, ModuleFacts, Sort
from leverage.coupling.releases.series import Release, packed, read_series, series_of, within
from leverage.coupling.releases.shipped import shipped_series
from leverage.model.errors import ConfigurationError
from tests.unit.coupling.releases.made import index_text

NAMES = st.sampled_from(["a", "C", "C.m", "C.n.x", "_p", "*up.other"])
TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Z"], exclude_characters="\xa0"), max_size=6)
ENTRIES = st.builds(
    Entry,
    st.sampled_from(Sort),
    TEXTS.map(lambda text: text if text.isprintable() and text != "=" else ""),
    st.sampled_from(["", "property"]),
    st.sampled_from(["", "aBcD", "x-_9"]),
    st.sampled_from(["", "aB", "int | None"]),
    st.integers(0, 9),
)
FACTS = st.builds(ModuleFacts, st.booleans(), st.dictionaries(NAMES, ENTRIES))
SERIES = st.lists(st.dictionaries(st.sampled_from(["up", "up.m", "up.n"]), FACTS), min_size=1, max_size=5)


@given(SERIES)
def test_what_goes_in_comes_out(found: list[dict[str, ModuleFacts]]) -> None:
    releases = [(Release(f"1.{at}"), modules) for at, modules in enumerate(found)]
    series = read_series(packed(series_of("up", releases)), "made")
    assert series.versions == tuple(release.version for release, _ in releases)
    for at, modules in enumerate(found):
        for name in ("up", "up.m", "up.n"):
            forms = series.module(name)
            assert (forms is not None and within(forms.runs, at)) == (name in modules)
            if name in modules:
                assert forms is not None
                assert within(forms.open, at) == modules[name].open
                assert {path: one for path in forms.names if (one := forms.entry(path, at))} == modules[name].entries


def test_a_name_that_stays_is_written_once() -> None:
    text = index_text(*({"up/m.py": "def f(a): return a\n"} for _ in range(5)))
    assert text.count("\tf\t") == 1
    assert "f\t04\tf\ta" in text


def test_the_same_sources_give_the_same_bytes() -> None:
    files = {"up/m.py": "class C:\n  def f(self): self.x = 1\n", "up/n.py": "a = 1\n"}
    assert packed(index_text(files)) == packed(index_text(dict(reversed(files.items()))))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not xz",
        lzma.compress(b""),
        lzma.compress(b"{}\n"),
        lzma.compress(b'{"leverage-index":1,"normaliser":1,"substrate":"up","releases":7}\n'),
        lzma.compress(b"[" * 100_000),
        lzma.compress(b"\xff\xfe\n"),
        packed(index_text({"up/m.py": ""}))[:-9],
    ],
)
def test_what_is_no_index_is_refused(data: bytes) -> None:
    with pytest.raises(ConfigurationError, match="release-index"):
        read_series(data, "made.xz")


def test_fingerprints_of_another_normaliser_are_refused() -> None:
    text = index_text({"up/m.py": ""}).replace('"normaliser":1', '"normaliser":2')
    with pytest.raises(ConfigurationError, match="normaliser 2"):
        read_series(packed(text), "made.xz")


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leverage.coupling.releases.series.MOST_BYTES", 1000)
    with pytest.raises(ConfigurationError, match="too much"):
        read_series(lzma.compress(b" " * 10_000), "made.xz")


def test_the_shipped_index_holds_one_release_for_each_minor_one() -> None:
    series = shipped_series("torch")
    assert series is not None
    assert [version.rpartition(".")[0] for version in series.versions] == [f"2.{minor}" for minor in range(6, 16)]
    assert shipped_series("nothing_of_the_kind") is None
    assert shipped_series("../torch") is None
