"""Statements that write, read up to their query by ourselves: headers differ between engines, queries far less.

The parser then sees nothing but queries, so a header that it does not know can neither fail nor hide a target.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metadata_assets.errors import ForeignCodeError
from metadata_assets.lineage.cursor import Cursor, depth_zero, split_group, unquoted
from metadata_assets.lineage.lexer import Token, significant
from metadata_assets.lineage.words import CLAUSES, word_set
from metadata_assets.model.table import Column

Kind = Literal["insert", "table", "view", "temporary", "folder", "query"]

_QUERY_STARTS = frozenset({"SELECT", "FROM", "WITH", "VALUES", "TABLE", "MAP", "REDUCE"})
_BEHIND_TYPES = word_set(
    "COMMENT NOT NULL DEFAULT PRIMARY UNIQUE CHECK CONSTRAINT REFERENCES ENABLE DISABLE ENFORCED GENERATED COLLATE"
)
_TABLE_CONSTRAINTS = word_set("CONSTRAINT PRIMARY UNIQUE FOREIGN CHECK EXPECT")
_PROPERTY_WORDS = frozenset({"(", "SERDEPROPERTIES", "DBPROPERTIES", "NO", "DATA"})


@dataclass(frozen=True, slots=True)
class Write:
    """One target and the query that fills it. `parts` is the name as written; a folder and a bare query have none.

    `columns` are those that the statement lists, `static` the partition keys with a value, `dynamic` those without.
    """

    kind: Kind
    parts: tuple[str, ...]
    query: str = ""
    columns: tuple[str, ...] | None = None
    static: frozenset[str] = frozenset()
    dynamic: tuple[str, ...] = ()
    by_name: bool = False
    defined: tuple[Column, ...] = ()  # columns with types, where the statement defines the table
    like: tuple[str, ...] = ()  # the table whose columns it copies


def read_insert(text: str, tokens: Sequence[Token]) -> list[Write]:
    """INSERT with all its branches, with what stands before it: WITH, FROM, or both.

    Raises:
        ForeignCodeError: the text is not of the form of an INSERT.
    """
    starts = depth_zero(tokens, frozenset({"INSERT"}))
    before = tokens[: starts[0]]
    froms = depth_zero(before, frozenset({"FROM"}))
    end_of_with = before[froms[0]].start if froms else tokens[starts[0]].start
    with_part = text[tokens[0].start : end_of_with]
    from_part = text[end_of_with : tokens[starts[0]].start] if froms else ""
    writes = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        cursor = Cursor(text, tokens[start:end])
        write = _read_branch(cursor)
        query = with_part + (_with_from(cursor, from_part) if from_part else cursor.rest)
        writes.append(_filled(write, query))
    return writes


def read_from_first(text: str, tokens: Sequence[Token]) -> str:
    """`FROM x SELECT a` as `SELECT a FROM x`; any other query as it is."""
    if not tokens or tokens[0].upper != "FROM":
        return text
    selects = depth_zero(tokens, frozenset({"SELECT"}))
    if not selects:
        return text
    cursor = Cursor(text, tokens[selects[0] :])
    return _with_from(cursor, text[tokens[0].start : tokens[selects[0]].start])


def _filled(write: Write, query: str) -> Write:
    return Write(write.kind, write.parts, query, write.columns, write.static, write.dynamic, write.by_name)


def _with_from(cursor: Cursor, from_part: str) -> str:
    rest = cursor.tokens[cursor.at :]
    after = depth_zero(rest, CLAUSES)
    cut = rest[after[0]].start if after else rest[-1].end if rest else 0
    start = rest[0].start if rest else 0
    end = rest[-1].end if rest else 0
    return f"{cursor.text[start:cut]} {from_part} {cursor.text[cut:end]}"


def _read_branch(cursor: Cursor) -> Write:
    cursor.accept("INSERT")
    if not cursor.accept_one(("INTO", "OVERWRITE")):
        raise ForeignCodeError("INSERT without INTO or OVERWRITE")
    if cursor.word() == "DIRECTORY" or (cursor.word() == "LOCAL" and cursor.word(1) == "DIRECTORY"):
        _skip_to_query(cursor)
        return Write("folder", ())
    if not cursor.accept("INTO", "TABLE"):
        cursor.accept("TABLE")
    parts = cursor.take_name()
    if not parts:
        raise ForeignCodeError("INSERT without the name of a table")
    return _read_insert_clauses(cursor, parts)


def _read_insert_clauses(cursor: Cursor, parts: tuple[str, ...]) -> Write:
    static: set[str] = set()
    dynamic: list[str] = []
    columns: tuple[str, ...] | None = None
    by_name = False
    while not _at_query(cursor):
        if cursor.at_end:
            raise ForeignCodeError("INSERT without a query")
        if cursor.accept("PARTITION"):
            for item in split_group(cursor.take_group()):
                name = _column_name(item)
                if len(item) > 1:
                    static.add(name)
                else:
                    dynamic.append(name)
        elif cursor.accept("BY", "NAME"):
            by_name = True
        elif cursor.word() == "(":
            columns = tuple(_column_name(item) for item in split_group(cursor.take_group()))
        else:
            cursor.skip_one()
    return Write("insert", parts, "", columns, frozenset(static), tuple(dynamic), by_name)


def read_select_into(text: str, tokens: Sequence[Token]) -> Write | None:
    """`SELECT … INTO t FROM …`, which makes a table; None for a query that writes nothing."""
    intos = depth_zero(tokens, frozenset({"INTO"}))
    if not intos or tokens[0].upper not in ("SELECT", "WITH"):
        return None
    cursor = Cursor(text, tokens)
    cursor.at = intos[0] + 1
    temporary = bool(cursor.accept_one(("TEMP", "TEMPORARY")))
    cursor.accept("TABLE")
    parts = cursor.take_name()
    if not parts:
        return None
    query = text[tokens[0].start : tokens[intos[0]].start] + cursor.rest
    return Write("temporary" if temporary else "table", parts, query)


def read_create(text: str, tokens: Sequence[Token]) -> Write:
    """CREATE or ALTER of a table or view; the query is empty where there is none.

    Raises:
        ForeignCodeError: the text is not of that form.
    """
    cursor = Cursor(text, tokens)
    temporary = _accept_create(cursor)
    kind: Kind = "view" if cursor.accept_one(("TABLE", "VIEW")) == "VIEW" else "table"
    cursor.accept("IF", "NOT", "EXISTS")
    parts = cursor.take_name()
    if not parts:
        raise ForeignCodeError("CREATE without a name")
    like = cursor.take_name() if cursor.accept("LIKE") else ()
    items = [] if _at_query(cursor) else split_group(cursor.take_group())
    items = [item for item in items if not _is_constraint(item)]
    defined = [_defined_column(item) for item in items if len(item) > 1 and item[1].upper != "COMMENT"]
    partitions: list[str] = []
    while not cursor.at_end and not _accept_as(cursor):
        if cursor.accept("PARTITIONED", "BY"):
            keys = split_group(cursor.take_group())
            defined += [_defined_column(item) for item in keys if len(item) > 1]
            partitions += [_column_name(item) for item in keys if len(item) == 1]
        else:
            cursor.skip_one()
    names = tuple(_column_name(item) for item in items) if items and not cursor.at_end else None
    if kind == "view" and not temporary and cursor.at_end:
        raise ForeignCodeError("a view without a query")
    found: Kind = "temporary" if temporary else kind
    query = _without_data_clause(cursor)
    return Write(found, parts, query, names, dynamic=tuple(partitions), defined=tuple(defined), like=like)


def read_view_text(text: str, dialect: str) -> Write:
    """The query of a view, alone or with the CREATE before it."""
    tokens = significant(text, dialect)
    while tokens and tokens[-1].upper == ";":
        tokens.pop()
    if tokens and tokens[0].upper in ("CREATE", "ALTER"):
        return read_create(text, tokens)
    return Write("view", (), Cursor(text, tokens).rest)


def read_cache(text: str, tokens: Sequence[Token]) -> Write:
    """CACHE TABLE, which holds a query or the name of a table.

    Raises:
        ForeignCodeError: no name follows.
    """
    cursor = Cursor(text, tokens)
    cursor.accept("CACHE")
    cursor.accept("LAZY")
    cursor.accept("TABLE")
    parts = cursor.take_name()
    if not parts:
        raise ForeignCodeError("CACHE without a name")
    _skip_to_query(cursor)
    return Write("temporary", parts, cursor.rest)


def _accept_create(cursor: Cursor) -> bool:
    temporary = False
    while not cursor.at_end and cursor.word() not in ("TABLE", "VIEW"):
        temporary |= cursor.word() in ("TEMP", "TEMPORARY")
        cursor.at += 1
    return temporary


def _accept_as(cursor: Cursor) -> bool:
    """Step to the query: after AS, or at once, as Spark allows."""
    if cursor.word() == "AS" and cursor.word(-1) not in ("STORED", "DEFINED"):
        if not _at_query(cursor, 1):
            raise ForeignCodeError("what follows AS is no query")
        cursor.at += 1
        return True
    return cursor.word() in ("SELECT", "WITH") and _at_query(cursor)


def _at_query(cursor: Cursor, ahead: int = 0) -> bool:
    word = cursor.word(ahead)
    while word == "(":
        ahead += 1
        word = cursor.word(ahead)
        if word == "TABLE":
            return False
    if word == "WITH":
        return cursor.word(ahead + 1) not in _PROPERTY_WORDS
    if word == "MAP":  # of the format of rows: MAP KEYS TERMINATED BY
        return cursor.word(ahead + 1) != "KEYS"
    return word in _QUERY_STARTS


def _skip_to_query(cursor: Cursor) -> None:
    while not cursor.at_end and not (cursor.word() != "(" and _at_query(cursor)):
        cursor.skip_one()


def _without_data_clause(cursor: Cursor) -> str:
    """Trino ends a CREATE with WITH [NO] DATA, which is no part of the query."""
    words = [token.upper for token in cursor.tokens[cursor.at :]]
    for ending in (["WITH", "NO", "DATA"], ["WITH", "DATA"]):
        if words[-len(ending) :] == ending:
            last = cursor.tokens[-len(ending)].start
            return cursor.text[cursor.tokens[cursor.at].start : last]
    return cursor.rest


def _column_name(item: Sequence[Token]) -> str:
    return unquoted(item[0]).lower()


def _is_constraint(item: Sequence[Token]) -> bool:
    """`PRIMARY KEY (a)` or `CONSTRAINT c CHECK (…)`, where a column could stand."""
    words = [token.upper for token in item[:3]]
    if words[0] == "CONSTRAINT":
        return bool(_TABLE_CONSTRAINTS & set(words[2:]))
    return words[0] in _TABLE_CONSTRAINTS and bool({"(", "KEY"} & set(words[1:]))


def _defined_column(item: Sequence[Token]) -> Column:
    ends = [index for index, token in enumerate(item) if index > 1 and token.upper in _BEHIND_TYPES]
    end = ends[0] if ends else len(item)
    return Column(_column_name(item), "".join(token.text for token in item[1:end]).lower())
