"""Small tables for tests."""

from typing import Any

from metadata_assets.model.table import Column, Table, TableName, ViewText


def table(name: str, *columns: str, **more: Any) -> Table:
    """A table from `name type` texts; `more` are its other fields."""
    made = tuple(Column(*c.split(" ", 1)) for c in columns or ("id bigint",))
    return Table(TableName.parse(name), "managed", made, **more)


def view(name: str, query: str, *columns: str) -> Table:
    made = tuple(Column(*c.split(" ", 1)) for c in columns)
    return Table(TableName.parse(name), "view", made, view=ViewText(query))
