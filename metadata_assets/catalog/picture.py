"""A table's column lineage as a picture: its sources on the left, its columns on the right, a line for each edge."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from metadata_assets.model.entity import TableEntry
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, Transform

MAX_EDGES = 60
_ROW, _HEAD, _GAP, _BOX, _SPACE, _MARGIN = 18, 24, 14, 300, 200, 12
_COLORS: dict[Transform, str] = {
    "identity": "#2f6f9f",
    "transformation": "#d9822b",
    "aggregation": "#7d4fa8",
    "masking": "#2e8b57",
    "indirect": "#9aa5b1",
}
_LONGEST = 42  # characters of a name that fit into a box


@dataclass(frozen=True, slots=True)
class _Box:
    """A table as drawn: the vertical middle of each of its columns, and where it ends."""

    svg: str
    rows: dict[str, float]
    bottom: float


def lineage_svg(entry: TableEntry) -> str:
    """The picture as SVG text, for the first `MAX_EDGES` edges; empty where no column's origin is known."""
    edges = entry.column_lineage[:MAX_EDGES]
    if not edges:
        return ""
    left, rows = _sources(edges)
    targets = [c.name.lower() for c in entry.columns if any(e.target.column == c.name.lower() for e in edges)]
    right = _box(str(entry.name), targets, _MARGIN + _BOX + _SPACE, _MARGIN)
    lines = [_line(e, rows[e.source], right.rows[e.target.column]) for e in edges if e.target.column in right.rows]
    bottom = max(left[-1].bottom, right.bottom)
    height = bottom + _HEAD + _MARGIN
    width = 2 * (_MARGIN + _BOX) + _SPACE
    parts = [*lines, *(box.svg for box in left), right.svg, _legend(edges, bottom + _HEAD)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:g}" '
        f'font-family="sans-serif" font-size="12">{"".join(parts)}</svg>'
    )


def _sources(edges: Sequence[ColumnEdge]) -> tuple[list[_Box], dict[ColumnRef, float]]:
    columns: dict[str, list[ColumnRef]] = {}
    for edge in edges:
        found = columns.setdefault(str(edge.source.table), [])
        if edge.source not in found:
            found.append(edge.source)
    boxes: list[_Box] = []
    rows: dict[ColumnRef, float] = {}
    top = float(_MARGIN)
    for table, references in columns.items():
        box = _box(table, [r.column for r in references], _MARGIN, top)
        rows.update({r: box.rows[r.column] for r in references})
        boxes.append(box)
        top = box.bottom + _GAP
    return boxes, rows


def _box(title: str, columns: Sequence[str], x: float, y: float) -> _Box:
    height = _HEAD + _ROW * len(columns) + 6
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{_BOX}" height="{height}" rx="4" fill="#ffffff" stroke="#8195a8"/>',
        f'<rect x="{x:g}" y="{y:g}" width="{_BOX}" height="{_HEAD}" rx="4" fill="#1f3b57"/>',
        f'<text x="{x + 8:g}" y="{y + 16:g}" fill="#ffffff" font-weight="bold">{_short(title)}</text>',
    ]
    rows = {}
    for position, name in enumerate(columns):
        middle = y + _HEAD + _ROW * (position + 0.5) + 3
        rows[name] = middle
        parts.append(f'<text x="{x + 8:g}" y="{middle + 4:g}" fill="#1d2733">{_short(name)}</text>')
    return _Box("".join(parts), rows, y + height)


def _short(text: str) -> str:
    """Text from outside as SVG text: escaped, one line, without what XML forbids."""
    shown = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return escape(shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…")


def _line(edge: ColumnEdge, start: float, end: float) -> str:
    x0, x1 = _MARGIN + _BOX, _MARGIN + _BOX + _SPACE
    dashes = ' stroke-dasharray="5 3"' if edge.transform in ("masking", "indirect") else ""
    return (
        f'<path d="M{x0} {start:g} C{x0 + _SPACE / 2:g} {start:g} {x1 - _SPACE / 2:g} {end:g} {x1} {end:g}" '
        f'fill="none" stroke="{_COLORS[edge.transform]}" stroke-width="1.6"{dashes}/>'
    )


def _legend(edges: Sequence[ColumnEdge], y: float) -> str:
    parts = []
    for position, transform in enumerate(t for t in _COLORS if any(e.transform == t for e in edges)):
        x = _MARGIN + position * 130
        parts.append(
            f'<rect x="{x}" y="{y - 9:g}" width="18" height="4" fill="{_COLORS[transform]}"/>'
            f'<text x="{x + 24}" y="{y:g}" fill="#1d2733">{transform}</text>'
        )
    return "".join(parts)
