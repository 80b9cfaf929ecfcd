"""Touchpoints, copies and traces of the sample report, with invented numbers."""

from __future__ import annotations

from dataclasses import replace

from leverage.report.format import TIMES
from leverage.report.view import (
    AmountView,
    CouplingView,
    HoldView,
    LeverageView,
    ModelView,
    PatchView,
    RunsView,
    TouchTotalView,
)

BLOB = "5c" * 20


def lines(
    value: int, *, low: int | None = None, scope: str = "production files in programming languages"
) -> AmountView:
    return AmountView(
        value=value,
        low=value if low is None else low,
        high=value,
        unit="code",
        convention="leverage",
        scope=scope,
        unsized=0 if low is None else 3,
    )


def total(  # noqa: PLR0917 - as the columns stand
    kind: str, sites: int, private: int, changed: int = 0, one: int = 0, back: int = 0
) -> TouchTotalView:
    return TouchTotalView(
        kind=kind,
        sites=sites,
        private=private,
        global_scope=changed,
        instance_scope=one,
        restored=back,
        symbols=sites // 2 + 1,
        files=sites // 5 + 1,
    )


def patch(symbol: str, line: int, **more: object) -> PatchView:
    usual: dict[str, object] = {
        "effect": "patch",
        "wraps": "yes",
        "scope": "global",
        "restored": True,
        "guarded": False,
    }
    stated = {"path": "torch_spyre/_inductor/patches.py", "blob": BLOB, **usual, **more}
    return PatchView(symbol=symbol, line=line, **stated)  # type: ignore[arg-type]


def sample_coupling() -> list[CouplingView]:
    spyre = CouplingView(
        port="torch-spyre",
        why="",
        against="torch-2.11",
        totals=[total("import", 93, 46), total("monkey_patch", 4, 3, 3, 1, 1), total("all", 97, 49, 3, 1, 1)],
        effects={"patch": 2, "add": 1, "unknown": 1},
        restores=1,
        unresolved=1,
        patches=[
            patch("torch._inductor.graph.GraphLowering._update_scheduler", 123),
            patch("torch._inductor.ir.Loops.has_large_inner_fn", 105, wraps="no", guarded=True),
            patch("torch.Tensor.spyre_layout", 193, effect="add", wraps="", restored=False),
            patch(
                "torch._inductor.sizevars.<dynamic>", 35, effect="unknown", wraps="", scope="instance", restored=False
            ),
        ],
        holds=[
            HoldView(
                symbol="torch._inductor.graph.GraphLowering.operations",
                private=True,
                sites=24,
                files=7,
                kinds={"container_mutation": 14, "import": 10},
            )
        ],
        symbols=61,
        name="torch-spyre",
        raw=lines(13129),
        own=lines(13113),
    )
    npu = replace(
        spyre,
        port="torch-npu",
        against="",
        totals=[total("import", 800, 460), total("all", 800, 460)],
        effects={},
        unresolved=0,
        patches=[],
        name="torch-npu@default-back-end",
        raw=lines(20110),
        own=lines(20110, low=0),
    )
    unknown = replace(npu, port="torch-musa", why="the record of torch-musa holds none", totals=[], raw=None, own=None)
    return [spyre, npu, unknown]


def runs(part: str, bodies: int, run: int, for_each: str) -> RunsView:
    return RunsView(part=part, executable=bodies + 4000, bodies=bodies, imported=2900, run=run, for_each=for_each)


def sample_leverage() -> list[LeverageView]:
    return [
        LeverageView(
            port="torch-spyre",
            on="2026-09-01",
            environment={"python": "3.11.7", "platform": "linux"},
            versions={"torch": "2.13.0+cpu", "torch_spyre": ""},
            models=[
                ModelView(label="mlp", own=3000, substrate=21000, for_each=f"7{TIMES}"),
                ModelView(label="block", own=3100, substrate=21500, for_each=f"6.9{TIMES}"),
            ],
            own=runs("own", 9700, 3200, f"1{TIMES}"),
            copied=40,
            substrate=runs("substrate", 480000, 22400, f"7{TIMES}"),
            parts=[
                runs("torch/_inductor", 115000, 8700, f"2.7{TIMES}"),
                *(runs(f"torch/p{at}", 900, 90 - at, f"0.03{TIMES}") for at in range(9)),
            ],
            stages={"codegen": 2000, "layout": 900, "undetermined": 300},
        )
    ]


def hostile_coupling(everything: str, bad: str) -> list[CouplingView]:
    (spyre, _, unknown) = sample_coupling()
    patches = [
        replace(one, symbol=everything, path=everything, effect=bad, wraps=bad, scope=bad) for one in spyre.patches
    ]
    holds = [replace(spyre.holds[0], symbol=everything, kinds={bad: 3})]
    totals = [replace(one, kind=bad if at else one.kind) for at, one in enumerate(spyre.totals)]
    return [
        replace(spyre, port=bad, against=bad, patches=patches, holds=holds, totals=totals, name=everything),
        replace(unknown, port=everything, why=everything, name=everything),
    ]


def hostile_leverage(everything: str, bad: str) -> list[LeverageView]:
    (one,) = sample_leverage()
    return [
        replace(
            one,
            port=bad,
            environment={"python": everything},
            versions={bad: everything},
            models=[replace(each, label=everything) for each in one.models],
            parts=[replace(each, part=everything) for each in one.parts],
            stages={bad: 5, everything: 7},
        )
    ]
