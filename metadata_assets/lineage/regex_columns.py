"""Columns given as a regular expression in backticks, where the script's settings ask for it."""

import re
from collections.abc import Iterator

from sqlglot import exp

from metadata_assets.isolation import guarded
from metadata_assets.lineage.tables import name_of
from metadata_assets.lineage.trace import Catalog
from metadata_assets.lineage.variables import Variables

_SETTINGS = {"hive.support.quoted.identifiers": "none", "spark.sql.parser.quotedregexcolumnnames": "true"}
_PLAIN = re.compile(r"[\w$ -]+")


def expand_regex_columns(query: exp.Query, variables: Variables, catalog: Catalog) -> None:
    """Put the columns that each expression matches in its place; the tables have their full names by now."""
    if not any((variables.value_of(name) or "").lower() == value for name, value in _SETTINGS.items()):
        return
    for select in list(query.find_all(exp.Select)):
        expanded = [column for item in select.expressions for column in _expanded(item, select, catalog)]
        select.set("expressions", expanded)


def _expanded(item: exp.Expr, select: exp.Select, catalog: Catalog) -> Iterator[exp.Expr]:
    if not isinstance(item, exp.Column) or not _is_pattern(item):
        yield item
        return
    pattern = guarded("the column pattern", lambda: re.compile(item.name, re.IGNORECASE), quote=True)
    names = list(_columns(item.table, select, catalog))
    if pattern.error is not None or not names:
        yield item
        return
    expression = pattern.unwrap()
    yield from (exp.column(name, table=table) for table, name in names if expression.fullmatch(name))


def _is_pattern(column: exp.Column) -> bool:
    return bool(column.this.args.get("quoted")) and _PLAIN.fullmatch(column.name) is None


def _columns(qualifier: str, select: exp.Select, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """The columns of the tables that the query reads, with the name that each table goes by."""
    from_ = select.args.get("from_")
    sources = [from_.this] if from_ is not None else []
    sources += [join.this for join in select.args.get("joins") or ()]
    for source in sources:
        if isinstance(source, exp.Table) and qualifier in ("", source.alias_or_name):
            for name in catalog.columns_of(name_of(source)) or ():
                yield source.alias_or_name, name
