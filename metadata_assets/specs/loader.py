"""Text to typed documents. What is wrong becomes findings with a place; what is right is loaded beside it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel

from metadata_assets.errors import SpecError
from metadata_assets.model.table import TableName
from metadata_assets.specs.envelope import VERSION, check_envelope
from metadata_assets.specs.finding import Place, SpecFinding, errors_of
from metadata_assets.specs.nodes import DocumentNode, compose_documents
from metadata_assets.specs.text import Limits, SourceText, parse_bytes
from metadata_assets.specs.validation import attempt, to_problems, to_warnings
from metadata_assets.specs.values import Path, Problem, Tree, convert

M = TypeVar("M", bound=BaseModel)
Mapped = dict[str, Any]
LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that was not loaded: `name` as far as it can be told, so that nobody takes it for a removed one."""

    kind: str
    section: str  # the key of the list that it stands in: tables, rules, jobs …
    name: str | None
    place: Place

    @property
    def table(self) -> TableName | None:
        """The table that it is about, if it is about one and says so."""
        try:
            return TableName.parse(self.name or "") if self.section == "tables" else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class LoadedDocument(Generic[M]):
    """A document that was loaded, at least in part. `kept`: the positions in the file of the entries in each list."""

    kind: str
    model: M
    tree: Tree
    kept: Mapping[str, Sequence[int]]

    def path(self, section: str, index: int) -> Path:
        """The path in the file of the entry that the model holds at an index."""
        positions = self.kept.get(section)
        return (section, index if positions is None else positions[index])


@dataclass(slots=True)
class LoadedFile:
    """The documents of a file. `partly_unread`: some part of it could not be read, and nobody knows what it named."""

    file: str
    documents: list[LoadedDocument[BaseModel]] = field(default_factory=list)
    findings: list[SpecFinding] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    partly_unread: bool = False


@dataclass(frozen=True, slots=True)
class Single(Generic[M]):
    """The one document of a file, all or nothing."""

    value: M | None
    findings: tuple[SpecFinding, ...]

    def unwrap(self) -> M:
        """The document.

        Raises:
            SpecError: the file has errors; the first one.
        """
        for finding in errors_of(self.findings):
            raise finding.to_error()
        if self.value is None:
            raise SpecError("", 1, 1, "the file is empty")
        return self.value


def load_file(
    content: bytes, file: str, kinds: Mapping[str, type[BaseModel]], others: Iterable[str] = (), limits: Limits = LIMITS
) -> LoadedFile:
    """Every document of a file that is of a kind in `kinds`; those of a kind in `others` are passed over."""
    loaded = LoadedFile(file)
    text = parse_bytes(content, file, limits)
    if isinstance(text, SpecFinding):
        loaded.findings.append(text)
        loaded.partly_unread = True
        return loaded
    composed = compose_documents(text, limits)
    loaded.findings.extend(composed.findings)
    loaded.partly_unread = composed.broken > 0
    for document in composed.documents:
        _load_into(loaded, document, kinds, frozenset(others), limits)
    loaded.findings = sorted(set(loaded.findings))
    return loaded


def unread_file(file: str, problem: str) -> LoadedFile:
    """A file that is there and whose content nobody knows."""
    return LoadedFile(file, findings=[SpecFinding.at(Place(file, 1, 1), problem)], partly_unread=True)


def load_document(text: str | bytes, file: str, model: type[M], limits: Limits = LIMITS) -> Single[M]:
    """The one document of a file that must be right as a whole, such as the platform file; it may name code to load."""
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    decoded = parse_bytes(content, file, limits)
    if isinstance(decoded, SpecFinding):
        return Single(None, (decoded,))
    composed = compose_documents(decoded, limits)
    findings = list(composed.findings)
    if len(composed.documents) != 1 and not findings:
        findings.append(_count_finding(composed.documents, decoded))
    if len(composed.documents) != 1 or errors_of(findings):
        return Single(None, tuple(sorted(findings)))
    tree = Tree(composed.documents[0])
    value, problems = convert(tree, limits)
    kind = _kind_of(model)
    found = [] if _fatal(problems) else check_envelope(value, tree, {kind: model})
    findings.extend([*found, *(problem.finding for problem in problems)])
    if not isinstance(value, dict):
        return Single(None, tuple(sorted(findings)))
    built, refusals = attempt(model, {**value, "version": VERSION, "kind": kind}, load=True)
    findings.extend(trouble.finding for trouble in to_problems(refusals, tree, model, problems))
    findings.extend(to_warnings(built, tree))
    return Single(None if errors_of(findings) else built, tuple(sorted(set(findings))))


