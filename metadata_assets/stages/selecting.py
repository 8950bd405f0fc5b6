"""What people select is compared with what there is, before anything is done for it."""

from collections.abc import Collection, Iterator, Sequence

from metadata_assets.errors import MetadataError, SelectionError
from metadata_assets.model.pattern import NamePattern, Selection
from metadata_assets.model.suggestions import nearest
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.stages.deployment import Deployment


def check_selection(deployment: Deployment, patterns: Sequence[str]) -> list[str]:
    """Compare a selection with the tables that the metastore lists now, and those that are known.

    Returns:
        A line for each pattern that names no table beside others that do. Where the metastore cannot be listed nothing
        is said: whoever reads it next says what is the matter.

    Raises:
        SelectionError: nothing is selected; names what is spelled alike.
    """
    if not patterns:
        return []
    try:
        listed = set(_listed(deployment, Selection.parse(tuple(patterns))))
    except MetadataError:
        return []
    facts = deployment.store.facts
    return compare(patterns, listed.union(tables_among({*facts.hashes("schema"), *facts.hashes("entry")})))


def _listed(deployment: Deployment, selection: Selection) -> Iterator[TableName]:
    with deployment.metastore() as metastore:
        for database in metastore.read_database_names():
            if selection.may_hold_of(database):
                yield from metastore.read_table_names(database)


def compare(patterns: Sequence[str], tables: Collection[TableName]) -> list[str]:
    """A line for each pattern that names none of the tables beside others that do.

    Raises:
        SelectionError: the patterns select none of the tables.
    """
    if not patterns:
        return []
    selection = Selection.parse(tuple(patterns))
    idle = [f"--select {p} matches no table{_hint(p, tables)}" for p in selection.idle(tables)]
    if not any(map(selection.holds, tables)):
        raise SelectionError("; ".join(idle) or f"--select {' '.join(patterns)} leaves no table")
    return idle


def _hint(pattern: NamePattern, tables: Collection[TableName]) -> str:
    """What a pattern may have been meant to be: one of another database, or another table of its databases."""
    databases = {t.database for t in tables}
    if not any(map(pattern.matches_database, databases)):
        near = nearest(pattern.database, databases)
        meant = str(NamePattern(near, pattern.table)) if near is not None else None
    else:
        meant = nearest(str(pattern), {str(t) for t in tables if pattern.matches_database(t.database)})
    return f" (did you mean {meant!r}?)" if meant is not None else ""
