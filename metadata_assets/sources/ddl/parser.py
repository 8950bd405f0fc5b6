"""Reads the text of `SHOW CREATE TABLE` as Hive and Spark print it; pure."""

import re
from collections.abc import Callable

from metadata_assets.model.table import Column
from metadata_assets.sources.ddl.clauses import read_clause
from metadata_assets.sources.ddl.columns import read_columns
from metadata_assets.sources.ddl.cursor import Cursor
from metadata_assets.sources.ddl.statement import Statement, StatementKind

_OWNER = re.compile(r"--\s*owner\s*:(.*)", re.IGNORECASE)
_MODIFIERS = ("OR", "REPLACE", "GLOBAL", "TEMPORARY", "TEMP", "EXTERNAL", "MANAGED", "TRANSACTIONAL", "REMOTE")
_KINDS: dict[str, StatementKind] = {"TABLE": "table", "VIEW": "view", "DATABASE": "database", "SCHEMA": "database"}


def parse_statement(text: str) -> Statement:
    """The one CREATE statement of a text.

    Raises:
        StatementError: there is none, another one, or something after it.
    """
    cursor = Cursor(text)
    if cursor.at_end:
        raise cursor.error("no statement in it: expected the text of SHOW CREATE TABLE")
    statement = _read_head(cursor)
    statement.owner = _leading_owner(text)
    if statement.kind != "database" and cursor.word() == "(":
        statement.columns = read_columns(cursor)
    _read_clauses(cursor, statement)
    return _checked(cursor, statement)


def _read_head(cursor: Cursor) -> Statement:
    cursor.expect("CREATE")
    words = set[str]()
    while cursor.word() in _MODIFIERS:
        words.add(cursor.word())
        cursor.at += 1
    if cursor.accept("MATERIALIZED"):
        cursor.expect("VIEW")
        kind: StatementKind = "materialized_view"
    elif (found := _KINDS.get(cursor.word())) is not None:
        cursor.at += 1
        kind = found
    else:
        raise cursor.error(f"expected TABLE, VIEW or DATABASE after CREATE, found {cursor.found()}")
    cursor.accept("IF", "NOT", "EXISTS")
    line, quoted = cursor.line, cursor.word() == ""
    database, name = _split(cursor, kind)
    # Hive quotes every name that it prints, Spark only those that need it.
    return Statement(kind, database, name, line, external="EXTERNAL" in words, by_spark=not quoted)


def _split(cursor: Cursor, kind: StatementKind) -> tuple[str | None, str]:
    """Database and name. Hive 2 and 3 print both in one pair of backticks, Spark may put a catalog first."""
    error = cursor.error
    parts = cursor.read_name()
    if kind == "database":
        return None, parts[-1]
    if len(parts) == 1 and "." in parts[0]:
        parts = parts[0].split(".", 1)
    if len(parts) > 3:
        raise error(f"a name of {len(parts)} parts: expected database.table")
    return (parts[-2] if len(parts) > 1 else None), parts[-1]


def _read_clauses(cursor: Cursor, statement: Statement) -> None:
    while not cursor.at_end:
        if cursor.accept(";"):
            if not cursor.at_end:
                raise cursor.error(f"one statement a file is expected, found {cursor.found()} after the first")
        elif cursor.word() == "AS" and statement.kind in ("view", "materialized_view"):
            cursor.at += 1
            statement.query = cursor.rest().strip().removesuffix(";").rstrip()
        elif not read_clause(cursor, statement):
            raise cursor.error(
                f"{cursor.found()} is not known here: expected a clause of CREATE {statement.kind.upper()}"
            )


def _checked(cursor: Cursor, statement: Statement) -> Statement:
    if statement.kind in ("view", "materialized_view"):
        if not statement.query:
            raise cursor.error("the view has no query: the text seems to be cut off")
        return statement
    by_name = {column.name.lower(): column for column in statement.columns}
    missing = [name for name in statement.partition_names if name.lower() not in by_name]
    if missing:
        raise cursor.error(f"partition column {missing[0]} is not in the column list")
    untyped = [column.name for column in statement.columns if not column.type_text]
    if untyped:
        raise cursor.error(f"column {untyped[0]} has no type")
    keys = {name.lower() for name in statement.partition_names}
    moved: Callable[[str], Column] = lambda name: by_name[name.lower()]  # noqa: E731
    statement.partition_keys += tuple(map(moved, statement.partition_names))
    statement.columns = tuple(column for column in statement.columns if column.name.lower() not in keys)
    return statement


def _leading_owner(text: str) -> str | None:
    """The owner that a comment before the statement names."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("--"):
            return None
        match = _OWNER.match(line)
        if match is not None:
            return match[1].strip() or None
    return None
