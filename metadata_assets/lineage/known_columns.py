"""The catalog as the parser's resolver asks for it: names of columns only, since types decide nothing here.

The parser's own kind of schema reads each name as SQL, which takes long, and which not every name survives.
"""

from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.schema import Schema

from metadata_assets.lineage.tables import is_stored, name_of
from metadata_assets.lineage.trace import Catalog

_UNKNOWN_TYPE = exp.DataType.build("unknown")


class KnownColumns(Schema):
    """Tables are asked for by the full names that `complete_tables` gave them."""

    def __init__(self, catalog: Catalog, dialect: str, *, empty: bool) -> None:
        self._catalog = catalog
        self._dialect = Dialect.get_or_raise(dialect)
        self._empty = empty

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    @property
    def empty(self) -> bool:
        """Whether no table is known: then the resolver takes a column of a single source for granted."""
        return self._empty

    @property
    def supported_table_args(self) -> tuple[str, ...]:
        return ("this", "db")

    def column_names(self, table: Any, *_: object, **__: object) -> list[str]:
        return list(self._columns(table))

    def has_column(self, table: Any, column: Any, *_: object, **__: object) -> bool:
        name = column if isinstance(column, str) else column.name
        return name.lower() in self._columns(table)

    def get_column_type(self, table: Any, column: Any, *_: object, **__: object) -> exp.DataType:
        return _UNKNOWN_TYPE

    def add_table(self, table: Any, *_: object, **__: object) -> None:
        raise NotImplementedError("tables come from the catalog")

    def _columns(self, table: Any) -> Any:
        if not isinstance(table, exp.Table) or not is_stored(table):
            return {}
        return self._catalog.columns_of(name_of(table)) or {}
