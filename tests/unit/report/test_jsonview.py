import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import leverage.report
import pytest
from leverage.model.errors import ConfigurationError
from leverage.report.jsonview import from_json, report_schema, schema_text, to_json
from leverage.report.view import ReportV1
from tests.unit.report.sample import empty_report, hostile_report, sample_report

REPORTS = (sample_report(), empty_report(), hostile_report())
COMMITTED = Path(leverage.report.__file__).with_name("schema.json")


@pytest.mark.parametrize("report", REPORTS, ids=("sample", "empty", "hostile"))
def test_reading_gives_back_what_was_written(report: ReportV1) -> None:
    assert from_json(to_json(report)) == report
    assert from_json(to_json(report, compact=True)) == report
    assert to_json(report).isascii()


@pytest.mark.parametrize("report", REPORTS, ids=("sample", "empty", "hostile"))
def test_a_report_satisfies_its_schema(report: ReportV1) -> None:
    jsonschema.Draft202012Validator(report_schema()).validate(json.loads(to_json(report)))


def test_the_order_of_maps_does_not_matter() -> None:
    report = sample_report()
    turned = dict(reversed(report.stages.totals.items()))
    other = replace(report, stages=replace(report.stages, totals=turned))
    assert list(other.stages.totals) != list(report.stages.totals)
    assert to_json(other) == to_json(report)


def test_the_committed_schema_is_fresh() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == schema_text(), (
        "schema.json is stale: python -c 'from leverage.report.jsonview import schema_text; "
        "print(schema_text(), end=str())' > leverage/report/schema.json"
    )


def test_the_schema_is_valid_and_tells_formats_apart() -> None:
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    value = json.loads(to_json(sample_report())) | {"format": 2}
    assert not jsonschema.Draft202012Validator(schema).is_valid(value)


def test_the_schema_refuses_what_reading_refuses() -> None:
    value = json.loads(to_json(sample_report()))
    value["systems"][0]["components"][0]["files"] = "42"
    assert not jsonschema.Draft202012Validator(report_schema()).is_valid(value)
    with pytest.raises(
        ConfigurationError, match=r"report\.systems\[0\]\.components\[0\]\.files must be a integer, got str"
    ):
        from_json(json.dumps(value))


def test_later_fields_of_format_1_are_ignored() -> None:
    value = json.loads(to_json(sample_report()))
    value["added_later"] = 1
    value["verdict"]["added_later"] = {}
    assert from_json(json.dumps(value)) == sample_report()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", r"old\.json:1:2: cannot read the report: it is not JSON"),
        ("[]", "its format is None"),
        ('{"format": 2}', "its format is 2, this version reads format 1"),
        ('{"format": true}', "its format is True"),
        ('{"format": 1}', "report lacks budgets, claimed"),
    ],
)
def test_what_is_not_a_report_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        from_json(text, "old.json")
    assert caught.value.problems[0].hint


def test_a_true_is_not_a_one() -> None:
    value = json.loads(to_json(sample_report()))
    value["verdict"]["pairs"] = True
    with pytest.raises(ConfigurationError, match=r"report\.verdict\.pairs must be a integer, got bool"):
        from_json(json.dumps(value))
