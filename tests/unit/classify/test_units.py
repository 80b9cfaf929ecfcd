"""From the bytes of a system to what every function is, and why; declared rules before anchors before words."""

from __future__ import annotations

import pytest
from leverage.classify.anchors import Anchor, How
from leverage.classify.pack import parse_pack
from leverage.classify.reading import read_file
from leverage.classify.scoring import OWN_SHARE, probabilities, scores, telling, unit_scores, weights
from leverage.classify.units import Classified, classify_units, witness
from leverage.classify.vocabulary import STAGE_IDS
from leverage.classify.words import Field
from leverage.model.decisions import Confidence

PLANNER = b'''
class ScratchpadAllocator:
    """Assigns buffers to the scratchpad of each core by their live ranges."""

    def allocate_buffer(self, live_range, sram_banks):
        for bank in sram_banks:
            if bank.fits(live_range):
                return bank.assign(live_range)
        return self.spill(live_range)
'''
PRINTER = b'''
def emit_kernel(writer, kernel_name):
    """Emits the source code of a kernel into the wrapper."""
    writer.writeline(f"def {kernel_name}():")
    writer.codegen_body(kernel_name)
'''
NOTHING = b"qq = 1\n"
PACK = """\
id: port
about: {read: all of it, source: https://example.org/port, revision: "1"}
roots: [port]
rules:
  - id: spilling
    stage: memory_planning
    divergence: none
    paths: [port/alloc/**]
    symbols: ["*.allocate_buffer"]
    reason: Declared by somebody who read it.
    matches: ["port/alloc/scratchpad.py::ScratchpadAllocator.allocate_buffer"]
"""


def of(files: dict[str, bytes], **options: object) -> dict[tuple[str, str], Classified]:
    read = [witness(path, "python", data) for path, data in files.items()]
    chosen: dict[str, object] = {"pack": None, "anchors": {}} | options
    return {(row.path, row.unit.symbol): row for row in classify_units(read, **chosen)}  # type: ignore[arg-type]


FILES = {
    "port/alloc/scratchpad.py": PLANNER,
    "port/codegen/kernel_printer.py": PRINTER,
    "port/x.py": NOTHING,
}


def test_words_tell_the_stage_of_a_function() -> None:
    found = of(FILES)
    place = "port/alloc/scratchpad.py", "ScratchpadAllocator.allocate_buffer"
    assert found[place].decision.stage == "scratchpad"
    assert found[place].decision.divergence == "on_chip_storage"
    assert found[place].decision.confidence is Confidence.LIKELY
    assert found[place].decision.runner_up == "memory_planning"
    assert found[place].decision.rule == "words"
    assert found["port/codegen/kernel_printer.py", "emit_kernel"].decision.stage == "codegen"


def test_every_unit_has_one_row_and_the_rows_add_up() -> None:
    found = of(FILES)
    assert sum(row.unit.lines.physical for row in found.values()) == sum(data.count(b"\n") for data in FILES.values())


def test_a_declared_rule_about_a_unit_decides_it_alone() -> None:
    pack = parse_pack(PACK.encode(), name="port", file="port.yaml")
    found = of(FILES, pack=pack)
    row = found["port/alloc/scratchpad.py", "ScratchpadAllocator.allocate_buffer"]
    assert (row.decision.stage, row.decision.rule) == ("memory_planning", "port/spilling")
    assert row.decision.confidence is Confidence.DECLARED
    assert found["port/alloc/scratchpad.py", "ScratchpadAllocator"].decision.stage == "scratchpad"


def test_an_anchor_is_stronger_than_words_and_says_where_it_hangs() -> None:
    place = "port/codegen/kernel_printer.py", "emit_kernel"
    hook = Anchor("graph_rewrite", "", "torch._inductor.config.post_grad_custom_pre_pass", How.HOOK, 2)
    row = of(FILES, anchors={place: (hook,)})[place]
    assert row.decision.stage == "graph_rewrite"
    assert row.decision.confidence is Confidence.ANCHORED
    assert row.decision.rule == "anchor"
    assert "post_grad_custom_pre_pass" in row.decision.reason
    assert row.decision.runner_up == ""  # nothing comes near a hook


def test_what_several_stages_reach_is_decided_by_none_of_them() -> None:
    place = "port/codegen/kernel_printer.py", "emit_kernel"
    several = tuple(Anchor(stage, "", "x", How.REACHED, 2) for stage in ("lowering", "layout"))
    before, after = of(FILES)[place].decision, of(FILES, anchors={place: several})[place].decision
    assert after == before


def test_probabilities_add_up_and_follow_the_scores() -> None:
    of_words = scores({(Field.FILE, "scratchpad"): 1, (Field.CODE, "sram"): 4, (Field.COMMENT, "bank"): 2})
    chances = probabilities(of_words)
    assert sum(chances) == pytest.approx(1)
    start = probabilities(weights().start)
    at = STAGE_IDS.index("scratchpad")
    assert chances[at] > 2 * start[at]
    assert probabilities((1e6, -1e6))[0] == 1.0


def test_words_that_nobody_knows_leave_the_scores_where_they_start() -> None:
    assert scores({(Field.CODE, "qqqq"): 3}) == weights().start
    assert telling({(Field.CODE, "qqqq"): 3}, "codegen", "layout", 5) == ()


def test_telling_words_are_the_strongest_first() -> None:
    words: dict[tuple[str, str], int] = {
        (Field.FILE, "scratchpad"): 1,
        (Field.CODE, "sram"): 4,
        (Field.CODE, "codegen"): 1,
    }
    found = telling(words, "scratchpad", "codegen", 3)
    assert found[0][0] == "file@scratchpad"
    assert [gain for _, gain in found] == sorted((gain for _, gain in found), reverse=True)


def test_the_weights_are_of_the_vocabulary_and_can_be_read() -> None:
    known = weights()
    assert len(known.start) == len(STAGE_IDS)
    assert 2_000 < len(known.by_feature) < 5_000
    fields = {each.value for each in Field}
    for name, by_stage in known.by_feature.items():
        assert re_split(name)[0] in fields
        assert all(abs(weight) >= 0.1 for _, weight in by_stage)


def re_split(name: str) -> tuple[str, str]:
    field, _, rest = name.partition("@" if "@" in name else ":")
    return field, rest


def test_scores_of_a_file_with_one_unit_agree_with_its_own_words() -> None:
    whole, (unit, *_) = unit_scores(read_file("port/x.py", "python", NOTHING).words)
    # No word of its own that anybody knows, so the file alone speaks, at its share of the mean.
    assert unit == pytest.approx([each / (1 + OWN_SHARE) for each in whole])
