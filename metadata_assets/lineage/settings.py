"""Statements that move no data, or only as a whole, yet change what later ones mean."""

import re
from collections.abc import Sequence

from metadata_assets.lineage.cursor import Cursor
from metadata_assets.lineage.lexer import Token
from metadata_assets.lineage.session import Session
from metadata_assets.lineage.verdict import Found
from metadata_assets.model.lineage import ColumnEdge, ColumnRef

_SETTING = re.compile(r"(?is)set\s+(?:(?:var|variable)\s+)?(?P<name>[^\s=]+)\s*=\s*(?P<value>.*?)\s*")


def read_set(session: Session, text: str, _tokens: Sequence[Token]) -> Found:
    found = _SETTING.fullmatch(text)
    if found is None:
        return Found("no_lineage", reason="SET shows or sets a setting: no data flows between tables")
    session.variables.define(found["name"], session.variables.shown(found["value"]))
    return Found("no_lineage", reason=f"it sets {session.variables.shown(found['name'])}")


def read_use(session: Session, text: str, tokens: Sequence[Token]) -> Found:
    cursor = Cursor(text, tokens)
    cursor.accept("USE")
    if cursor.word(1):
        cursor.accept_one(("DATABASE", "SCHEMA", "NAMESPACE"))
    parts = cursor.take_name()
    if not parts:
        return Found("unparsed", reason="USE without a name")
    session.database = parts[-1]
    return Found("no_lineage", reason=f"names without a database are of {parts[-1]} from here on")


def read_drop(session: Session, text: str, tokens: Sequence[Token]) -> Found:
    cursor = Cursor(text, tokens)
    cursor.accept("DROP")
    cursor.accept("TEMPORARY")
    if cursor.accept_one(("TABLE", "VIEW")):
        cursor.accept("IF", "EXISTS")
        if parts := cursor.take_name():
            session.drop(parts)
    return Found("no_lineage", reason="DROP removes: no data flows between tables")


def read_alter(session: Session, text: str, tokens: Sequence[Token], index: int) -> Found:
    """RENAME moves a whole table, EXCHANGE PARTITION a part of one; all others move nothing."""
    cursor = Cursor(text, tokens)
    cursor.accept("ALTER")
    if not cursor.accept_one(("TABLE", "VIEW")):
        return Found("no_lineage", reason="ALTER changes properties: no data flows between tables")
    cursor.accept("IF", "EXISTS")
    parts = cursor.take_name()
    if parts and cursor.accept("RENAME", "TO"):
        new = cursor.take_name()
        if new:
            session.rename(index, parts, new)
            return Found("no_lineage", reason=f"{'.'.join(parts)} is called {'.'.join(new)} from here on")
    if parts and cursor.accept("EXCHANGE", "PARTITION"):
        cursor.take_group()
        cursor.accept("WITH", "TABLE")
        if source := cursor.take_name():
            return _exchanged(session, source, parts)
    return Found("no_lineage", reason="ALTER changes properties or partitions: no data flows between tables")


def _exchanged(session: Session, source: Sequence[str], target: Sequence[str]) -> Found:
    """A partition moves with all its columns, which are the same in both tables."""
    read, written = session.complete(source), session.complete(target)
    columns = session.columns_of(written) or session.columns_of(read)
    inputs, outputs = frozenset((read,)), frozenset((written,))
    if columns is None:
        return Found("table_only", inputs, outputs, reason="the columns of neither table are known")
    edges = tuple(ColumnEdge(ColumnRef(read, name), ColumnRef(written, name)) for name in columns)
    return Found("lineage", inputs, outputs, edges)


def read_load(session: Session, text: str, tokens: Sequence[Token]) -> Found:
    """LOAD and IMPORT fill a table from files, EXPORT writes one to files: the other end is no table."""
    cursor = Cursor(text, tokens)
    exports = cursor.word() == "EXPORT"
    while not cursor.at_end and not cursor.accept("TABLE"):
        cursor.at += 1
    parts = cursor.take_name()
    tables = frozenset((session.complete(parts),)) if parts else frozenset()
    if exports:
        return Found("no_lineage", inputs=tables, reason="EXPORT writes files, no table")
    return Found("no_lineage", outputs=tables, reason="it reads files, no table")
