"""The JSON Schema of `repos.yaml`, made from the types.

Editors read the committed `schema.json`; the loader walks the same schema for the allowed keys and the descriptions
that its messages carry. `python -m leverage.spec.schema` writes the file anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from leverage.spec.types import SOURCE_KEYS, Spec

SCHEMA_ID = "urn:inductor-leverage:schema:repos.yaml:1"
SCHEMA_FILE = Path(__file__).with_name("schema.json")

Schema = dict[str, Any]
KeyPath = tuple[str | int, ...]


def spec_schema() -> Schema:
    """JSON Schema (draft 2020-12) of `repos.yaml`, version 1."""
    schema = TypeAdapter(Spec).json_schema()
    for each in (schema, *schema["$defs"].values()):
        for value in each.get("properties", {}).values():
            if "patternProperties" in value:
                value["additionalProperties"] = False  # pydantic leaves keys open that match no pattern
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "repos.yaml of leverage, version 1",
    }


def schema_text() -> str:
    """The schema as it is committed."""
    return json.dumps(spec_schema(), indent=1, ensure_ascii=False) + "\n"


def resolved(root: Schema, schema: Schema, value: object) -> Schema:
    """A schema without references and unions; of a union, the branch that the value was meant for.

    A mapping is meant for the branch that has the key which names a source; anything else for the first branch.
    """
    while True:
        if "$ref" in schema:
            schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
        elif branches := schema.get("anyOf") or schema.get("oneOf"):
            branches = [branch for branch in branches if branch.get("type") != "null"]
            meant = [key for key in SOURCE_KEYS if isinstance(value, dict) and key in value][:1]
            schema = next(
                (each for each in branches if meant and meant[0] in resolved(root, each, None).get("properties", {})),
                branches[0],
            )
        else:
            return schema


def schema_at(root: Schema, path: KeyPath, data: object) -> Schema:
    """Schema of the value at a path of some data, references at the last step not yet followed; empty where unknown."""
    schema = root
    for step in path:
        here = resolved(root, schema, data)
        if isinstance(step, int):
            prefix = here.get("prefixItems", [])
            schema = prefix[step] if step < len(prefix) else here.get("items", {})
            data = data[step] if isinstance(data, list) and step < len(data) else None
        else:
            entry: Schema = next(iter(here.get("patternProperties", {}).values()), {})
            schema = here.get("properties", {}).get(step, entry)
            data = data.get(step) if isinstance(data, dict) else None
    return schema


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
