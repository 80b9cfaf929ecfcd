"""The probes of the default configuration at their pins; values and lines were read by eye in the sources.

Needs local copies of the default systems: LEVERAGE_MIRRORS names a file as `leverage report --mirror` takes it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from leverage.evidence.probes import take_probes
from leverage.sources.opening import open_source
from leverage.spec.load import load_spec
from leverage.spec.mirrors import mirrors_from
from leverage.spec.select import Selector

ROOT = Path(__file__).parents[3]
SPEC = load_spec(ROOT / "repos.yaml").spec

pytestmark = pytest.mark.real

EXPECTED = {
    "torch-spyre": {
        "cores": ("32", [43]),
        "reserved_share": ("1/5", [41]),
        "scratchpad": ("2097152", [305]),
        "scratchpad_planned": ("1677721", [305]),
        "rebinds_update_scheduler": ("yes", [123, 138]),
        "rebinds_codegen": ("no", []),
        "makes_pass_set": ("yes", [117]),
        "passes_before_original": ("yes", [120, 121]),
        "pass_list": ("yes", [323, 333, 337, 340]),
        "layouts_around_fusion": ("yes", [233]),
        "scratchpad_gate": ("yes", [290, 295]),
    },
    "torch-2.11": {
        "codegen_updates_scheduler": ("yes", [2437]),
        "builds_scheduler": ("yes", [2431]),
        "scheduler_initialised": ("yes", [2882]),
        "hook_after_nodes": ("yes", [2899, 2967]),
    },
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_probes_at_their_pins(name: str, tmp_path: Path) -> None:
    mirrors = mirrors_from(None, os.environ)
    if not mirrors:
        pytest.skip("LEVERAGE_MIRRORS is not set")
    system = SPEC.systems[name]
    selector = Selector(system)
    assert system.source is not None
    with open_source(
        system.source,
        base=ROOT,
        store=tmp_path,
        mirrors=mirrors,
        offline=True,
        wanted=lambda path: selector.component(path) is not None,
    ) as source:
        found = take_probes(SPEC, name, source)
    assert {one.probe: (one.value, [site.line for site in one.sites]) for one in found} == EXPECTED[name]
