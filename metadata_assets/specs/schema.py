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
    return {
        "$schema": DIALECT,
        "title": "Metadata spec",
        "description": "One document of a spec file. `kind` says what it is about and which other keys it has.",
        "type": "object",
        "required": ["version", "kind"],
        "properties": {"kind": {"enum": list(kinds), "description": "What the document is about."}},
        "oneOf": [_required(references[model, "validation"]) for model in kinds.values()],
        "$defs": definitions["$defs"],
    }


def _required(reference: dict[str, Any]) -> dict[str, Any]:
    return {"$ref": reference["$ref"]}
