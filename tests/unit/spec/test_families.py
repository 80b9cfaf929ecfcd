import pytest
from leverage.spec.axes import AXES, place_of, spans
from leverage.spec.types import Denominator
from tests.unit.spec.examples import GOOD, load, only, problems

FAMILIES = """\
families:
  edge: {vary: {boundary: all}}
  counting: {vary: {unit: [code, bytes], convention: all}}
  both:
    product: [edge, counting]
    without:
      - {where: {unit: [bytes], boundary: [with_substrate]}, why: says nothing}
"""
START = GOOD.count("\n")  # the families begin on the line after
ORDERED = ("leverage", "cloc", "pygount")


def with_families(old: str = "", new: str = "") -> str:
    assert not old or FAMILIES.count(old) == 1
    return GOOD + (FAMILIES.replace(old, new) if old else FAMILIES)


def test_a_family_spans_what_it_varies_and_the_headline_elsewhere() -> None:
    spec = load(with_families()).spec
    inside = spans(spec, spec.families["both"], ORDERED)
    assert inside == {
        "boundary": ("extension", "with_substrate"),
        "purpose": ("production",),
        "unit": ("code", "bytes"),
        "convention": ORDERED,
        "languages": ("programming",),
        "copies": ("in",),
        "revision": ("pinned",),
    }


def test_all_on_an_axis_leaves_out_what_is_not_measured_yet() -> None:
    spec = load(with_families("unit: [code, bytes]", "unit: all")).spec
    units = ("code", "nonblank", "physical", "bytes", "zstd", "tokens", "functions", "files")
    assert spans(spec, spec.families["counting"], ORDERED)["unit"] == units
    assert set(AXES["unit"].unmeasured) == {"operators"}


def test_a_value_that_is_not_measured_yet_may_be_named() -> None:
    spec = load(with_families("unit: [code, bytes]", "unit: [code, bytes, operators]")).spec
    assert "operators" in spans(spec, spec.families["counting"], ORDERED)["unit"]


def test_the_word_all_and_the_language_set_all_are_two_things() -> None:
    one = load(GOOD + "families:\n  f: {vary: {languages: [all]}}\n  g: {vary: {languages: all}}\n").spec
    assert spans(one, one.families["f"], ORDERED)["languages"] == ("all",)
    assert spans(one, one.families["g"], ORDERED)["languages"] == AXES["languages"].values


def test_the_place_of_a_denominator() -> None:
    place = place_of(Denominator(boundary="extension", unit="bytes"))
    assert (place["convention"], place["purpose"], place["revision"]) == ("exact", "production", "pinned")


@pytest.mark.parametrize(
    ("old", "new", "line", "what", "hint"),
    [
        (
            "product: [edge, counting]",
            "product: [edg, counting]",
            5,
            "there is no family `edg`",
            "did you mean `edge`?",
        ),
        ("product: [edge, counting]", "product: [edge, both]", 5, "`both` is a product itself", "one by one"),
        ("unit: [code, bytes], c", "unit: [code, byte], c", 3, "no value `byte` on the axis `unit`", "`bytes`?"),
        ("unit: [code, bytes], c", "units: [code], c", 3, "there is no key `units`", "did you mean `unit`?"),
        ("convention: all", "convention: [clok]", 3, "no value `clok` on the axis `convention`", "`cloc`?"),
        ("{boundary: all}", "{boundary: [extensoin]}", 2, "no value `extensoin`", "did you mean `extension`?"),
        ("{vary: {boundary: all}}", "{}", 2, "the family `edge` varies nothing", "vary: {unit: all}"),
        ("{boundary: all}", "{unit: [files]}", 5, "`edge` and `counting` both vary `unit`", "each axis"),
        ("{unit: [bytes], b", "{unit: [files], b", 7, "no member of `both` has `unit` `files`", "delete the exclusion"),
        ("{unit: [bytes], boundary: [with_substrate]}", "{}", 7, "an exclusion of everything", "name an axis"),
        (", why: says nothing", "", 7, "`why`", "meaningless"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(old: str, new: str, line: int, what: str, hint: str) -> None:
    problem = only(with_families(old, new))
    assert problem.where is not None
    assert problem.where.line == START + line, problem
    assert what in problem.what, problem
    assert hint in problem.hint, problem


def test_families_need_a_comparison() -> None:
    text = with_families().replace("compare: {left: closed, right: port, headline: headline}\n", "")
    assert "vary the headline" in only(text).what


def test_all_mistakes_are_said_at_once() -> None:
    text = with_families("[edge, counting]", "[edg, counting]").replace("unit: [code, bytes]", "unit: [kode, bites]")
    assert len(problems(text)) == 3