def _kind_of(model: type[BaseModel]) -> str:
    """The word that the model's `kind` is a Literal of."""
    return str(get_args(model.model_fields["kind"].annotation)[0])


def _fatal(problems: Iterable[Problem]) -> bool:
    """True when a problem makes the document unusable as a whole."""
    return any(not problem.path and problem.finding.severity == "error" for problem in problems)


def _count_finding(documents: Sequence[DocumentNode], text: SourceText) -> SpecFinding:
    if not documents:
        return SpecFinding.at(
            text.place(0), "the file is empty", "write `version: 1`, `kind: …` and what belongs to it"
        )
    second = Tree(documents[1]).place()
    return SpecFinding.at(second, "only one document can stand in this file", "remove `---` and what follows")


def _load_into(
    loaded: LoadedFile,
    document: DocumentNode,
    kinds: Mapping[str, type[BaseModel]],
    others: frozenset[str],
    limits: Limits,
) -> None:
    tree = Tree(document)
    value, problems = convert(tree, limits)
    kind = value.get("kind") if isinstance(value, dict) else None
    if isinstance(kind, str) and kind in others - kinds.keys():
        return
    found = [] if _fatal(problems) else check_envelope(value, tree, kinds, others)
    loaded.findings.extend([*found, *(problem.finding for problem in problems)])
    model = kinds.get(kind) if isinstance(kind, str) else None
    usable = not found and not _fatal(problems)
    loaded.partly_unread |= not usable
    if model is None or not isinstance(value, dict):
        return
    if usable:
        _build_into(loaded, tree, model, value, problems)
    else:  # not loaded, but whoever mends the first lines wants to know of the others too
        _, refusals = attempt(model, {**value, "version": VERSION})
        loaded.findings.extend(problem.finding for problem in to_problems(refusals, tree, model, problems))


def _build_into(loaded: LoadedFile, tree: Tree, model: type[BaseModel], value: Mapped, problems: list[Problem]) -> None:
    built, refusals = attempt(model, value)
    refused = to_problems(refusals, tree, model, problems)
    loaded.findings.extend(problem.finding for problem in refused)
    bad = [problem.path for problem in [*problems, *refused] if problem.finding.severity == "error"]
    kept: dict[str, Sequence[int]] = {}
    if bad:
        pruned, kept = _without(value, bad, {problem.path for problem in refused})
        built, refusals = attempt(model, pruned)
        refusals = [r for r in refusals if r["type"] != "missing" or r["loc"][0] not in value.keys() - pruned.keys()]
        loaded.dropped.extend(_dropped(value["kind"], value, kept, tree))
        loaded.partly_unread |= built is None or any(len(path) < 2 for path in bad)
        loaded.findings.extend(problem.finding for problem in to_problems(refusals, tree, model, [*problems, *refused]))
    if built is not None:
        loaded.findings.extend([] if bad else to_warnings(built, tree))  # without what is bad it is not what was meant
        loaded.documents.append(LoadedDocument(value["kind"], built, tree, kept))


def _without(value: Mapped, bad: Sequence[Path], refused: Set[Path]) -> tuple[Mapped, dict[str, Sequence[int]]]:
    """The document without what the bad paths lead into, and the positions of the entries that stay.

    An entry of a list goes alone. Another key goes whole, unless it is only written twice: its first value is good.
    """
    entries = {path[:2] for path in bad if len(path) > 1 and isinstance(path[1], int)}
    keys = {path[0] for path in bad if path[:2] not in entries} - {"version", "kind"}
    keys -= {key for key in keys if isinstance(value.get(str(key)), list) and (key,) not in refused}
    kept: dict[str, Sequence[int]] = {
        key: [index for index in range(len(items)) if (key, index) not in entries]
        for key, items in value.items()
        if isinstance(items, list) and key not in keys
    }
    pruned = {key: item for key, item in value.items() if key not in keys}
    return pruned | {key: [value[key][index] for index in indexes] for key, indexes in kept.items()}, kept


def _dropped(kind: str, value: Mapped, kept: Mapping[str, Sequence[int]], tree: Tree) -> Iterator[Dropped]:
    for section, positions in kept.items():
        for index in sorted(set(range(len(value[section]))) - set(positions)):
            yield Dropped(kind, section, _name(value[section][index]), tree.place((section, index)))


def _name(entry: object) -> str | None:
    """What an unreadable entry is probably about."""
    named = [entry.get(key) for key in ("name", "match", "scope")] if isinstance(entry, dict) else []
    return next((name for name in named if isinstance(name, str)), None)
