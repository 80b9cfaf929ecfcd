"""The claims and conditions of transfer of the sample report, with invented numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.report.view import ClaimView, ConditionView, InputView, SiteView, TransferView

if TYPE_CHECKING:
    from collections.abc import Sequence

BLOB = "7b" * 20


def sample_claims() -> list[ClaimView]:
    return [
        ClaimView(
            id="seven-x",
            text="roughly 7x",
            wording="paraphrase",
            by="IBM, as told by a summary",
            source="summary [11]",
            revision_measured_by_claimant="unknown",
            expression="size(sendnn) / size(torch-spyre) is about 7",
            verdict="cannot be checked",
            expected="cannot be checked",
            because="sendnn is closed; no public figure of its size was found",
            would_change="a checkout of sendnn at a stated revision",
            kind="ratio_of",
            readings={"about": "cannot be checked", "at_least": "cannot be checked"},
            inputs=[],
            note="",
        ),
        ClaimView(
            id="mostly-scratchpad",
            text="the work concentrated where the dataflow design diverges",
            wording="paraphrase",
            by="IBM, as told by a summary",
            source="https://example.org/post",
            revision_measured_by_claimant="unknown",
            expression="share of divergent lines in torch-spyre.extension > 1/2",
            verdict="does not hold",
            expected="",
            because="4,653 of 13,129 code lines are classified as divergent",
            would_change="a rule that moves graph rewrites to a divergence",
            kind="share",
            readings={},
            inputs=[input_view("the three named", "torch-spyre", "4,653 of 13,129 code lines")],
            note="Concentrated is read as more than half.",
        ),
        ClaimView(
            id="on-chip",
            text="Everything fits on the chip.",
            wording="verbatim",
            by="IBM, as quoted by a summary",
            source="summary [10]",
            revision_measured_by_claimant="unknown",
            expression="whole: cores * bytes == 64 * 2**20; default: cores * planned == 64 * 2**20",
            verdict="holds only under",
            expected="holds only under",
            because="holds only as: whole; whole: 67,108,864 against 67,108,864, holds",
            would_change="another revision of torch-spyre",
            kind="arithmetic",
            readings={"whole": "holds", "default": "does not hold"},
            inputs=[
                input_view(
                    "cores",
                    "torch-spyre",
                    "32",
                    sites=[SiteView(path="torch_spyre/_inductor/config.py", line=43, blob=BLOB)],
                    environment=["CORES"],
                    note="number of cores",
                ),
                input_view("planned", "torch-spyre", "", why="`planned` is not assigned in the module"),
                input_view(
                    "hook",
                    "torch-2.11",
                    "yes",
                    sites=[SiteView(path="torch/_inductor/scheduler.py", line=9, blob=BLOB)],
                    found=3,
                ),
            ],
            note="",
        ),
    ]


def input_view(
    name: str,
    system: str,
    value: str,
    *,
    sites: list[SiteView] | None = None,
    environment: list[str] | None = None,
    note: str = "",
    why: str = "",
    found: int = 0,
) -> InputView:
    return InputView(
        name=name,
        system=system,
        value=value,
        environment=environment or [],
        note=note,
        why=why,
        found=max(found, len(sites or [])),
        sites=sites or [],
    )


def sample_transfer() -> list[TransferView]:
    answers = {
        "torch-spyre": [("partly", "DeepTools (closed), scheduler (19,000 code lines)"), ("not measured yet", "")],
        "torch-npu@default": [("unknown", "none is declared"), ("yes", "torch-spyre of IBM (13,129 code lines)")],
    }
    questions = [("public", "Is it public?"), ("second-vendor", "Has a second vendor a comparable port?")]
    return [
        TransferView(
            port=name.split("@", maxsplit=1)[0],
            name=name,
            conditions=[
                ConditionView(id=id_, question=question, answer=answer, finding=finding)
                for (id_, question), (answer, finding) in zip(questions, given, strict=True)
            ],
        )
        for name, given in answers.items()
    ]


def hostile_claims(everything: str, bad: str, texts: Sequence[str]) -> list[ClaimView]:
    sites = [SiteView(path=path, line=1, blob=BLOB) for path in texts]
    return [
        ClaimView(
            id=f"{bad} {index}",
            text=everything,
            wording="verbatim",
            by=everything,
            source="javascript:alert(1)",
            revision_measured_by_claimant=everything,
            expression=everything,
            verdict=item.verdict,
            expected=everything,
            because=everything,
            would_change=everything,
            kind=bad,
            readings=dict.fromkeys(texts, "holds"),
            inputs=[
                input_view(
                    everything, bad, everything, sites=sites, environment=list(texts), note=everything, why=everything
                ),
                input_view(bad, everything, "", sites=sites),
            ],
            note=everything,
        )
        for index, item in enumerate(sample_claims())
    ]


def hostile_transfer(everything: str) -> list[TransferView]:
    condition = ConditionView(id=everything, question=everything, answer=everything, finding=everything)
    return [TransferView(port=everything, name=everything, conditions=[condition])]
