"""Column lists of tables and views, and partition lists in both their forms."""

from metadata_assets.model.table import Column
from metadata_assets.sources.ddl.cursor import Cursor
from metadata_assets.sources.ddl.statement import StatementError

# What may follow the type of a column; none of these begins or continues a type.
_ATTRIBUTES = frozenset({
    "", ",", ")", "COMMENT", "NOT", "NULL", "DEFAULT", "GENERATED", "PRIMARY", "UNIQUE", "CHECK", "CONSTRAINT",
    "REFERENCES", "ENABLE", "DISABLE", "ENFORCED", "NORELY", "RELY", "MASK", "ENCODING",
})  # fmt: skip
_ENDS = frozenset({",", ")"})


def read_columns(cursor: Cursor) -> tuple[Column, ...]:
    """`(name type COMMENT '…', CONSTRAINT …)`; in the list of a view the types are missing."""
    columns = list[Column]()
    lines = dict[str, int]()
    cursor.expect("(")
    if cursor.accept(")"):
        return ()
    while True:
        if _at_constraint(cursor):
            cursor.read_until(_ENDS)
        else:
            columns.append(_read_new_column(cursor, lines))
        if not cursor.accept(","):
            cursor.expect(")")
            return tuple(columns)


def read_partitioning(cursor: Cursor) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Keys with types, as Hive writes them, and bare names, as Spark does; `bucket(8, id)` is neither."""
    keys, names = list[Column](), list[str]()
    lines = dict[str, int]()
    cursor.expect("(")
    while not cursor.accept(")"):
        if cursor.word(1) == "(":
            cursor.read_until(_ENDS)
        else:
            column = _read_new_column(cursor, lines)
            if column.type_text:
                keys.append(column)
            else:
                names.append(column.name)
        if not cursor.accept(",") and cursor.word() != ")":
            raise cursor.error(f"expected , or ) in the partition list, found {cursor.found()}")
    return tuple(keys), tuple(names)


def _at_constraint(cursor: Cursor) -> bool:
    first, second = cursor.word(), cursor.word(1)
    if first == "CONSTRAINT":
        return cursor.word(2) in ("PRIMARY", "FOREIGN", "UNIQUE", "CHECK")
    return (first, second) in (("PRIMARY", "KEY"), ("FOREIGN", "KEY"), ("UNIQUE", "("), ("CHECK", "("))


def _read_new_column(cursor: Cursor, lines: dict[str, int]) -> Column:
    """A column whose name is new in its list; `lines` are those of the names so far, in lower case.

    Raises:
        StatementError: it stands there already. Which of the two is meant, nobody can say.
    """
    line = cursor.line
    column = _read_column(cursor)
    name = column.name.lower()
    if name in lines:
        told = f"column {column.name} is defined twice, first in line {lines[name]}: keep one of the two"
        raise StatementError(line, told)
    lines[name] = line
    return column


def _read_column(cursor: Cursor) -> Column:
    name = cursor.read_identifier()
    type_text = cursor.read_until(_ATTRIBUTES)
    comment = None
    while cursor.word() not in _ENDS:
        if cursor.at_end:
            raise cursor.error(f"the list ends within column {name}: the text seems to be cut off")
        if cursor.accept("COMMENT"):
            comment = cursor.read_string()
        elif cursor.word() == "(":
            cursor.skip_parentheses()
        else:
            cursor.at += 1
    return Column(name, type_text, comment or None)
