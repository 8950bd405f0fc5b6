"""Small tables for tests."""

from metadata_assets.model.table import Column, Table, TableName, ViewText


def table(name: str, *columns: str, comment: str | None = None, owner: str | None = None) -> Table:
    """A table from `name type` texts."""
    made = tuple(Column(*c.split(" ", 1)) for c in columns or ("id bigint",))
    return Table(TableName.parse(name), "managed", made, comment=comment, owner=owner)


def view(name: str, query: str, *columns: str) -> Table:
    made = tuple(Column(*c.split(" ", 1)) for c in columns)
    return Table(TableName.parse(name), "view", made, view=ViewText(query))
