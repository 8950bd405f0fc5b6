"""Lineage of changed tables as pictures in Markdown: the open-source UI draws none between columns."""

import base64
from collections.abc import Sequence

from metadata_assets.catalog.picture import MAX_EDGES, lineage_svg
from metadata_assets.defs.report import escape
from metadata_assets.model.entity import TableEntry

# Metadata is stored with every event: a few pictures say more than a long row of them.
_TABLES_SHOWN = 8


def lineage_pictures(entries: Sequence[TableEntry]) -> str:
    """A section a table: the jobs that fill it, and a picture of where each column comes from."""
    with_lineage = [e for e in entries if e.upstream]
    if not with_lineage:
        return "None of the changed tables has lineage."
    sections = [_section(e) for e in with_lineage[:_TABLES_SHOWN]]
    if len(with_lineage) > _TABLES_SHOWN:
        sections.append(f"… and {len(with_lineage) - _TABLES_SHOWN} more tables")
    return "\n\n".join(sections)


def _section(entry: TableEntry) -> str:
    lines = [f"**{escape(str(entry.name))}**", ""]
    lines += [f"- {escape(str(u.table))} through {escape(', '.join(u.jobs))}" for u in entry.upstream]
    svg = lineage_svg(entry)
    if svg:
        lines += ["", f"![lineage](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"]
    if len(entry.column_lineage) > MAX_EDGES:
        lines.append(f"\n… and {len(entry.column_lineage) - MAX_EDGES} more edges")
    return "\n".join(lines)
