"""The first two keys of every document: which format, and which kind."""

from collections.abc import Iterable, Mapping

import yaml
from pydantic import BaseModel

from metadata_assets.model.suggestions import did_you_mean, listing
from metadata_assets.specs.finding import SpecFinding
from metadata_assets.specs.values import Tree

VERSION = 1


def check_envelope(
    value: object, tree: Tree, kinds: Mapping[str, type[BaseModel]], others: Iterable[str] = ()
) -> list[SpecFinding]:
    """What is wrong with `version` and `kind`; nothing when the document can be read by a model of `kinds`."""
    if not isinstance(value, dict):
        hint = f"write `version: {VERSION}` and `kind: …` first, then what belongs to that kind"
        return [SpecFinding.at(tree.place(), "a document is a mapping, this one is not", hint)]
    return _check_version(value, tree) + _check_kind(value, tree, [*kinds, *others])


def _check_version(value: Mapping[str, object], tree: Tree) -> list[SpecFinding]:
    version, wanted = value.get("version"), f"write `version: {VERSION}`"
    if "version" not in value:
        return [SpecFinding.at(tree.place(), "missing key 'version'", wanted)]
    if type(version) is int and version == VERSION:
        return []
    written = _written(tree, "version")
    return [SpecFinding.at(tree.place(["version"]), f"version {written} is not known", wanted)]


def _check_kind(value: Mapping[str, object], tree: Tree, known: list[str]) -> list[SpecFinding]:
    if "kind" not in value:
        return [SpecFinding.at(tree.place(), "missing key 'kind'", f"add `kind: …`, one of {listing(known)}")]
    kind = value["kind"]
    if isinstance(kind, str) and kind in known:
        return []
    written = _written(tree, "kind")
    hint = did_you_mean(written, known, f"known are {listing(known)}")
    return [SpecFinding.at(tree.place(["kind"]), f"kind {written!r} is not known", hint)]


def _written(tree: Tree, key: str) -> str:
    node = tree.locate([key]).node
    if not isinstance(node, yaml.ScalarNode):
        return "of this shape"
    return repr(node.value) if key == "version" and node.style in ("'", '"') else str(node.value)
