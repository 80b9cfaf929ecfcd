"""A report for tests: the shape of a real one, with invented numbers. Nothing here was measured.

`sample_report` has the usual cases: three stand-ins for a closed system, one of them not comparable under one
denominator, a recorded system, a reported one without bytes, files that are unknown. `hostile_report` puts everything
that a hostile tree can hold into the places where text of others ends up. `empty_report` has nothing to say.
Long because a whole report is written out once, one argument on a line.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverage.report.format import TIMES, count_text, part_text, ratio_text
from leverage.report.lookup import unit_noun
from leverage.report.view import (
    AmountView,
    BudgetView,
    ComponentView,
    DenominatorView,
    IdentityRow,
    IdentityView,
    PairView,
    PinView,
    ProvenanceView,
    RatioView,
    ReportV1,
    RequiredView,
    ShareView,
    StageCell,
    StagesView,
    StepView,
    SystemView,
    Table,
    TermView,
    VerdictView,
    WaterfallView,
    WitnessRow,
)
from tests.unit.report.sample_claims import hostile_claims, hostile_transfer, sample_claims, sample_transfer
from tests.unit.report.sample_coupling import (
    hostile_coupling,
    hostile_leverage,
    sample_coupling,
    sample_leverage,
)
from tests.unit.report.sample_grid import (
    empty_grid,
    hostile_grid,
    hostile_moves,
    sample_grid,
    sample_moves,
    sample_normalised,
)

SEVEN = Fraction(7)
STAND_INS = ("onnx-mlir", "tt-buda", "glow")
STAGES = {
    "capture": ("Capture", "takes a model's program over from the framework"),
    "graph_rewrite": ("Graph rewrite", "rewrites the operator graph before it is lowered"),
    "decomposition": ("Decomposition", "splits operators into smaller ones"),
    "lowering": ("Lowering", "turns operators into loops"),
    "layout": ("Layout", "decides how tensors lie in memory"),
    "tiling": ("Tiling", "cuts loops and tensors into tiles"),
    "work_division": ("Work division", "gives tiles to cores"),
    "scratchpad": ("Scratchpad", "places data in on-chip memory"),
    "memory_planning": ("Memory planning", "places data in device memory"),
    "fusion": ("Fusion", "joins operators into one kernel"),
    "scheduling": ("Scheduling", "orders kernels"),
    "codegen": ("Code generation", "writes the kernel language"),
    "backend": ("Back end", "makes device programs from kernels"),
    "runtime": ("Runtime", "runs programs on the device"),
    "device_registration": ("Device registration", "tells the framework about the device"),
    "pass_management": ("Pass management", "orders the passes"),
    "support": ("Support", "helpers, logging, configuration"),
}
DIVERGENCES = {
    "data_movement": ("Data movement", "explicit transfers between memories"),
    "on_chip_storage": ("On-chip storage", "scratchpads that software manages"),
    "work_distribution": ("Work distribution", "cores that are programmed one by one"),
    "tensor_layout": ("Tensor layout", "tiled or padded device layouts"),
    "dtype_numerics": ("Number formats", "formats that GPUs do not have"),
    "none": ("None", "GPU-shaped or neutral"),
    "undetermined": ("Undetermined", "no rule reached it"),
}
# system -> stage -> code lines; the divergence is picked below
STAGE_LINES: dict[str, dict[str, int]] = {
    "torch-spyre": {
        "capture": 210,
        "graph_rewrite": 1480,
        "decomposition": 640,
        "lowering": 1320,
        "layout": 1890,
        "tiling": 1150,
        "work_division": 1730,
        "scratchpad": 2210,
        "memory_planning": 240,
        "scheduling": 310,
        "codegen": 1120,
        "device_registration": 96,
        "pass_management": 280,
        "support": 213,
    },
    "torch-npu": {
        "graph_rewrite": 2210,
        "decomposition": 410,
        "lowering": 6120,
        "tiling": 1980,
        "fusion": 640,
        "scheduling": 1210,
        "codegen": 4870,
        "runtime": 930,
        "device_registration": 140,
        "support": 1600,
    },
    "onnx-mlir": {
        "capture": 3900,
        "graph_rewrite": 9100,
        "decomposition": 4100,
        "lowering": 21800,
        "layout": 6200,
        "tiling": 1500,
        "memory_planning": 1900,
        "codegen": 8800,
        "support": 5600,
    },
    "tt-buda": {
        "capture": 6800,
        "graph_rewrite": 10400,
        "decomposition": 2300,
        "lowering": 9100,
        "layout": 2800,
        "tiling": 12100,
        "work_division": 14300,
        "scratchpad": 3300,
        "memory_planning": 4200,
        "scheduling": 6900,
        "codegen": 7300,
        "support": 9800,
    },
    "glow": {
        "capture": 14100,
        "graph_rewrite": 18300,
        "decomposition": 2200,
        "lowering": 9300,
        "memory_planning": 3800,
        "fusion": 900,
        "scheduling": 2200,
        "codegen": 15700,
        "runtime": 7300,
        "support": 11900,
    },
}
UNDETERMINED = {"torch-spyre": 240, "torch-npu": 2480, "onnx-mlir": 5300, "tt-buda": 7700, "glow": 9800}
DIVERGENT = {
    "layout": "tensor_layout",
    "tiling": "data_movement",
    "work_division": "work_distribution",
    "scratchpad": "on_chip_storage",
    "codegen": "dtype_numerics",
}


def amount(value: int, scope: str, *, unit: str = "code", convention: str = "leverage", doubt: int = 0) -> AmountView:
    return AmountView(
        value=value,
        low=value - doubt,
        high=value + doubt,
        unit=unit,
        convention=convention,
        scope=scope,
        unsized=doubt // 800,
    )


def waterfall(side: str, size: int) -> WaterfallView:
    rows = (
        ("total", "tracked", f"tracked in {side}", 400, size * 5),
        ("less", "outside", "outside every component", 90, size),
        ("less", "unknown", "unknown: object-missing 2", 2, 0),
        ("total", "counted", "counted", 308, size * 4),
        ("less", "boundary", "in components outside the boundary extension", 208, size * 2),
        ("total", "selected", "in this denominator: production files in programming languages", 100, size * 2),
        ("less", "not-code", "lines that are not code lines by the leverage rule", 0, size),
        ("total", "amount", "code lines", 100, size),
    )
    steps = [StepView(kind=kind, id=id_, what=what, files=files, lines=lines) for kind, id_, what, files, lines in rows]
    return WaterfallView(side=side, steps=steps)


def pair(left: AmountView, right: AmountView, *, system: str, why: str = "") -> PairView:
    ratio = None
    if not why:
        value = Fraction(left.value, right.value)
        ratio = RatioView(
            numerator=left,
            denominator=right,
            text=ratio_text(value, SEVEN),
            low_text=ratio_text(Fraction(left.low, right.high), SEVEN),
            high_text=ratio_text(Fraction(left.high, right.low), SEVEN),
        )
    return PairView(
        left=system,
        right="torch-spyre",
        stands_in_for="sendnn",
        status="not comparable" if why else "ratio",
        why=why,
        left_covers="graph to tile_ir",
        right_covers="graph to tile_ir",
        numerator=left,
        denominator=right,
        ratio=ratio,
        reaches={}
        if why
        else {
            "about": "yes" if Fraction(63, 10) <= Fraction(left.value, right.value) <= Fraction(77, 10) else "no",
            "at_least": "yes" if left.value >= SEVEN * right.value else "no",
        },
    )


def denominator(
    id_: str,
    sentence: str,
    sizes: dict[str, int],
    right: int,
    *,
    boundary: str = "extension",
    unit: str = "code",
    convention: str = "leverage",
    languages: str = "programming",
    why: dict[str, str] | None = None,
    headline: bool = False,
) -> DenominatorView:
    scope = f"production, {languages}"
    doubts = {"tt-buda": 2400, "glow": 0, "onnx-mlir": 900}
    right_amount = amount(right, scope, unit=unit, convention=convention, doubt=120)
    closed = PairView(
        left="sendnn",
        right="torch-spyre",
        stands_in_for="",
        status="unknown",
        why="sendnn is closed: there are no bytes to count",
        left_covers="graph to binary",
        right_covers="graph to tile_ir",
        numerator=None,
        denominator=right_amount,
        ratio=None,
        reaches={},
    )
    low, high, noun = -(-right * 63 // 10), right * 77 // 10, unit_noun(unit)
    return DenominatorView(
        id=id_,
        headline=headline,
        sentence=sentence,
        boundary=boundary,
        purposes=["production"],
        unit=unit,
        convention=convention,
        languages=languages,
        copies="in",
        note="the one that is shown first" if headline else "",
        pairs=[
            closed,
            *(
                pair(
                    amount(sizes[name], scope, unit=unit, convention=convention, doubt=doubts[name]),
                    right_amount,
                    system=name,
                    why=(why or {}).get(name, ""),
                )
                for name in STAND_INS
            ),
        ],
        required=[
            RequiredView(
                figure="7", reading="about", low=low, high=high, text=f"{count_text(low)} to {count_text(high)} {noun}"
            ),
            RequiredView(
                figure="7",
                reading="at_least",
                low=right * 7,
                high=None,
                text=f"at least {count_text(right * 7)} {noun}",
            ),
        ],
        waterfalls=[waterfall("torch-spyre", right), *(waterfall(name, sizes[name]) for name in STAND_INS)],
    )


def component(id_: str, height: list[str], include: list[str], code: int, **more: object) -> ComponentView:
    values = {
        "id": id_,
        "purpose": "production",
        "height": height,
        "include": include,
        "exclude": [],
        "files": max(1, code // 310),
        "physical": code * 155 // 100,
        "nonblank": code * 130 // 100,
        "code": {"leverage": code, "cloc": code * 97 // 100, "pygount": code * 91 // 100},
        "unsized": {"pygount": 3} if code > 50_000 else {},
        "note": "",
    } | more
    return ComponentView(**values)  # type: ignore[arg-type]


def system(  # noqa: PLR0917
    id_: str, name: str, role: str, vendor: str, commit: str, url: str, components: list[ComponentView], **more: object
) -> SystemView:
    values = {
        "id": id_,
        "name": name,
        "role": role,
        "vendor": vendor,
        "licence": "Apache-2.0",
        "stands_in_for": "",
        "builds_on": "",
        "origin": "measured",
        "pin": PinView(kind="git", id=commit, tree=commit[::-1], date="2026-06-24T09:12:33Z", artifact=""),
        "location": url,
        "answered_by": url,
        "browse": f"{url}/tree/{commit}/",
        "tool_version": "0.1.0",
        "rule_version": "1",
        "measured_on": "",
        "note": "",
        "needed": "",
        "spec_line": 12,
        "components": components,
    } | more
    return SystemView(**values)  # type: ignore[arg-type]


def systems() -> list[SystemView]:
    sample = "https://forge.example/sample"
    return [
        system(
            "torch-spyre",
            "torch-spyre",
            "extension",
            "IBM",
            "e1abccf7033e1a8e399b971b8cb6e25e66d47708",
            f"{sample}/torch-spyre",
            [
                component("extension", ["graph", "tile_ir"], ["torch_spyre/_inductor/**"], 13129),
                component("plugin", ["runtime"], ["torch_spyre/**"], 6110, exclude=["torch_spyre/_inductor/**"]),
                component("tests", [], ["tests/**"], 9400, purpose="test"),
            ],
            builds_on="torch-2.11",
            answered_by=f"{sample}/fork-of-torch-spyre",
            spec_line=7,
        ),
        system(
            "torch-npu",
            "Ascend Extension for PyTorch",
            "extension",
            "Huawei",
            "0b74b653e603135e410e6af6914e4fa448e6b413",
            f"{sample}/torch-npu",
            [
                component("extension", ["graph", "tile_ir"], ["torch_npu/_inductor/**"], 22590),
                component("plugin", ["runtime"], ["torch_npu/**"], 98200, exclude=["torch_npu/_inductor/**"]),
            ],
            builds_on="torch-2.11",
            licence="BSD-3-Clause",
            origin="recorded",
            measured_on="2026-09-01",
            note="no network: read from the evidence that is shipped with the package",
            spec_line=21,
        ),
        system(
            "onnx-mlir",
            "ONNX-MLIR",
            "from_scratch",
            "IBM and contributors",
            "ec744fe6d3d077f002200e5c6bb0c3c4ba777af3",
            f"{sample}/onnx-mlir",
            [
                component(
                    "upper", ["graph", "tile_ir"], ["src/Dialect/ONNX/**", "src/Conversion/ONNXToKrnl/**"], 68200
                ),
                component("lower", ["tile_ir", "device_program"], ["src/**", "include/**"], 51300),
            ],
            stands_in_for="sendnn",
            spec_line=40,
        ),
        system(
            "tt-buda",
            "TT-Buda",
            "from_scratch",
            "Tenstorrent",
            "4a1e83386f16c378618958289d17181eefa7a12d",
            f"{sample}/tt-buda",
            [
                component("compiler", ["graph", "tile_ir"], ["pybuda/csrc/**", "pybuda/pybuda/**"], 97000),
            ],
            stands_in_for="sendnn",
            spec_line=58,
        ),
        system(
            "glow",
            "Glow",
            "from_scratch",
            "Meta",
            "05dd99b971dc5eeeb2b86a80c74dca800653d548",
            f"{sample}/glow",
            [
                component("compiler", ["graph", "device_program"], ["lib/**", "include/**"], 95500),
            ],
            stands_in_for="sendnn",
            spec_line=75,
        ),
        system(
            "torch-2.11",
            "PyTorch Inductor 2.11.0",
            "substrate",
            "PyTorch Foundation",
            "",
            "",
            [
                component("inductor", ["graph", "tile_ir"], ["torch/_inductor/**/*.py"], 157300),
            ],
            licence="BSD-3-Clause",
            location="torch 2.11.0 (package index)",
            answered_by="package index",
            browse="",
            spec_line=90,
            pin=PinView(
                kind="pypi",
                id="sha256:" + "5d" * 32,
                tree="ab" * 20,
                date="2026-03-04T00:00:00Z",
                artifact="torch-2.11.0-cp311-cp311-macosx_11_0_arm64.whl",
            ),
        ),
        system(
            "sendnn",
            "sendnn",
            "from_scratch",
            "IBM",
            "",
            "",
            [],
            licence="closed",
            origin="reported",
            pin=None,
            location="",
            answered_by="",
            browse="",
            tool_version="",
            rule_version="",
            spec_line=101,
            note="no bytes: only a figure that somebody gave",
            needed="a checkout of sendnn at the revision that the figure was taken from",
        ),
    ]


def stages() -> StagesView:
    cells = []
    for name, lines in STAGE_LINES.items():
        for stage, count in lines.items():
            divergent = count * 2 // 3 if stage in DIVERGENT and name != "glow" else 0
            parts = {DIVERGENT.get(stage, "none"): divergent, "none": count - divergent}
            cells += [
                StageCell(system=name, stage=stage, divergence=key, files=max(1, part // 400), lines=part)
                for key, part in parts.items()
                if part
            ]
        cells.append(
            StageCell(
                system=name,
                stage="undetermined",
                divergence="undetermined",
                files=9,
                lines=UNDETERMINED[name],
            )
        )
    return StagesView(
        unit="code lines (leverage), production, programming languages",
        systems=list(STAGE_LINES),
        stages=[TermView(id=key, title=title, definition=text) for key, (title, text) in STAGES.items()],
        divergences=[TermView(id=key, title=title, definition=text) for key, (title, text) in DIVERGENCES.items()],
        cells=cells,
        shares=[
            ShareView(system=name, stage=stage, lines=count, low=count * 9 // 10, high=count + UNDETERMINED[name])
            for name, lines in STAGE_LINES.items()
            for stage, count in lines.items()
        ],
        undetermined=dict(UNDETERMINED),
        totals={name: sum(lines.values()) + UNDETERMINED[name] for name, lines in STAGE_LINES.items()},
        divided={"torch-spyre": 12, "torch-npu": 0},
        profiles={},
    )


def identity(name: str, counted: tuple[int, int], excluded: dict[str, tuple[int, int]], unknown: int) -> IdentityView:
    rows = [
        IdentityRow(
            system=name, state="counted", reason="counted", rule="", files=counted[0], lines=counted[1], unread_files=0
        ),
        *(
            IdentityRow(
                system=name,
                state="excluded",
                reason=reason,
                rule=f"repos.yaml:{line}",
                files=files,
                lines=lines,
                unread_files=0,
            )
            for line, (reason, (files, lines)) in enumerate(excluded.items(), 30)
        ),
    ]
    if unknown:
        rows.append(
            IdentityRow(
                system=name,
                state="unknown",
                reason="object-missing",
                rule="git",
                files=unknown,
                lines=0,
                unread_files=unknown,
            )
        )
    out = (sum(files for files, _ in excluded.values()), sum(lines for _, lines in excluded.values()))
    return IdentityView(
        system=name,
        tracked_files=counted[0] + out[0] + unknown,
        counted_files=counted[0],
        excluded_files=out[0],
        unknown_files=unknown,
        tracked_lines=counted[1] + out[1],
        counted_lines=counted[1],
        excluded_lines=out[1],
        unknown_lines=0,
        unread_files=unknown,
        rows=rows,
    )


def sample_report() -> ReportV1:
    denominators = [
        denominator(
            "extension",
            "Extension only, production code, leverage's line rule",
            {"onnx-mlir": 68200, "tt-buda": 97000, "glow": 95500},
            13129,
            headline=True,
        ),
        denominator(
            "extension-cloc",
            "Extension only, production code, cloc's line rule",
            {"onnx-mlir": 66150, "tt-buda": 94100, "glow": 92600},
            13477,
            convention="cloc",
        ),
        denominator(
            "extension-physical",
            "Extension only, every physical line",
            {"onnx-mlir": 105700, "tt-buda": 150300, "glow": 148000},
            20652,
            unit="physical",
            convention="exact",
            why={"glow": "covers graph to device_program, the right side graph to tile_ir"},
        ),
        denominator(
            "plugin",
            "Whole plugin, production code",
            {"onnx-mlir": 68200, "tt-buda": 97000, "glow": 95500},
            19239,
            boundary="plugin",
            why={"onnx-mlir": "covers no runtime", "glow": "covers graph to device_program"},
        ),
        denominator(
            "second-stage",
            "Extension with its open second stage",
            {"onnx-mlir": 119500, "tt-buda": 97000, "glow": 95500},
            54200,
            boundary="with_second_stage",
        ),
        denominator(
            "python",
            "Extension only, Python lines",
            {"onnx-mlir": 4100, "tt-buda": 31900, "glow": 3500},
            12966,
            languages="python",
        ),
    ]
    pairs = [pair for item in denominators for pair in item.pairs if pair.stands_in_for]
    return ReportV1(
        format=1,
        title="sendnn against Inductor extensions on IBM Spyre (sample, invented numbers)",
        provenance=ProvenanceView(
            tool="leverage",
            tool_version="0.1.0",
            rule_version="1",
            spec="repos.yaml",
            spec_hash="1f" * 32,
            lock_hash="2e" * 32,
            packs={"torch-spyre": "3d" * 32, "onnx-mlir": "4c" * 32},
            command="leverage report --config repos.yaml",
            date="2026-09-02T00:00:00Z",
            warnings=["torch-npu was read from recorded evidence because its source could not be reached"],
        ),
        verdict=VerdictView(
            sentence="sendnn is closed, so the claim that torch-spyre is about 7x smaller cannot be confirmed.",
            then=[
                "Public from-scratch compilers of that kind are 0.27x to 7.4x as large as torch-spyre's extension.",
                "For 7x to be true, sendnn would need 82,713 to 101,093 code lines under the headline denominator.",
            ],
            claim="seven-x",
            verdict="cannot be checked",
            subject="stand-ins",
            comparable=15,
            pairs=len(pairs),
            reaching={
                reading: sum(1 for item in pairs if item.reaches.get(reading) == "yes")
                for reading in ("about", "at_least")
            },
            headline=f"3.3{TIMES} to 6.0{TIMES}",
            lowest=f"0.27{TIMES}",
            highest=f"7.4{TIMES}",
            undetermined={
                name: part_text(UNDETERMINED[name], sum(lines.values()) + UNDETERMINED[name])
                for name, lines in STAGE_LINES.items()
            },
        ),
        claimed="7",
        comparison=["sendnn", "torch-spyre"],
        denominators=denominators,
        grid=sample_grid(),
        moves=sample_moves(),
        normalised=sample_normalised(),
        stages=stages(),
        systems=systems(),
        identity=[
            identity("torch-spyre", (126, 30585), {"not-in-scope": (412, 60110), "generated": (3, 8100)}, 0),
            identity("torch-npu", (640, 165468), {"not-in-scope": (2900, 610400), "vendored": (210, 48100)}, 4),
            identity("onnx-mlir", (702, 174200), {"test": (1250, 311000), "docs": (190, 40200)}, 0),
            identity("tt-buda", (615, 137000), {"test": (880, 120400), "vendored": (1400, 402000)}, 2),
            identity("glow", (590, 150300), {"test": (310, 98000), "vendored": (96, 21000)}, 1),
        ],
        witness=[
            WitnessRow(
                system="onnx-mlir",
                path="src/Dialect/ONNX/ONNXOps.td.inc",
                language="tablegen",
                ours=9120,
                witness=8790,
                cause="bracket-only lines are empty to pygount",
            ),
            WitnessRow(
                system="torch-spyre",
                path="torch_spyre/_inductor/lowering.py",
                language="python",
                ours=812,
                witness=799,
                cause="lone closing brackets",
            ),
        ],
        claims=sample_claims(),
        transfer=sample_transfer(),
        coupling=sample_coupling(),
        leverage=sample_leverage(),
        budgets=[
            BudgetView(
                measure="torch-spyre.extension.code", at_most="15,000", actual="13,129", status="holds", note=""
            ),
            BudgetView(
                measure="undetermined_share",
                at_most="5 %",
                actual="7.1 %",
                status="exceeded",
                note="over all systems of the headline",
            ),
            BudgetView(
                measure="sendnn.undetermined_share",
                at_most="5 %",
                actual="",
                status="cannot be checked",
                note="no bytes",
            ),
        ],
        glossary=[
            TermView(id="leverage", title="leverage's line rule", definition="code, string and bracket lines count"),
            TermView(id="cloc", title="cloc's rule", definition="every line that is neither blank nor only comment"),
            TermView(id="physical", title="physical line", definition="ends at LF, CRLF or a lone CR"),
            TermView(id="bracket", title="bracket line", definition="only closers or openers, or a lone `pass`"),
        ],
        terms=[TermView(id="seed", title="seed", definition="the summary that the comparison began with")],
    )


def sample_tables() -> list[Table]:
    return [
        Table(
            "ratios",
            (
                ("denominator", "id of the denominator"),
                ("left", "system on the left"),
                ("lines", "size of the left side"),
            ),
            (("extension", "onnx-mlir", 68200), ("extension", "tt-buda", 97000)),
        ),
        Table(
            "files",
            (("path", "path inside the snapshot"), ("physical", "physical lines; -1 where unknown")),
            (("a.py", 3), ("=cmd|' /C calc'!A0", 7), ("-1+1.py", -1)),
        ),
    ]


def empty_report() -> ReportV1:
    """A report on nothing: a spec without systems, comparison, denominators or claims."""
    return ReportV1(
        format=1,
        title="Nothing yet",
        provenance=ProvenanceView(
            tool="leverage",
            tool_version="0.1.0",
            rule_version="1",
            spec="repos.yaml",
            spec_hash="",
            lock_hash="",
            packs={},
            command="leverage report",
            date="",
            warnings=[],
        ),
        verdict=VerdictView(
            sentence="No claim is declared, so there is nothing to confirm.",
            then=[],
            claim="",
            verdict="cannot be checked",
            subject="",
            comparable=0,
            pairs=0,
            reaching={},
            headline="",
            lowest="",
            highest="",
            undetermined={},
        ),
        claimed="",
        comparison=[],
        denominators=[],
        grid=empty_grid(),
        moves=[],
        normalised=[],
        stages=StagesView(
            unit="code lines",
            systems=[],
            stages=[],
            divergences=[],
            cells=[],
            shares=[],
            undetermined={},
            totals={},
            divided={},
            profiles={},
        ),
        systems=[],
        identity=[],
        witness=[],
        claims=[],
        transfer=[],
        coupling=[],
        leverage=[],
        budgets=[],
        glossary=[],
        terms=[],
    )


HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</script><!--",
    "{{ 7*7 }}{% raw %}",
    "photo\u202egpj.py",
    "two\nlines\r\nand\x00\x1b[31m",
    "\udc80\udcff.py",
    "$\\frac{1}{2}$ `code` | pipe | [link](javascript:alert(1)) **bold** @someone #1",
    "long/" * 1000,
    "表/ファイル.py",
)


def hostile_report() -> ReportV1:
    """The sample with hostile text wherever text of others is shown."""
    report = sample_report()
    everything = " ".join(HOSTILE)
    bad = HOSTILE[1]
    return replace(
        report,
        title=everything,
        verdict=replace(report.verdict, sentence=everything, then=list(HOSTILE), claim=bad),
        provenance=replace(report.provenance, command=everything, warnings=list(HOSTILE), packs={bad: everything}),
        denominators=[
            replace(
                item,
                id=f"{bad}{index}",
                sentence=everything,
                languages=bad,
                note=everything,
                waterfalls=[
                    replace(one, side=bad, steps=[replace(step, what=everything) for step in one.steps])
                    for one in item.waterfalls
                ],
                pairs=[replace(one, left=everything, why=everything) for one in item.pairs],
            )
            for index, item in enumerate(report.denominators)
        ],
        grid=hostile_grid(everything, bad),
        moves=hostile_moves(everything, bad),
        normalised=[replace(one, base=bad, left=everything) for one in sample_normalised()],
        stages=replace(
            report.stages,
            unit=everything,
            systems=[*report.stages.systems, *HOSTILE],
            divided={bad: 2},
            profiles={bad: everything},
            stages=[*report.stages.stages, TermView(id=bad, title=everything, definition=everything)],
        ),
        systems=[
            *(
                replace(
                    item,
                    name=everything,
                    vendor=bad,
                    licence=bad,
                    location=bad,
                    answered_by=everything,
                    note=everything,
                    browse="javascript:alert(1)//",
                    needed=everything,
                    components=[replace(part, include=list(HOSTILE), note=everything) for part in item.components],
                )
                for item in report.systems[1:]
            ),
            replace(report.systems[0], id=bad, builds_on=everything),
        ],
        identity=[
            replace(
                item,
                system=f"{bad} {index}",
                rows=[
                    replace(row, reason=text, rule=everything)
                    for row, text in zip(item.rows * 9, HOSTILE, strict=False)
                ],
            )
            for index, item in enumerate(report.identity)
        ],
        witness=[
            WitnessRow(system=bad, path=text, language=bad, ours=1, witness=2, cause=everything) for text in HOSTILE
        ],
        claims=hostile_claims(everything, bad, HOSTILE),
        transfer=hostile_transfer(everything),
        coupling=hostile_coupling(everything, bad),
        leverage=hostile_leverage(everything, bad),
        budgets=[replace(item, measure=everything, note=everything) for item in report.budgets],
        glossary=[TermView(id=bad, title=everything, definition=everything) for _ in range(2)],
        terms=[TermView(id=bad, title=everything, definition=everything)],
    )
