"""Scripts and declared jobs, decoded only as far as somebody asks: most runs concern few tables of a large lake."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.model.claims import DeclaredJob
from metadata_assets.model.lineage import Script, StatementLineage
from metadata_assets.model.table import TableName
from metadata_assets.store import codec
from metadata_assets.store.facts import KINDS, Facts

Lineage = Script | DeclaredJob
_FEW = 50  # tables; for more, all is decoded rather than searched again for each of them


class LineageFacts:
    """The lineage around some tables. What was decoded for one question is at hand for the next."""

    def __init__(self, facts: Facts) -> None:
        self._texts = {
            (kind, subject): text
            for kind in ("script", "declared_lineage")
            for subject, text in facts.texts(kind).items()
        }
        self._decoded: dict[tuple[str, str], Any] = {}
        self._asked: set[TableName] = set()
        self._above: dict[TableName, set[TableName]] = {}
        self._below: dict[TableName, set[TableName]] = {}
        self._read: dict[TableName, set[TableName]] = {}

    def upstream(self, tables: Iterable[TableName]) -> set[TableName]:
        """These tables and all whose columns flow into theirs, directly or not."""
        return self._closure(tables, self._above)

    def feeding(self, tables: Iterable[TableName]) -> set[TableName]:
        """These tables and all that are read to fill them, directly or not, whether or not columns flow."""
        return self._closure(tables, self._read)

    def downstream(self, tables: Iterable[TableName]) -> set[TableName]:
        """These tables and all that are filled from them, directly or not."""
        return self._closure(tables, self._below)

    def graph(self) -> LineageGraph:
        """The graph of what was decoded: complete for the tables of all answers above, and the way to them."""
        by_kind: dict[str, list[Any]] = {"script": [], "declared_lineage": []}
        for kind, subject in sorted(self._decoded):
            by_kind[kind].append(self._decoded[kind, subject])
        return LineageGraph.of(by_kind["script"], by_kind["declared_lineage"])

    def _closure(self, tables: Iterable[TableName], step: Mapping[TableName, set[TableName]]) -> set[TableName]:
        found = set(tables)
        level = found
        while level:
            self._decode(level)
            level = {following for table in level for following in step.get(table, ())} - found
            found = found | level
        return found

    def _decode(self, tables: set[TableName]) -> None:
        """Decode everything that names one of these tables, and what merely looks like it: more does no harm."""
        new = tables - self._asked
        self._asked |= new
        few = len(self._asked) <= _FEW
        names = [json.dumps(t.table, ensure_ascii=False) for t in new] if few else [""]
        with codec.without_collection():
            for key in [k for k, text in self._texts.items() if any(name in text for name in names)]:
                value: Any = codec.parse_json(self._texts.pop(key), KINDS[key[0]])
                self._decoded[key] = value
                for made_by in _flows(value):
                    for source in made_by.inputs:
                        self._below.setdefault(source, set()).update(made_by.outputs)
                    for target in made_by.outputs:
                        self._read.setdefault(target, set()).update(made_by.inputs)
                    for edge in made_by.columns:
                        self._above.setdefault(edge.target.table, set()).add(edge.source.table)


def reached_by(lineage: LineageFacts, before: Lineage | None, after: Lineage | None) -> set[str]:
    """Subjects of the tables whose entries may be others once a script or declared job is: those that it fills, and,
    where columns flow in another way, all that are filled from these.

    Not only the next ones: a tag may pass through a table that does not show it, since it is not in the catalog (a
    database that is left out, a table that was dropped), lacks the column, or rejects the tag.
    """
    filled = {t for flow in (*_flows(before), *_flows(after)) for t in flow.outputs}
    old, new = ({edge for flow in _flows(v) for edge in flow.columns} for v in (before, after))
    return {t.subject for t in filled | lineage.downstream({edge.target.table for edge in old ^ new})}


def _flows(value: Lineage | None) -> Sequence[StatementLineage | DeclaredJob]:
    if value is None:
        return ()
    return value.statements if isinstance(value, Script) else (value,)
