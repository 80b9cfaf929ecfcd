"""The grid and the swings of the sample report: a few members of each standing, with invented numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverage.report.format import ratio_text
from leverage.report.view import (
    CellView,
    ChoiceView,
    FamilyView,
    GridView,
    LeftOutView,
    MemberView,
    NearView,
    NeededView,
    NormalisedView,
    RequiredView,
    SpanView,
    SpreadView,
    SwingView,
    TornadoView,
    TwoWayView,
    UnmeasuredView,
)

SEVEN = Fraction(7)
LEFTS = ["onnx-mlir", "tt-buda"]
UNLIKE = "tt-buda covers graph to tile_ir, torch-spyre covers graph to tile_ir, runtime"


def ratio(top: int, bottom: int) -> str:
    return ratio_text(Fraction(top, bottom), SEVEN)


def cell(left: str, size: int, right: int, *, doubt: int = 0, why: str = "") -> CellView:
    value = Fraction(size, right)
    return CellView(
        left=left,
        status="not comparable" if why else "ratio",
        size=size,
        low=size,
        high=size + doubt,
        unsized=doubt // 800,
        ratio="" if why else ratio(size, right),
        ratio_low="" if why else ratio(size, right),
        ratio_high="" if why else ratio(size + doubt, right),
        reaches={}
        if why
        else {
            "about": "yes" if abs(value - 7) <= Fraction(7, 10) else "no",
            "at_least": "yes" if value >= SEVEN else "no",
        },
        why=why,
    )


def member(
    place: tuple[str, str, str, str], size: int | None, cells: list[CellView], *, same_as: str = "", why: str = ""
) -> MemberView:
    boundary, purpose, unit, convention = place
    rule = "" if convention == "exact" else f":{convention}"
    return MemberView(
        id=f"{boundary}/{purpose}/{unit}{rule}/programming",
        sentence=f"{purpose} {unit} in programming languages, boundary {boundary}",
        boundary=boundary,
        purpose=purpose,
        unit=unit,
        convention=convention,
        languages="programming",
        copies="in",
        families=["counting", "everything"],
        standing="same amounts" if same_as else "not comparable" if why else "distinct",
        same_as=same_as,
        why=why,
        size=size,
        low=size,
        high=size,
        unsized=0,
        cells=cells,
    )


def choice(value: str, top: int, bottom: int, why: str = "") -> ChoiceView:
    return ChoiceView(
        value=value,
        member=f"member of {value}",
        status="not comparable" if why else "ratio",
        numerator=top,
        denominator=bottom,
        ratio="" if why else ratio(top, bottom),
        why=why,
    )


def swing(axis: str, title: str, base: str, choices: list[ChoiceView]) -> SwingView:
    ratios = sorted(
        (one for one in choices if one.ratio), key=lambda one: (one.numerator or 0) / (one.denominator or 1)
    )
    low, high = ratios[0], ratios[-1]
    factor = Fraction(high.numerator or 0, high.denominator or 1) / Fraction(low.numerator or 1, low.denominator or 1)
    return SwingView(axis=axis, title=title, base=base, low=low, high=high, factor=ratio_text(factor), choices=choices)


def sample_grid() -> GridView:
    head = ("extension", "production", "code", "leverage")
    bare = SpreadView(left="tt-buda", ratios=0, lowest="", lowest_member="", highest="", highest_member="", reaching={})
    spread = SpreadView(
        left="onnx-mlir",
        ratios=3,
        lowest=ratio(62_100, 13_000),
        lowest_member="extension/production/code:leverage/programming",
        highest=ratio(8_140_000, 1_100_000),
        highest_member="extension/production/bytes/programming",
        reaching={"about": 1, "at_least": 1},
    )
    return GridView(
        lefts=LEFTS,
        declared=5,
        comparable=4,
        distinct=3,
        pairs=5,
        reaching={"about": 1, "at_least": 1},
        members_reaching={"about": 1, "at_least": 1},
        spreads=[spread, bare],
        families=[
            FamilyView(
                id="counting",
                varies=["unit", "convention"],
                declared=4,
                comparable=4,
                distinct=3,
                spreads=[spread, bare],
            )
        ],
        nearest=[
            NearView(
                member="extension/production/bytes/programming",
                sentence="production bytes in programming languages, boundary extension",
                left="onnx-mlir",
                numerator=8_140_000,
                denominator=1_100_000,
                ratio=ratio(8_140_000, 1_100_000),
            )
        ],
        needed=[
            NeededView(
                boundary="with_second_stage",
                unit="code",
                sizes=2,
                required=[
                    RequiredView(
                        figure="7", reading="about", low=81_900, high=101_640, text="81,900 to 101,640 code lines"
                    ),
                    RequiredView(
                        figure="7",
                        reading="at_least",
                        low=91_000,
                        high=92_400,
                        text="at least 91,000 to 92,400 code lines",
                    ),
                ],
                measured=[SpanView(left="onnx-mlir", low=62_100, high=63_000)],
            )
        ],
        left_out=[
            LeftOutView(
                family="counting", where="unit files and languages python", why="file counts of one language", members=2
            )
        ],
        unmeasured=[
            UnmeasuredView(axis="unit", value="operators", why="operators are not in the facts", families=[]),
            UnmeasuredView(axis="revision", value="history", why="only the pinned revision is measured", families=[]),
        ],
        members=[
            member(head, 13_000, [cell("onnx-mlir", 62_100, 13_000, doubt=900), cell("tt-buda", 48_000, 13_000)]),
            member(
                ("extension", "production", "code", "cloc"),
                13_200,
                [cell("onnx-mlir", 63_000, 13_200), cell("tt-buda", 48_000, 13_200)],
            ),
            member(
                ("extension", "production", "code", "scc"),
                13_200,
                [],
                same_as="extension/production/code:cloc/programming",
            ),
            member(
                ("extension", "production", "bytes", "exact"),
                1_100_000,
                [cell("onnx-mlir", 8_140_000, 1_100_000), cell("tt-buda", 2_000_000, 1_100_000, why=UNLIKE)],
            ),
            member(
                ("with_substrate", "production", "code", "leverage"),
                160_000,
                [cell("onnx-mlir", 62_100, 160_000, why=UNLIKE), cell("tt-buda", 48_000, 160_000, why=UNLIKE)],
                why="onnx-mlir declares no boundary 'with_substrate'",
            ),
        ],
    )


def sample_moves() -> list[TornadoView]:
    base = choice("", 62_100, 13_000)
    units = [choice("code", 62_100, 13_000), choice("bytes", 8_140_000, 1_100_000)]
    edges = [choice("extension", 62_100, 13_000), choice("with_substrate", 62_100, 160_000, why=UNLIKE)]
    return [
        TornadoView(
            left="onnx-mlir",
            base=base,
            swings=[swing("unit", "Unit", "code", units), swing("boundary", "Boundary", "extension", edges)],
            two_way=TwoWayView(
                rows="unit",
                columns="boundary",
                row_values=["code", "bytes"],
                column_values=["extension", "with_substrate"],
                cells=[edges, [units[1], choice("", 8_140_000, 9_000_000, why=UNLIKE)]],
            ),
        )
    ]


def hostile_grid(everything: str, bad: str) -> GridView:
    """The grid with hostile text wherever text of others is shown."""
    grid = sample_grid()
    return replace(
        grid,
        lefts=[everything, bad],
        spreads=[replace(one, left=everything) for one in grid.spreads],
        families=[
            replace(one, id=bad, spreads=[replace(each, left=everything) for each in one.spreads])
            for one in grid.families
        ],
        nearest=[replace(one, member=bad, sentence=everything, left=everything) for one in grid.nearest],
        needed=[replace(one, boundary=everything) for one in grid.needed],
        left_out=[replace(one, family=bad, where=everything, why=everything) for one in grid.left_out],
        members=[
            replace(
                one,
                id=f"{bad}{index}",
                sentence=everything,
                boundary=everything,
                same_as=one.same_as and f"{bad}1",
                why=one.why and everything,
                cells=[replace(each, left=everything, why=everything) for each in one.cells],
            )
            for index, one in enumerate(grid.members)
        ],
    )


def hostile_moves(everything: str, bad: str) -> list[TornadoView]:
    """Swings whose left side and values are hostile."""
    return [
        replace(
            one,
            left=everything,
            swings=[
                replace(
                    each,
                    base=bad,
                    low=replace(each.low, value=everything),
                    high=replace(each.high, value=bad),
                    choices=[replace(value, value=everything, why=everything) for value in each.choices],
                )
                for each in one.swings
            ],
            two_way=None
            if one.two_way is None
            else replace(one.two_way, row_values=[everything, bad], column_values=[bad, everything]),
        )
        for one in sample_moves()
    ]


def sample_normalised() -> list[NormalisedView]:
    return [
        NormalisedView(
            base="stage",
            left="onnx-mlir",
            left_size=62_100,
            left_covers=9,
            left_each=6_900,
            right_size=13_000,
            right_covers=13,
            right_each=1_000,
            ratio=ratio(6_900, 1_000),
        )
    ]


def empty_grid() -> GridView:
    return GridView(
        lefts=[],
        declared=0,
        comparable=0,
        distinct=0,
        pairs=0,
        reaching={},
        members_reaching={},
        spreads=[],
        families=[],
        nearest=[],
        needed=[],
        left_out=[],
        unmeasured=[],
        members=[],
    )
