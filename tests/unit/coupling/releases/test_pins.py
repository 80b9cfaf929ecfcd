from __future__ import annotations

import pytest
from leverage.coupling.releases.pins import asks_for_packages, chosen_pin, requirement
from tests.unit.coupling.releases.made import single

RELEASES = single("def f(): pass", "def f(): pass\ndef g(): pass", "def g(): pass")  # 1.0, 1.1, 1.2


@pytest.mark.parametrize(
    ("path", "text", "bounds"),
    [
        ("pyproject.toml", 'dependencies = ["numpy>=1", "up~=1.1.0"]', (("~=", "1.1.0"),)),
        ("setup.py", "install_requires=['up==1.1']", (("==", "1.1"),)),
        ("requirements-dev.txt", "up >= 1.0, < 1.2  # up==9", ((">=", "1.0"), ("<", "1.2"))),
        ("requirements.txt", "up[extra]===1.1+cpu", (("===", "1.1"),)),
        ("setup.cfg", "    up (==1.1.*)", (("==", "1.1"),)),
        ("environment.yml", "  - up==1.1", (("==", "1.1"),)),
    ],
)
def test_what_packaging_asks_for(path: str, text: str, bounds: tuple[tuple[str, str], ...]) -> None:
    assert asks_for_packages(path)
    found = requirement({path: text.encode()}, "up")
    assert found is not None
    assert found.bounds == bounds


def test_other_packages_are_not_meant() -> None:
    for text in ("upper==1.1", "my-up==1.1", "up_more==1", "# up==1.1", "up", "x.up==2"):
        assert requirement({"requirements.txt": text.encode()}, "up") is None
    assert not asks_for_packages("a/b/c/requirements.txt")
    assert not asks_for_packages("notes.txt")
    assert not asks_for_packages("docs/sample/requirements.txt")


def test_an_exact_version_goes_before_a_range_and_the_root_before_folders() -> None:
    found = requirement(
        {"setup.py": b"up>=1.0", "a/requirements.txt": b"up==1.2", "b/requirements.txt": b"up==1.0"}, "up"
    )
    assert found is not None
    assert (found.path, found.exact) == ("a/requirements.txt", "1.2")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("up==1.1.4", 1),  # the same minor release
        ("up==1.7", 2),
        ("up==0.9", 0),
        ("up<1.2", 1),  # of 1.0 and 1.1 the one that has both names
        ("up>=2", 1),
    ],
)
def test_the_release_that_a_port_is_written_for(text: str, at: int) -> None:
    found = requirement({"requirements.txt": text.encode()}, "up")
    assert chosen_pin(RELEASES, ["up.m.f", "up.m.g"], found)[0] == at


def test_without_packaging_the_release_whose_names_fit_best_is_taken() -> None:
    assert chosen_pin(RELEASES, ["up.m.f", "up.m.g"], None) == (
        1,
        "nothing says so; 2 of 2 touched names are in it, more than in any other that is allowed",
    )
    assert chosen_pin(RELEASES, [], None)[0] == 2
    assert chosen_pin(RELEASES, [], None, "1.0") == (0, "1.0 is given")
