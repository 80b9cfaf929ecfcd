"""`leverage schema`."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("of", type=click.Choice(["spec", "report"]), default="spec")
def command(of: str) -> None:
    """Print the JSON Schema of repos.yaml (spec) or of report.json (report)."""
    if of == "spec":
        from leverage.spec.schema import spec_schema as schema  # noqa: PLC0415 - one of the two is enough
    else:
        from leverage.report.jsonview import report_schema as schema  # noqa: PLC0415
    click.echo(json.dumps(schema(), indent=1, ensure_ascii=False))
