from __future__ import annotations

import pytest
from leverage.coupling.releases.guards import conditions, is_second_choice, runs


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("torch.__version__ >= '2.12'", True),
        ("torch.__version__ < '2.12'", False),
        ("Version(torch.__version__) >= Version('2.12.0')", True),
        ("version.parse(torch.__version__) >= version.parse('2.13')", False),
        ("TORCH_VERSION[:2] == (2, 12)", True),
        ("not (torch.__version__ >= '2.12')", False),
        ("'2.13' <= torch.__version__", False),
        ("is_torch_version_ge('2.13')", False),
        ("is_torch_equal_or_newer('2.9')", True),
        ("hasattr(torch.up, 'there')", True),
        ("hasattr(torch.up, 'gone')", False),
        ("not (hasattr(torch.up, 'gone'))", True),
        ("hasattr(op, 'anything')", None),
        ("hasattr(op, 'x') and torch.__version__ < '2'", False),
        ("hasattr(torch.up, 'there') or hasattr(op, 'x')", True),
        ("TYPE_CHECKING", False),
        ("not (TYPE_CHECKING)", True),
        ("try: except ImportError", None),
        ("version", None),
        ("torch.__version__ >= (", None),
        ("(((((", None),
        ("", None),
    ],
)
def test_whether_code_runs_in_a_release(guard: str, expected: bool | None) -> None:  # noqa: FBT001 - a parameter of the test
    known = {"torch.up.there": True, "torch.up.gone": False}
    assert runs(guard, "2.12.1", known.get) is expected


def test_a_condition_in_brackets_stays_whole() -> None:
    assert conditions("not (a and b) and c") == ["not (a and b)", "c"]


def test_handlers_are_second_choices() -> None:
    assert is_second_choice("except ImportError, AttributeError")
    assert not is_second_choice("try: except ImportError")
    assert not is_second_choice("except Exception")
