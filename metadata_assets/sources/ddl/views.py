"""Completes views whose columns only their queries tell, each after the tables and views that it reads."""

from collections.abc import Callable, Iterator

from metadata_assets.lineage.view_columns import ViewColumns, view_columns, view_tables
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.ddl.convert import with_query_columns

_CYCLE = ViewColumns(reason="its query reads the view itself, by way of other views")


def needs_query(table: Table) -> bool:
    """Whether the table is a view without types yet."""
    return table.schema_origin == "query" and table.view is not None


class ViewResolver:
    """`load` gives a table as its file tells it, None when there is none that can be read."""

    def __init__(self, load: Callable[[TableName], Table | None]) -> None:
        self._load = load
        self._tables: dict[TableName, Table | None] = {}
        self._needs: dict[TableName, frozenset[TableName]] = {}
        self._done: dict[TableName, Table] = {}

    def resolve(self, view: Table) -> Table:
        self._tables[view.name] = view
        for name in self._order(view.name):
            table = self._tables[name]
            if name not in self._done and table is not None:
                self._done[name] = with_query_columns(table, self._infer(table))
        return self._done[view.name]

    def _infer(self, table: Table) -> ViewColumns:
        """What came out must not depend on which view was asked for first: no view of a cycle gets columns."""
        if table.view is None or table.name in self._reached(self._needed(table.name)):
            return _CYCLE
        known = {
            name: found
            for name in self._needed(table.name)
            if (found := self._done.get(name) or self._table(name)) is not None
        }
        return view_columns(table.view.original, table.view.dialect, known, _default_database(table))

    def _order(self, name: TableName) -> Iterator[TableName]:
        """Views to complete before `name`, and itself at last; without recursion, because chains may be long."""
        seen, stack = {name}, [(name, iter(sorted(self._needed(name))))]
        while stack:
            current, following = stack[-1]
            needed = next((n for n in following if n not in seen and n not in self._done and self._needed(n)), None)
            if needed is None:
                stack.pop()
                yield current
            else:
                seen.add(needed)
                stack.append((needed, iter(sorted(self._needed(needed)))))

    def _reached(self, start: frozenset[TableName]) -> set[TableName]:
        reached, waiting = set(start), list(start)
        while waiting:
            new = self._needed(waiting.pop()) - reached
            reached |= new
            waiting.extend(new)
        return reached

    def _needed(self, name: TableName) -> frozenset[TableName]:
        """What the query of a view reads; nothing for tables and for views that know their columns."""
        if name not in self._needs:
            table = self._table(name)
            self._needs[name] = frozenset()
            if table is not None and table.view is not None and needs_query(table):
                self._needs[name] = view_tables(table.view.original, table.view.dialect, _default_database(table))
        return self._needs[name]

    def _table(self, name: TableName) -> Table | None:
        if name not in self._tables:
            self._tables[name] = self._load(name)
        return self._tables[name]


def _default_database(table: Table) -> str:
    recorded = table.view.default_database if table.view is not None else None
    return recorded or table.name.database
