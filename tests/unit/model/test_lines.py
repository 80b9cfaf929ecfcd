from hypothesis import given
from hypothesis import strategies as st
from leverage.model.lines import FIELDS, MEANINGS, LineClass, LineCounts

classes = st.binary(max_size=200).map(lambda data: bytes(value % len(LineClass) for value in data))


def test_fields_classes_and_meanings_are_the_same_list() -> None:
    assert list(FIELDS) == [one.label for one in LineClass]
    assert set(MEANINGS) == set(LineClass)


def test_counting_a_sequence_of_classes() -> None:
    counts = LineCounts.of(bytes([LineClass.CODE, LineClass.BLANK, LineClass.CODE, LineClass.COMMENT]))
    assert counts == LineCounts(code=2, comment=1, blank=1)
    assert counts[LineClass.CODE] == 2


@given(classes, classes)
def test_counts_add_up_and_keep_every_line(a: bytes, b: bytes) -> None:
    assert LineCounts.of(a).physical == len(a)
    assert LineCounts.of(a) + LineCounts.of(b) == LineCounts.of(a + b)
