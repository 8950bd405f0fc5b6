"""A script becomes statements with lineage: none is left out, none ends the reading of the others."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from sqlglot import _version

from metadata_assets.lineage.messages import GivenUp, ScriptText
from metadata_assets.lineage.session import Session
from metadata_assets.lineage.split import Piece, split_script
from metadata_assets.lineage.statements import StatementReader
from metadata_assets.model.lineage import ColumnEdge, ColumnRef, Script, StatementLineage, StatementPlace, view_of
from metadata_assets.model.table import Table, TableName

# The parser is a part of the engine: another version may read the same text in another way.
ENGINE_VERSION: str = f"3+sqlglot-{_version.__version__}"


def infer_script(
    name: str,
    text: str,
    dialect: str,
    known: Mapping[TableName, Table],
    given_up: Mapping[int, GivenUp] = MappingProxyType({}),
    begins: Callable[[int], object] = lambda _: None,
) -> Script:
    """`infer_text` of a script of the lake."""
    return infer_text(ScriptText(name, text, dialect), known, given_up, begins)


def infer_text(
    script: ScriptText,
    known: Mapping[TableName, Table],
    given_up: Mapping[int, GivenUp] = MappingProxyType({}),
    begins: Callable[[int], object] = lambda _: None,
) -> Script:
    """The lineage of a script. Never raises: what cannot be read is a statement with the reason.

    Args:
        script: its name, when made by `view_script`, says that the text is the query of that view.
        known: the tables of the lake.
        given_up: statements, by their index, that are not to be parsed, and how they end.
        begins: called with the index of each statement before it is read.
    """
    view = view_of(script.name)
    session = _session(script, known)
    reader = StatementReader(session, script, given_up)
    if view is not None:
        piece = _whole(script.text, script.dialect)
        place = StatementPlace(script.name, piece.line if piece else 1, 0)
        begins(0)
        return Script((reader.read_view(place, view, piece),))
    pieces = [piece for piece in split_script(script.text, script.dialect) if piece.is_statement]
    found = []
    for index, piece in enumerate(pieces):
        begins(index)
        found.append(reader.read(StatementPlace(script.name, piece.line, index), piece))
    return Script(tuple(_renamed(statement, session) for statement in found))


def _session(script: ScriptText, known: Mapping[TableName, Table]) -> Session:
    if script.alone is None:
        return Session(known, _default_database(view_of(script.name), known))
    session = Session({table.name: table for table in script.alone.tables}, script.alone.database)
    session.of_lake = False
    return session


def _default_database(view: TableName | None, known: Mapping[TableName, Table]) -> str:
    if view is None:
        return "default"
    table = known.get(view)
    recorded = table.view.default_database if table is not None and table.view is not None else None
    return (recorded or view.database).lower()


def _whole(text: str, dialect: str) -> Piece | None:
    """The query of a view; it is one statement, whatever `;` follows it."""
    return next((piece for piece in split_script(text, dialect) if piece.is_statement), None)


def _renamed(statement: StatementLineage, session: Session) -> StatementLineage:
    """What an earlier statement filled is found under the name that a later one gave it."""
    names: dict[TableName, TableName] = {}
    for index, old, new in session.renames:
        if statement.place.index < index:
            names = {first: new if last == old else last for first, last in names.items()}
            names.setdefault(old, new)
    if not names.keys() & set(statement.outputs):
        return statement
    outputs = tuple(sorted({names.get(table, table) for table in statement.outputs}))
    columns = tuple(sorted(_moved(edge, names) for edge in statement.columns))
    return replace(statement, outputs=outputs, columns=columns)


def _moved(edge: ColumnEdge, names: Mapping[TableName, TableName]) -> ColumnEdge:
    target = edge.target.table
    return replace(edge, target=ColumnRef(names.get(target, target), edge.target.column))
