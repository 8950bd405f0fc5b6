"""Lineage of changed tables as Markdown: the open-source UI draws none between columns."""

from collections.abc import Sequence

from metadata_assets.defs.report import escape
from metadata_assets.model.entity import TableEntry

_TABLES_SHOWN = 20
_EDGES_SHOWN = 40


def lineage_picture(entries: Sequence[TableEntry]) -> str:
    """A section a table: its sources with their jobs, then each column with where it comes from."""
    with_lineage = [e for e in entries if e.upstream]
    if not with_lineage:
        return "None of the changed tables has lineage."
    sections = [_section(e) for e in with_lineage[:_TABLES_SHOWN]]
    if len(with_lineage) > _TABLES_SHOWN:
        sections.append(f"… and {len(with_lineage) - _TABLES_SHOWN} more tables")
    return "\n\n".join(sections)


def _section(entry: TableEntry) -> str:
    lines = [f"### {escape(str(entry.name))}"]
    lines += [f"- **{escape(str(u.table))}** ⟶ {escape(', '.join(u.jobs))}" for u in entry.upstream]
    if entry.column_lineage:
        lines += ["", "| column | from | kind | what happens |", "| --- | --- | --- | --- |"]
    for edge in entry.column_lineage[:_EDGES_SHOWN]:
        cells = (edge.target.column, str(edge.source), edge.kind, edge.transform)
        lines.append("| " + " | ".join(escape(c) for c in cells) + " |")
    if len(entry.column_lineage) > _EDGES_SHOWN:
        lines.append(f"\n… and {len(entry.column_lineage) - _EDGES_SHOWN} more columns")
    return "\n".join(lines)
