"""Changes of schemas that break what is filled from them: columns dropped or retyped, and tables dropped."""

from collections.abc import Mapping

from metadata_assets.catalog.impact import reached_from
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.notice import Notice, Severity
from metadata_assets.model.table import Table
from metadata_assets.model.types import parse_type
from metadata_assets.store.lineage_facts import LineageFacts
from metadata_assets.store.store import Store

_SHOWN = 3


def note_breaking_changes(store: Store, before: Mapping[str, Table], after: Mapping[str, Table | None]) -> None:
    """Tell of columns that are gone or have another type while something is filled from them.

    Args:
        store: where lineage is known and notices are kept.
        before: subject → the table as it was, of tables that changed.
        after: subject → the table as it is, None where it is gone.
    """
    changes = {t.name: _changes(t, after[s]) for s, t in before.items() if s in after}
    changes = {name: found for name, found in changes.items() if found}
    if not changes:
        return
    lineage = LineageFacts(store.facts)
    lineage.downstream(changes)  # decodes what the graph then holds
    graph = lineage.graph()
    notices = []
    for name, found in changes.items():
        for column, what in found.items():
            start = ColumnRef(name, column) if column else name
            reached = sorted({str(r.table) for r in reached_from(graph, start, upstream=False)} - {str(name)})
            if reached:
                severity: Severity = "error" if what == "dropped" else "warning"
                notices.append(Notice(f"breaking:{start}:{what}", severity, _told(str(start), what, reached)))
    store.notices.note(notices)


def _changes(before: Table, after: Table | None) -> dict[str, str]:
    """Column → what became of it; the empty name is the table itself."""
    if after is None:
        return {"": "dropped"}
    now = {c.name.lower(): c.type_text for c in after.all_columns}
    found = {}
    for column in before.all_columns:
        name = column.name.lower()
        if name not in now:
            found[name] = "dropped"
        elif parse_type(column.type_text) != parse_type(now[name]):
            found[name] = f"changed from {column.type_text[:80]} to {now[name][:80]}"
    return found


def _told(name: str, what: str, reached: list[str]) -> str:
    more = f" and {len(reached) - _SHOWN} more" if len(reached) > _SHOWN else ""
    return f"{name} was {what}, and {', '.join(reached[:_SHOWN])}{more} are filled from it: `impact {name}` tells how"
