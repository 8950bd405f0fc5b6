"""The JSON Schema: it accepts what we accept, and refuses what it can see is wrong."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from pydantic import BaseModel

from metadata_assets.config import Platform
from metadata_assets.specs.kinds import SPEC_KINDS
from metadata_assets.specs.schema import json_schema
from tests.unit.specs.test_examples import FOLDER, VALID, WORKING

KINDS: dict[str, type[BaseModel]] = {**SPEC_KINDS, "platform": Platform}
COMMITTED = Path(__file__).parents[3] / "yaml_specs" / "specs.schema.json"
STRUCTURAL = ["unknown_key", "unknown_key_top", "missing_kind", "missing_version", "unknown_kind", "wrong_types",
              "tables_is_text", "tags", "bad_table_name"]  # fmt: skip


class Yaml12(yaml.SafeLoader):
    """As editors read it: dates are text."""


Yaml12.yaml_implicit_resolvers = {
    char: [(tag, pattern) for tag, pattern in pairs if not tag.endswith(":timestamp")]
    for char, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def documents(path: Path) -> list[Any]:
    return [d for d in yaml.load_all(path.read_text("utf-8-sig"), Yaml12) if d is not None]


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json_schema(KINDS)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", [*VALID, *(p for p in WORKING if p.name != "platform.yaml")], ids=lambda p: p.stem)
def test_valid_examples(path: Path, validator: jsonschema.Draft202012Validator) -> None:
    for document in documents(path):
        validator.validate(document)


@pytest.mark.parametrize("name", STRUCTURAL)
def test_invalid_examples(name: str, validator: jsonschema.Draft202012Validator) -> None:
    found = documents(FOLDER / "invalid" / f"{name}.yaml")
    assert found
    assert not any(validator.is_valid(document) for document in found)


def test_everything_is_described() -> None:
    for name, definition in json_schema(KINDS)["$defs"].items():
        assert definition.get("description"), name
        for key, entry in definition.get("properties", {}).items():
            assert entry.get("description"), f"{name}.{key}"
            assert entry.get("default") is not None or "default" not in entry, (
                f"{name}.{key}: would be written by editors"
            )


def test_the_committed_copy_is_true() -> None:
    """To renew it: metadata-assets schema > yaml_specs/specs.schema.json."""
    assert json.loads(COMMITTED.read_text("utf-8")) == json_schema(KINDS)
