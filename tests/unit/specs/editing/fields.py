"""Entries with one field changed, for tests that edit field by field."""

from collections.abc import Callable, Mapping

from metadata_assets.specs.editing.entries import Entry
from metadata_assets.specs.editing.rewriting import entry_key

_COLUMNS = "columns."


def with_field(entry: Entry, path: str, value: object) -> Entry:
    """The entry with one field set: `description`, `terms`, `meta.<key>`, `columns.<path>.description`, `tags` …"""
    if path.startswith(_COLUMNS):
        column, _, name = path.removeprefix(_COLUMNS).rpartition(".")
        return {**entry, "columns": _with_column(entry, column, lambda found: {**found, name: value})}
    outer, dot, inner = path.partition(".")
    before = entry.get(outer)
    return {**entry, outer: {**(before if isinstance(before, Mapping) else {}), inner: value} if dot else value}


def without_field(entry: Entry, path: str) -> Entry:
    """The entry with one field taken out; a column or mapping that then says nothing goes too."""
    if path.startswith(_COLUMNS):
        column, _, name = path.removeprefix(_COLUMNS).rpartition(".")
        kept = _with_column(entry, column, lambda found: _without(found, name))
        kept = [c for c in kept if not (isinstance(c, Mapping) and entry_key(c) == column and set(c) == {"name"})]
        return {**entry, "columns": kept} if kept else _without(entry, "columns")
    outer, dot, inner = path.partition(".")
    before = entry.get(outer)
    if dot and isinstance(before, Mapping) and (rest := _without(before, inner)):
        return {**entry, outer: rest}
    return _without(entry, outer)


def _with_column(entry: Entry, name: str, change: Callable[[Entry], Entry]) -> list[object]:
    found = entry.get("columns")
    columns: list[object] = list(found) if isinstance(found, list) else []
    if name not in map(entry_key, columns):
        columns.append({"name": name})
    return [change(c) if isinstance(c, Mapping) and entry_key(c) == name else c for c in columns]


def _without(mapping: Entry, key: str) -> Entry:
    return {k: v for k, v in mapping.items() if k != key}
