"""Which keys a model knows at a path: what did-you-mean chooses from."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]


def known_keys(model: type[BaseModel], path: Sequence[str | int]) -> frozenset[str]:
    """The keys of the mapping at a path of a validation error; union tags that pydantic puts into it are followed."""
    root = _schema(model)
    here = list(_branches(root, root))
    for part in path:
        here = [branch for schema in here for step in _steps(schema, part) for branch in _branches(step, root)] or here
    return frozenset(key for schema in here for key in schema.get("properties", ()))


@lru_cache(maxsize=32)
def _schema(model: type[BaseModel]) -> Schema:
    return model.model_json_schema(by_alias=True)


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """The schema without references and unions."""
    if "$ref" in schema:
        yield from _branches(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
        return
    unions = [option for word in ("anyOf", "oneOf", "allOf") for option in schema.get(word, ())]
    if not unions:
        yield schema
    for option in unions:
        yield from _branches(option, root)


def _steps(schema: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int):
        if isinstance(schema.get("items"), dict):
            yield schema["items"]
        return
    if part in schema.get("properties", {}):
        yield schema["properties"][part]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]
    elif part in (value.get("const") for value in schema.get("properties", {}).values()):
        yield schema  # a union's tag: stay in the branch that has it
