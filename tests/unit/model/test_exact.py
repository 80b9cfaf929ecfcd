import ast
import operator
from fractions import Fraction
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.model.exact import DEEPEST, MOST_BITS, Exact, Refused, compared, evaluated, names_in, parsed


def value(text: str, names: dict[str, Exact] | None = None, *, whole_division: bool = False) -> Exact | Refused:
    tree = parsed(text)
    if isinstance(tree, Refused):
        return tree
    (statement,) = tree.body
    assert isinstance(statement, ast.Expr)
    return evaluated(statement.value, names, whole_division=whole_division)


def number(text: str, names: dict[str, Exact] | None = None, *, whole_division: bool = False) -> Fraction:
    found = value(text, names, whole_division=whole_division)
    assert isinstance(found, Exact), found
    return found.value


def refusal(text: str) -> str:
    found = value(text)
    assert isinstance(found, Refused), found
    return found.why


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 << 20", 2_097_152),
        ("32 * 2 * 1024 * 1024", 67_108_864),
        ("2 ** 20 - 1", 1_048_575),
        ("7 / 2", Fraction(7, 2)),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("2 ** -2", Fraction(1, 4)),
        ("int((2 << 20) * (1.0 - 0.2))", 1_677_721),
        ("int(-3.7)", -3),
        ('float("0.2")', Fraction(1, 5)),
        ("0xFF + 0b1 + 1_000", 1_256),
        ("1e3", 1000),
        ("1024 >> 3", 128),
    ],
)
def test_values_worked_out_by_hand(text: str, expected: int | Fraction) -> None:
    assert number(text) == expected


def test_a_default_from_the_environment_is_a_value_that_says_so() -> None:
    assert value('int(os.getenv("CORES", "32"))') == Exact(Fraction(32), ("CORES",))
    assert value('float(os.environ.get("PART", default="0.2"))') == Exact(Fraction(1, 5), ("PART",))
    names = {"config.part": Exact(Fraction(1, 5), ("PART",))}
    assert value("1 - config.part", names) == Exact(Fraction(4, 5), ("PART",))


def test_division_as_in_c_cuts_off() -> None:
    assert number("7 / 2", whole_division=True) == 3
    assert number("-7 / 2", whole_division=True) == -3
    assert number("-7 % 3", whole_division=True) == -1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9**9**9", "bits"),
        ("2**99999999999999", "bits"),
        ("1 << 99999999999", "small integer"),
        ("1 << -1", "small integer"),
        ("1e308 ** 5", "bits"),
        ("2.5 << 1", "small integer"),
        ("1 / 0", "zero"),
        ("1 % 0", "zero"),
        ("0 ** -1", "zero"),
        ("2 ** 0.5", "exponent"),
        ("1e999", "finite"),
        ("True", "not a number"),
        ("'7'", "text"),
        ("1j", "more than arithmetic"),
        ("[1][0]", "more than arithmetic"),
        ("x + 1", "`x` is not known"),
        ("__import__('os').system('true')", "nothing is executed"),
        ("open('/etc/passwd').read()", "nothing is executed"),
        ("os.getenv('A')", "without a default"),
        ("int('9' * 3)", "text"),
        ("int('zz')", "not a decimal"),
        ("int('1.5')", "not an integer"),
        ("(lambda: 1)()", "nothing is executed"),
        ("1 @ 2", "operator"),
    ],
)
def test_what_is_refused_says_why(text: str, why: str) -> None:
    assert why in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 400 + "1" + ")" * 400,
        "-" * 900 + "1",
        "1" + "+1" * 450,
        "not " * 240 + "1",
        "a" + ".a" * 490,
        "9" * 990,
        "9**" * 300 + "9",
        "(" * 999,
        "\x00",
        "1 if " * 190 + "1",
    ],
)
def test_hostile_expressions_are_refused_at_once(text: str) -> None:
    start = perf_counter()
    assert isinstance(value(text), Refused) or text.startswith("9" * 990)
    assert perf_counter() - start < 1


def test_more_text_than_is_read_is_refused() -> None:
    assert isinstance(parsed("1" * 2_000), Refused)
    assert isinstance(parsed("-" * 3_000_000 + "1", longest=4_000_000), Refused)


@pytest.mark.parametrize("inner", ["({})", "[{}]", "-{}", "lambda: {}", "{} if a else b", "a.{}", "not {}", "await {}"])
def test_no_nesting_ends_the_process(inner: str) -> None:
    before, after = inner.split("{}")
    deep = before * 20_000 + "1" + after * 20_000
    assert isinstance(parsed(deep, longest=10_000_000), ast.Module | Refused)


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod}
small = st.recursive(
    st.integers(-50, 50).map(str),
    lambda inner: st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from([*OPERATORS, "<<"]), inner),
    max_leaves=6,
)


@given(small)
def test_small_integer_expressions_equal_python(text: str) -> None:
    found = value(text)
    try:
        expected = eval(text) if len(text) < 60 and text.count("<<") < 2 else None  # noqa: S307 - our own text
    except (ZeroDivisionError, ValueError, OverflowError):
        assert isinstance(found, Refused)
        return
    if isinstance(found, Exact) and expected is not None:
        assert found.value == expected


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_decimal_is_the_one_that_is_written(one: float) -> None:
    assert number(repr(one)) == Fraction(repr(one))


@given(st.text(max_size=40) | st.text("0123456789*-+/%<>()._eE ", max_size=60))
def test_nothing_is_ever_raised_and_nothing_grows(text: str) -> None:
    tree = parsed(text)
    if isinstance(tree, Refused):
        return
    for statement in tree.body:
        if isinstance(statement, ast.Expr):
            found = evaluated(statement.value)
            if isinstance(found, Exact):
                assert found.value.numerator.bit_length() <= MOST_BITS
    assert isinstance(compared(text, {}), tuple | Refused)
    assert isinstance(names_in(text), frozenset)


def test_comparisons_give_both_sides() -> None:
    names = {"cores": Exact(Fraction(32), ("CORES",)), "size": Exact(Fraction(2 << 20))}
    found = compared("cores * size == 64 * 2**20", names)
    assert isinstance(found, tuple)
    assert found[0] is True
    assert found[1] == Exact(Fraction(64 << 20), ("CORES",))
    assert compared("cores < 32", names) == (False, names["cores"], Exact(Fraction(32)))
    assert names_in("cores * size == int(64)") == {"cores", "size"}


@pytest.mark.parametrize("text", ["cores", "1 < 2 < 3", "1 != 2", "1 == 1; 2 == 2", "1 ==", "x == 1", "1 == x", ""])
def test_what_is_no_comparison_is_refused(text: str) -> None:
    assert isinstance(compared(text, {}), Refused)


def test_depth_is_bounded_where_it_is_counted() -> None:
    assert number("-" * (DEEPEST - 2) + "1") == 1
    assert "nested" in refusal("-" * (DEEPEST + 2) + "1")
