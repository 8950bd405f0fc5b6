"""The clauses that follow the column list. Most are read only to know where they end."""

from collections.abc import Callable

from metadata_assets.sources.ddl.columns import read_partitioning
from metadata_assets.sources.ddl.cursor import Cursor
from metadata_assets.sources.ddl.statement import Statement, StatementError

_Reader = Callable[[Cursor, Statement], None]
# Short names of formats that stand for an input format or, where files are plain text, a serde.
_STORED_AS = {
    "ORC": "OrcInputFormat", "PARQUET": "MapredParquetInputFormat", "AVRO": "AvroContainerInputFormat",
    "TEXTFILE": "TextInputFormat",
}  # fmt: skip


def read_clause(cursor: Cursor, statement: Statement) -> bool:
    """Read one clause into `statement`; False when none that is known comes next."""
    for words, reader in _READERS:
        if cursor.accept(*words):
            reader(cursor, statement)
            return True
    return False


def _comment(cursor: Cursor, statement: Statement) -> None:
    statement.comment = cursor.read_string() or None


def _location(cursor: Cursor, statement: Statement) -> None:
    statement.location = cursor.read_string() or None


def _string(cursor: Cursor, _: Statement) -> None:
    cursor.read_string()


def _parentheses(cursor: Cursor, _: Statement) -> None:
    cursor.skip_parentheses()


def _word(cursor: Cursor, _: Statement) -> None:
    cursor.read_identifier()


def _nothing(_: Cursor, __: Statement) -> None:
    """The words were all there is to it."""


def _partitions(cursor: Cursor, statement: Statement) -> None:
    line = cursor.line
    keys, names = read_partitioning(cursor)
    columns = {column.name.lower() for column in statement.columns}
    if twice := [key.name for key in keys if key.name.lower() in columns]:
        raise StatementError(line, f"column {twice[0]} is defined twice, as a column and as a partition key: keep one")
    statement.partition_keys += keys
    statement.partition_names += names


def _buckets(cursor: Cursor, _: Statement) -> None:
    cursor.read_identifier()
    cursor.expect("BUCKETS")


def _skewed(cursor: Cursor, _: Statement) -> None:
    cursor.skip_parentheses()
    cursor.expect("ON")
    cursor.skip_parentheses()
    cursor.accept("STORED", "AS", "DIRECTORIES")


def _serde(cursor: Cursor, statement: Statement) -> None:
    statement.serde = cursor.read_string()


def _stored_as(cursor: Cursor, statement: Statement) -> None:
    if cursor.accept("INPUTFORMAT"):
        statement.reader = cursor.read_string()
        return
    format_name = cursor.read_identifier().upper()
    if format_name == "JSONFILE":
        statement.serde = "JsonSerDe"
    statement.reader = _STORED_AS.get(format_name, format_name)


def _stored_by(cursor: Cursor, statement: Statement) -> None:
    statement.handler = cursor.read_string() if cursor.at_string() else cursor.read_identifier()


def _using(cursor: Cursor, statement: Statement) -> None:
    statement.provider = cursor.read_string() if cursor.at_string() else ".".join(cursor.read_name())
    statement.by_spark = True


def _properties(cursor: Cursor, statement: Statement) -> None:
    statement.properties |= _read_properties(cursor)


def _serde_properties(cursor: Cursor, _: Statement) -> None:
    _read_properties(cursor)


def _options(cursor: Cursor, statement: Statement) -> None:
    """Spark's `OPTIONS (path '…')`; for `USING hive` they may name the file format."""
    options = {key.lower(): value for key, value in _read_properties(cursor).items()}
    statement.reader = statement.reader or options.get("inputformat", "") or _file_format(options)
    statement.serde = statement.serde or options.get("serde", "")
    statement.location = statement.location or options.get("path") or None


def _file_format(options: dict[str, str]) -> str:
    name = options.get("fileformat", "").upper()
    return _STORED_AS.get(name, name)


def _view_schema(cursor: Cursor, statement: Statement) -> None:
    """Spark 4: `WITH SCHEMA BINDING`, `COMPENSATION`, `EVOLUTION` or `TYPE EVOLUTION`."""
    statement.by_spark = True
    cursor.accept("TYPE")
    cursor.read_identifier()


def _read_properties(cursor: Cursor) -> dict[str, str]:
    found = dict[str, str]()
    cursor.expect("(")
    while not cursor.accept(")"):
        key = cursor.read_string() if cursor.at_string() else ".".join(cursor.read_name())
        cursor.accept("=")
        found[key] = _read_value(cursor)
        if not cursor.accept(",") and cursor.word() != ")":
            raise cursor.error(f"expected , or ) in the list of properties, found {cursor.found()}")
    return found


def _read_value(cursor: Cursor) -> str:
    if cursor.at_string():
        return cursor.read_string()
    sign = "-" if cursor.accept("-") else ""
    token = cursor.peek()
    if token is None or cursor.word() in (",", ")", "(", ""):
        raise cursor.error(f"expected the value of a property, found {cursor.found()}")
    cursor.at += 1
    return sign + cursor.raw(token)


_READERS: tuple[tuple[tuple[str, ...], _Reader], ...] = (
    (("COMMENT",), _comment),
    (("LOCATION",), _location),
    (("MANAGEDLOCATION",), _string),
    (("PARTITIONED", "BY", "SPEC"), _parentheses),
    (("PARTITIONED", "BY"), _partitions),
    (("PARTITIONED", "ON"), _partitions),
    (("CLUSTERED", "BY"), _parentheses),
    (("CLUSTERED", "ON"), _parentheses),
    (("CLUSTER", "BY"), _parentheses),
    (("DISTRIBUTED", "ON"), _parentheses),
    (("SORTED", "BY"), _parentheses),
    (("SORTED", "ON"), _parentheses),
    (("INTO",), _buckets),
    (("SKEWED", "BY"), _skewed),
    (("ROW", "FORMAT", "SERDE"), _serde),
    (("ROW", "FORMAT", "DELIMITED"), _nothing),
    (("FIELDS", "TERMINATED", "BY"), _string),
    (("ESCAPED", "BY"), _string),
    (("COLLECTION", "ITEMS", "TERMINATED", "BY"), _string),
    (("MAP", "KEYS", "TERMINATED", "BY"), _string),
    (("LINES", "TERMINATED", "BY"), _string),
    (("NULL", "DEFINED", "AS"), _string),
    (("WITH", "SERDEPROPERTIES"), _serde_properties),
    (("WITH", "DBPROPERTIES"), _properties),
    (("WITH", "PROPERTIES"), _properties),
    (("WITH", "SCHEMA"), _view_schema),
    (("STORED", "BY"), _stored_by),
    (("STORED", "AS", "DIRECTORIES"), _nothing),
    (("STORED", "AS"), _stored_as),
    (("OUTPUTFORMAT",), _string),
    (("INPUTDRIVER",), _string),
    (("OUTPUTDRIVER",), _string),
    (("USING",), _using),
    (("OPTIONS",), _options),
    (("TBLPROPERTIES",), _properties),
    (("DEFAULT", "COLLATION"), _word),
    (("DISABLE", "REWRITE"), _nothing),
    (("ENABLE", "REWRITE"), _nothing),
)
