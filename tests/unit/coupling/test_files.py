from __future__ import annotations

import pytest
from leverage.coupling.files import other_purpose, packages_of
from leverage.model.decisions import Purpose

PATHS = ["port/__init__.py", "port/tools/__init__.py", "port/deep/down/__init__.py", "tools/__init__.py"]
PACKAGES = packages_of(PATHS)


def test_packages_are_folders_with_an_init() -> None:
    assert frozenset({"port", "port/tools", "port/deep/down", "tools"}) == PACKAGES
    assert packages_of(["__init__.py"]) == frozenset({""})


@pytest.mark.parametrize(
    ("path", "purpose"),
    [
        ("port/a.py", None),
        ("port/tools/a.py", None),
        ("port/codegen/setup.py", None),
        ("port/latest.py", None),
        ("port/build/x.py", None),
        ("setup.py", Purpose.BUILD),
        ("tools/a.py", Purpose.BUILD),
        ("docs/conf.py", Purpose.DOCS),
        ("examples/a.py", Purpose.EXAMPLE),
        ("benchmarks/a/b.py", Purpose.EXAMPLE),
        ("tests/a.py", Purpose.TEST),
        ("port/tests/a.py", Purpose.TEST),
        ("port/Testing/a.py", Purpose.TEST),
        ("port/test_a.py", Purpose.TEST),
        ("port/a_test.py", Purpose.TEST),
        ("port/a_test.cpp", Purpose.TEST),
        ("conftest.py", Purpose.TEST),
        ("third_party/lib/a.cpp", Purpose.VENDORED),
        ("port/_vendor/a.py", Purpose.VENDORED),
        (".venv/lib/site-packages/torch/a.py", Purpose.VENDORED),
    ],
)
def test_what_a_file_is_for(path: str, purpose: Purpose | None) -> None:
    assert other_purpose(path, PACKAGES) is purpose
