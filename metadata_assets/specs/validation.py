"""Plain values to models, and what the models refuse as problems at a path of the document."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import yaml
from pydantic import BaseModel, ValidationError

from metadata_assets.model.suggestions import did_you_mean
from metadata_assets.specs.finding import SpecFinding
from metadata_assets.specs.messages import to_words
from metadata_assets.specs.shape import known_keys
from metadata_assets.specs.values import Path, Problem, Tree

M = TypeVar("M", bound=BaseModel)
Refusals = list[Mapping[str, Any]]  # pydantic's own records


def attempt(model: type[M], value: Mapping[str, Any], *, load: bool = False) -> tuple[M | None, Refusals]:
    """The model, or why not. Only with `load` may validators import the code that the document names."""
    try:
        return model.model_validate(value, context={"load": load}), []
    except ValidationError as error:
        return None, _own(error.errors(include_url=False, include_input=False))


def _own(errors: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Without what only follows from another error: a list is short of the entries in it that are wrong."""
    places = [tuple(error["loc"]) for error in errors]
    return [
        error
        for error, place in zip(errors, places, strict=True)
        if error["type"] != "too_short" or not any(p != place and p[: len(place)] == place for p in places)
    ]


@dataclass(frozen=True, slots=True)
class Advice:
    """What is allowed and hardly wanted: where, what comes of it, and what to write instead."""

    path: Path
    message: str
    hint: str


@runtime_checkable
class Advising(Protocol):
    """A model that has something to say of what it was built from, although it can be used."""

    def advice(self) -> Iterable[Advice]: ...


def to_warnings(built: object, tree: Tree) -> list[SpecFinding]:
    """What a model says of itself, as findings."""
    if not isinstance(built, Advising):
        return []
    return [SpecFinding.at(tree.place(a.path), a.message, a.hint, "warning") for a in built.advice()]


def to_problems(
    errors: Iterable[Mapping[str, Any]], tree: Tree, model: type[BaseModel], known: Iterable[Problem]
) -> list[Problem]:
    """One problem a path; where the nodes already told what is wrong, or a union failed in each branch, the first."""
    told = {problem.path for problem in known if problem.finding.severity == "error"}
    problems = list[Problem]()
    for error in errors:
        path, finding = _translate(error, tree, model)
        if not any(path[:length] in told for length in range(1, len(path) + 1)):
            told.add(path)
            problems.append(Problem(path, finding))
    return problems


def _translate(error: Mapping[str, Any], tree: Tree, model: type[BaseModel]) -> tuple[Path, SpecFinding]:
    located = tree.locate(error["loc"])
    kind, last = error["type"], str(error["loc"][-1]) if error["loc"] else ""
    if kind == "missing":
        finding = SpecFinding.at(tree.place_of(located.node), f"missing key {last!r}", f"add `{last}: …`")
        return (*located.path, last), finding
    if kind == "extra_forbidden":
        keys = known_keys(model, error["loc"][:-1])
        hint = did_you_mean(last, keys - _written(tree, located.path[:-1]), "known are " + ", ".join(sorted(keys)))
        return located.path, SpecFinding.at(tree.key_place(located.path), f"unknown key {last!r}", hint)
    context = error.get("ctx", {})
    if kind == "union_tag_invalid":  # the value that chooses is wrong, not the mapping that it stands in
        located = tree.locate([*error["loc"], str(context["discriminator"]).strip("'")])
    message, hint = to_words(kind, context, located.node)
    return located.path, SpecFinding.at(tree.place_of(located.node), message, hint)


def _written(tree: Tree, path: Path) -> frozenset[str]:
    node = tree.locate(path).node
    return frozenset(str(key.value) for key, _ in node.value) if isinstance(node, yaml.MappingNode) else frozenset()
