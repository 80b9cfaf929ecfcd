from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from leverage.model.errors import ConfigurationError
from leverage.spec.faults import repaired
from leverage.spec.schema import SCHEMA_FILE, resolved, schema_at, schema_text, spec_schema
from ruamel.yaml import YAML
from tests.unit.spec.examples import GOOD, changed, load

VALIDATOR = Draft202012Validator(spec_schema())


def data(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def test_the_committed_schema_is_that_of_the_types() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run: python -m leverage.spec.schema"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(spec_schema())
    assert spec_schema()["$id"].startswith("urn:")
    assert spec_schema()["title"]


def test_the_good_document_is_accepted() -> None:
    assert [error.message for error in VALIDATOR.iter_errors(data(GOOD))] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("version: 1\n", "version: 2\n"),
        ("title: A port against its predecessor\n", ""),
        ("vendor: Example", "vender: Example"),
        ("role: second_stage", "role: third_stage"),
        ("  second:\n", "  Second Stage:\n"),
        ("{pypi: base, version: 2.11.0}", "{pypi: base}"),
        ("{pypi: base, version: 2.11.0}", "{pypi: base, version: 2.11}"),
        ("{pypi: base, version: 2.11.0}", "{svn: base}"),
        ('commit: "0123456789abcdef0123456789abcdef01234567", ref', "commit: abc, ref"),
        ('["tests/**"]', "tests/**"),
        ('["tests/**"]', "[]"),
        ("[graph, device_program]", "[graph, loop_ir, device_program]"),
        ("at_most: 15000", "at_most: 7.5"),
        ("at_most: 15000", "at_most: 7x"),
        (", by: Example, source: a talk}\n", ", by: Example}\n"),
        ("[closed, port]", "[closed]"),
        ("default: true", "default: 1"),
    ],
)
def test_wrong_documents_are_refused_by_the_schema_as_by_the_loader(old: str, new: str) -> None:
    text = changed(old, new)
    assert not VALIDATOR.is_valid(data(text))
    with pytest.raises(ConfigurationError, match=r"repos\.yaml"):
        load(text)


def test_keys_that_editors_offer_carry_their_meaning() -> None:
    schema = spec_schema()
    commit = schema_at(schema, ("systems", "port", "source", "commit"), data(GOOD))
    assert "40 hex digits" in commit["description"]
    component = resolved(schema, schema_at(schema, ("systems", "port", "components", "x"), data(GOOD)), None)
    assert set(component["properties"]) >= {"include", "exclude", "height"}
    assert schema_at(schema, ("systems", "port", "no such key", "x"), data(GOOD)) == {}


def test_repairing_nothing_changes_nothing() -> None:
    document = data(GOOD)
    assert repaired(copy.deepcopy(document), [], spec_schema()) == document
    json.dumps(document)
