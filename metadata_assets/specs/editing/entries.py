"""Entries of a spec file read, set and taken out; comments, order, quotes and blanks of all else stay as they are."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import yaml

from metadata_assets.errors import SpecError
from metadata_assets.model.table import TableName
from metadata_assets.specs.editing.rewriting import entry_key, rewritten, same
from metadata_assets.specs.editing.spans import Awkward, Sheet
from metadata_assets.specs.editing.values import to_block_mapping
from metadata_assets.specs.finding import SpecFinding, errors_of
from metadata_assets.specs.kinds import OTHER_KINDS, SPEC_KINDS
from metadata_assets.specs.loader import LIMITS, load_file
from metadata_assets.specs.nodes import DocumentNode, compose_documents
from metadata_assets.specs.text import SourceText
from metadata_assets.specs.values import Tree, convert

EditedKind = Literal["documentation", "tags"]
# An entry of a `tables:` list as plain values: {"name": "clean.users", "columns": [{"name": …}]}.
Entry = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Document:
    """A document of a kind that can be edited; `bad` are the positions of entries with unreadable values."""

    index: int  # among all documents of the file
    node: DocumentNode
    value: Mapping[str, object]
    bad: frozenset[int]

    @property
    def tables(self) -> list[object]:
        tables = self.value.get("tables")
        return tables if isinstance(tables, list) else []

    def find(self, table: TableName) -> int | None:
        return next((i for i, entry in enumerate(self.tables) if entry_key(entry) == str(table)), None)

    def with_tables(self, tables: list[object]) -> Mapping[str, object]:
        return {**self.value, "tables": tables}


def read_entry(text: SourceText, kind: EditedKind, table: TableName) -> Entry | None:
    """The entry of a table as plain values, None where the file has none."""
    for document in _documents(text, kind):
        index = document.find(table)
        entry = document.tables[index] if index is not None else None
        if isinstance(entry, Mapping):
            return entry
    return None


def holds_kind(text: SourceText, kind: EditedKind) -> bool:
    """Whether the file has a document that an entry of this kind can go into."""
    return bool(_documents(text, kind))


def set_entry(text: SourceText, kind: EditedKind, table: TableName, entry: Entry | None) -> str:
    """The text with the entry of a table replaced, added or (None) removed.

    Only fields that differ are touched. A new entry goes to the end of the list with tables of the same database, else
    of the last list.

    Raises:
        SpecError: the file has no document of the kind, the entry is not valid, or it shares its text with others.
    """
    documents = _documents(text, kind)
    found = next((d for d in documents if d.find(table) is not None), None)
    if found is None and entry is None:
        return text.text
    document = found or _home(text, documents, kind, table)
    index = document.find(table)
    tables = list(document.tables)
    if entry is None:
        del tables[index or 0]
    elif index is None:
        tables.append(entry)
    else:
        tables[index] = entry
    return _edited(text, document, document.with_tables(tables), table, whole=index in document.bad)


def new_text(kind: EditedKind, entry: Entry) -> str:
    """A file of its own for one entry."""
    return to_block_mapping({"version": 1, "kind": kind, "tables": [entry]}, 0) + "\n"


def _home(text: SourceText, documents: list[_Document], kind: str, table: TableName) -> _Document:
    """The document that a new entry belongs to."""
    if not documents:
        raise SpecError(text.file, 1, 1, f"no document of kind {kind} is in this file")
    kin = (d for d in documents if any(entry_key(e).startswith(f"{table.database}.") for e in d.tables))
    return next(kin, documents[-1])


def _edited(
    text: SourceText, document: _Document, wanted: Mapping[str, object], table: TableName, *, whole: bool
) -> str:
    """The text after the edit, checked by reading it again; where small changes go wrong the entry goes whole."""
    sheet = Sheet(document.node)
    for replaced in (True,) if whole else (False, True):
        # Converting a document joins merged keys into its nodes: spans need it as it was written.
        root = compose_documents(text, LIMITS).documents[document.index].root
        try:
            edited = SourceText(text.file, rewritten(sheet, root, document.value, wanted, whole=replaced))
        except Awkward:
            continue
        except ValueError as error:
            raise _refusal(document, table, str(error)) from error
        if _says(edited, document.index, wanted, text):
            _check(text, edited)
            return edited.text
    raise _refusal(document, table, f"the entry of {table} cannot be changed without changing others")


def _refusal(document: _Document, table: TableName, message: str) -> SpecError:
    index = document.find(table)
    place = Tree(document.node).place(("tables",) if index is None else ("tables", index))
    hint = "change it by hand: it may share text with others by & and *"
    return SpecError(place.file, place.line, place.column, message, hint)


def _says(edited: SourceText, index: int, wanted: object, before: SourceText) -> bool:
    """Whether the edited text has the wanted document, and all others as they were."""
    then, now = _values(before), _values(edited)
    then[index : index + 1] = [wanted]
    return same(then, now)


def _check(before: SourceText, edited: SourceText) -> None:
    """Raise the first error that the text did not have before."""
    known = Counter(finding.message for finding in _errors(before))
    for finding in _errors(edited):
        if not known[finding.message]:
            raise finding.to_error()
        known[finding.message] -= 1


def _errors(text: SourceText) -> tuple[SpecFinding, ...]:
    return errors_of(load_file(text.text.encode(), text.file, SPEC_KINDS, OTHER_KINDS).findings)


def _values(text: SourceText) -> list[object]:
    return [convert(Tree(document), LIMITS)[0] for document in compose_documents(text, LIMITS).documents]


def _documents(text: SourceText, kind: EditedKind) -> list[_Document]:
    found = []
    for index, node in enumerate(compose_documents(text, LIMITS).documents):
        value, problems = convert(Tree(node), LIMITS)
        if isinstance(value, dict) and value.get("kind") == kind and isinstance(node.root, yaml.MappingNode):
            errors = [p.path for p in problems if p.finding.severity == "error"]
            bad = {path[1] for path in errors if path[:1] == ("tables",) and len(path) > 1}
            found.append(_Document(index, node, value, frozenset(i for i in bad if isinstance(i, int))))
    return found
