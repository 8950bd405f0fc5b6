"""Names of tables: completed and collected from the tree alone, so that they hold where columns cannot be resolved."""

from collections.abc import Callable, Sequence

from sqlglot import exp

from metadata_assets.lineage.cursor import Cursor
from metadata_assets.lineage.lexer import Token
from metadata_assets.model.table import TableName

# Catalogs that stand for the metastore itself.
_HOME_CATALOGS = frozenset({"hive", "spark_catalog", "awsdatacatalog"})
_FILE_FORMATS = frozenset({"parquet", "orc", "csv", "json", "text", "avro", "delta", "binaryfile"})
# All names in a tree have two parts, also those whose database is not known.
NO_DATABASE = "no database"

Complete = Callable[[Sequence[str]], TableName]


def table_name(parts: Sequence[str], default_db: str) -> TableName:
    """The name that dotted parts stand for. A catalog other than the metastore's stays before the database."""
    named = [part.lower() for part in parts if part]
    if len(named) > 2 and named[0] in _HOME_CATALOGS:
        named = named[1:]
    database = ".".join(named[:-1]) if len(named) > 1 else default_db
    database = "" if database == NO_DATABASE else database
    return TableName.of(database, named[-1] if named else "")


def complete_tables(tree: exp.Expr, complete: Complete) -> frozenset[TableName]:
    """Give every table in the tree its full name, in place, and return the names. Names of WITH are no tables."""
    has_local = tree.find(exp.With) is not None
    tables = [t for t in tree.find_all(exp.Table) if is_stored(t) and not (has_local and not t.db and _is_cte(t))]
    return frozenset([_complete(table, complete) for table in tables if table.find_ancestor(exp.Hint) is None])


def _is_cte(table: exp.Table) -> bool:
    """Whether the name is one that a WITH around it gives: there or before, and in itself where it is recursive."""
    name = table.name.lower()
    within: exp.Expr | None = None
    node = table.parent
    while node is not None:
        if isinstance(node, exp.CTE):
            within = node
        clause = node.args.get("with_")
        if isinstance(clause, exp.With) and _gives(clause, name, within):
            return True
        node = node.parent
    return False


def _gives(clause: exp.With, name: str, within: exp.Expr | None) -> bool:
    for cte in clause.expressions:
        is_named = cte.alias.lower() == name
        if cte is within:
            return is_named and bool(clause.recursive)
        if is_named:
            return True
    return False


def is_stored(table: exp.Expr) -> bool:
    """Whether it is a table of the lake: functions have no name, and a path in backticks is a file."""
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier) or not table.name:
        return False
    return not (table.db.lower() in _FILE_FORMATS and "/" in table.name)


def name_of(table: exp.Table) -> TableName:
    """The full name that `complete_tables` gave a table in a tree."""
    return TableName.of("" if table.db == NO_DATABASE else table.db, table.name)


def to_tree(name: TableName) -> exp.Table:
    """A table with its full name, as it stands in a tree after `complete_tables`."""
    database = exp.to_identifier(name.database or NO_DATABASE, quoted=True)
    return exp.Table(this=exp.to_identifier(name.table, quoted=True), db=database)


def _complete(table: exp.Table, complete: Complete) -> TableName:
    parts = [part for text in (table.catalog, table.db, table.name) if text for part in _parts(text)]
    name = complete(parts)
    full = to_tree(name)
    table.set("this", full.this)
    table.set("db", full.args["db"])
    table.set("catalog", None)
    return name


def _parts(text: str) -> list[str]:
    """Hive writes `db.table` within one pair of backticks too."""
    return text.split(".") if "." in text and "/" not in text else [text]


def tables_by_words(tokens: Sequence[Token], complete: Complete) -> tuple[frozenset[TableName], frozenset[TableName]]:
    """Tables read and written by the words before them: for statements that are too long for the parser."""
    read: set[TableName] = set()
    written: set[TableName] = set()
    local = {a.text.lower() for a, b, c in zip(tokens, tokens[1:], tokens[2:], strict=False) if _is_local(a, b, c)}
    cursor = Cursor("", tokens)
    while not cursor.at_end:
        word = cursor.word()
        cursor.at += 1
        if word in ("FROM", "JOIN"):
            into = read
        elif word in ("INTO", "TABLE", "VIEW"):
            cursor.accept("TABLE")
            into = written
        else:
            continue
        parts = cursor.take_name()
        if parts and cursor.word() != "(" and not (len(parts) == 1 and parts[0] in local):
            into.add(complete(parts))
    return frozenset(read - written), frozenset(written)


def _is_local(name: Token, following: Token, opening: Token) -> bool:
    """`name AS (`: a name of WITH."""
    return name.kind in ("word", "name") and following.upper == "AS" and opening.upper == "("
