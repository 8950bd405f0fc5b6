"""The JSON Schema of all kinds: what an editor completes and checks while people type."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from metadata_assets.specs.kinds import SPEC_KINDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(kinds: Mapping[str, type[BaseModel]] = SPEC_KINDS) -> dict[str, Any]:
    """One schema over all kinds, told apart by `kind`; pass more kinds to describe them too."""
    references, definitions = models_json_schema(
        [(model, "validation") for model in kinds.values()], ref_template="#/$defs/{model}"
    )
    schema = {
        "$schema": DIALECT,
        "title": "Metadata spec",
        "description": "One document of a spec file. `kind` says what it is about and which other keys it has.",
        "type": "object",
        "required": ["version", "kind"],
        "properties": {"kind": {"enum": list(kinds), "description": "What the document is about."}},
        "oneOf": [{"$ref": references[model, "validation"]["$ref"]} for model in kinds.values()],
        "$defs": definitions["$defs"],
    }
    _trim(schema)
    return schema


def _trim(schema: object) -> None:
    """Drop empty defaults and the titles that only repeat a key.

    Editors write a default into the file on completion, and `description: null` would empty a description on purpose.
    """
    if isinstance(schema, list):
        for item in schema:
            _trim(item)
    if not isinstance(schema, dict):
        return
    for item in schema.values():
        _trim(item)
    for entry in schema["properties"].values() if isinstance(schema.get("properties"), dict) else ():
        entry.pop("title", None)
        if entry.get("default") in (None, []):
            entry.pop("default", None)
