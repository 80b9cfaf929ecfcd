"""From judged claims and conditions of transfer to report format 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverage.report.view import ClaimView, ConditionView, InputView, SiteView, TransferView

if TYPE_CHECKING:
    from leverage.claims.outcome import Input
    from leverage.claims.transfer import PortConditions
    from leverage.claims.verdict import ClaimResult


def claim_view(one: ClaimResult) -> ClaimView:
    """A claim with everything that its verdict rests on."""
    return ClaimView(
        id=one.id,
        text=one.claim.text,
        wording=one.claim.wording,
        by=one.claim.by,
        source=one.claim.source,
        revision_measured_by_claimant=one.claim.revision_measured_by_claimant,
        expression=one.outcome.expression,
        verdict=one.verdict.value,
        expected=one.claim.expect or "",
        because=one.outcome.because,
        would_change=one.outcome.would_change,
        kind=one.kind,
        readings={reading: verdict.value for reading, verdict in one.outcome.by_reading.items()},
        inputs=[_input(each) for each in one.outcome.inputs],
        note=one.claim.note,
    )


def transfer_view(one: PortConditions) -> TransferView:
    """The conditions of one port."""
    return TransferView(
        port=one.port,
        name=one.name,
        conditions=[
            ConditionView(id=each.id, question=each.question, answer=each.answer, finding=each.finding)
            for each in one.conditions
        ],
    )


def _input(one: Input) -> InputView:
    return InputView(
        name=one.name,
        system=one.system,
        value=one.value,
        environment=list(one.environment),
        note=one.note,
        why=one.why,
        found=one.found,
        sites=[SiteView(path=site.path, line=site.line, blob=site.blob) for site in one.sites],
    )
