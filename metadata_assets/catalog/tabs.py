"""Rows compared with what a tabular destination holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metadata_assets.model.entity import Scalar
from metadata_assets.model.publication import Action, Change, Changes, FieldChange, Row, Wanted, row_subject
from metadata_assets.model.table import TableName


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A row as it stands at the destination: our cells only. `retired`: it is marked as removed. `marked`: it carries
    its key and entry itself, they were not worked out from other cells."""

    tab: str
    key: str
    entry: str
    cells: Mapping[str, Scalar]
    retired: bool = False
    marked: bool = True

    @property
    def subject(self) -> str:
        return row_subject(self.tab, self.key)


def compare_rows(rows: Sequence[Row], wanted: Wanted, held: Mapping[str, HeldRow]) -> Changes:
    """The changes that lead from the held rows to the wanted ones. `held`: by subject.

    A held row that nobody wants any more is retired if its entry is gone or is wanted without that row (a column that
    was dropped); rows of entries that are neither wanted nor removed are left alone. Rows of an entry that was renamed
    take over those of its former name.
    """
    changes = []
    kept = {r.subject for r in rows}
    for row in rows:
        previous = _former(row, wanted.renamed) if row.subject not in held else ""
        previous = previous if previous in held else ""
        kept.add(previous)
        old = held.get(previous or row.subject)
        fields = _differences(row, old)
        if fields or wanted.force or old is None or old.retired or previous:
            action: Action = "create" if old is None else "restore" if old.retired else "update"
            changes.append(Change(row.subject, action, row, fields, row.entry, previous))
    ours = {e.subject for e in wanted.entries} | wanted.removed | set(wanted.renamed.values())
    retire = [h for s, h in sorted(held.items()) if s not in kept and not h.retired and h.entry in ours]
    for row_held in retire:
        gone = tuple(FieldChange(n, v, None, "removed") for n, v in row_held.cells.items() if not is_empty(v))
        changes.append(Change(row_held.subject, "delete", None, gone, row_held.entry))
    return Changes(len(rows) + len(retire), tuple(changes))


def _former(row: Row, renamed: Mapping[str, str]) -> str:
    """The subject of the same row under the former name of its entry; keys begin with the name."""
    if row.entry not in renamed:
        return ""
    now, before = TableName.of_subject(row.entry), TableName.of_subject(renamed[row.entry])
    if not row.key.startswith(str(now)):
        return ""
    return row_subject(row.tab, f"{before}{row.key.removeprefix(str(now))}")


def _differences(row: Row, old: HeldRow | None) -> tuple[FieldChange, ...]:
    before: Mapping[str, Scalar] = {} if old is None else old.cells
    return tuple(
        FieldChange(name, before.get(name), value, row.sources.get(name, ""))
        for name, value in row.cells
        if not same_cell(before.get(name), value)
    )


def is_empty(value: Scalar) -> bool:
    return value is None or value == ""


def same_cell(held: Scalar, wanted: Scalar) -> bool:
    """Spreadsheets know no difference between nothing and an empty text, nor between 3 and 3.0."""
    return (is_empty(held) and is_empty(wanted)) or held == wanted
