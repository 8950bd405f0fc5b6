"""Reads the golden files of lineage: titles, scripts, and what is expected of each statement.

    -- case: a title
    -- dialect: hive
    INSERT INTO …;
    -- expect
    -- 1 INSERT lineage: shop.orders -> mart.pairs
    --   mart.pairs.k <- shop.orders.id EXPRESSION IDENTITY
    --   mart.pairs.* <~ shop.orders.day FILTER

`<~` is an indirect edge; `*` every row.

`python -m tests.unit.lineage.golden` writes what comes out now; read the difference before you keep it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metadata_assets.lineage.script import infer_script
from metadata_assets.model.lineage import StatementLineage
from metadata_assets.model.table import Column, Table, TableName

FOLDER = Path(__file__).parents[2] / "golden/lineage"
_CASE = re.compile(
    r"-- case: (?P<title>[^\n]+)\n-- dialect: (?P<dialect>\w+)\n(?P<sql>.*?)\n-- expect\n(?P<expected>(?:--[^\n]*\n)*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Case:
    file: str
    title: str
    dialect: str
    sql: str
    expected: list[str]


def read_cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.sql")):
        for found in _CASE.finditer(path.read_text()):
            lines = [line.removeprefix("-- ") for line in found["expected"].splitlines()]
            yield Case(path.stem, found["title"], found["dialect"], found["sql"], lines)


def read_tables() -> dict[TableName, Table]:
    tables = {}
    for line in (FOLDER / "tables.txt").read_text().splitlines():
        name, _, columns = line.partition(": ")
        own, _, keys = columns.partition(" | ")
        table = TableName.parse(name)
        tables[table] = Table(table, "managed", _columns(own), _columns(keys))
    return tables


def _columns(text: str) -> tuple[Column, ...]:
    items = re.split(r", (?=\w+ )", text) if text else []
    return tuple(Column(*item.split(" ", 1)) for item in items)


def describe(case: Case, tables: dict[TableName, Table]) -> list[str]:
    """What comes out, in the words of the golden files."""
    script = infer_script(f"{case.file}.sql", case.sql, case.dialect, tables)
    return [line for statement in script.statements for line in _lines(statement)]


def _lines(statement: StatementLineage) -> Iterator[str]:
    inputs = ", ".join(map(str, statement.inputs)) or "nothing"
    outputs = ", ".join(map(str, statement.outputs)) or "nothing"
    place = statement.place.line
    yield f"{place} {statement.verb} {statement.status}: {inputs} -> {outputs}"
    if statement.reason:
        yield f"  because: {statement.reason}"
    for name in statement.unresolved:
        yield f"  not traced: {name}"
    for edge in statement.columns:
        yield f"  {edge.target} <- {edge.source} {edge.kind} {edge.subtype}{' masked' if edge.masking else ''}"
    for indirect in statement.indirect:
        yield f"  {indirect.target}.{indirect.column or '*'} <~ {indirect.source} {indirect.subtype}"


def write_golden() -> None:
    tables = read_tables()
    for path in sorted(FOLDER.glob("*.sql")):
        parts = []
        for found in _CASE.finditer(path.read_text()):
            case = Case(path.stem, found["title"], found["dialect"], found["sql"], [])
            lines = "".join(f"-- {line}\n" for line in describe(case, tables))
            parts.append(f"-- case: {case.title}\n-- dialect: {case.dialect}\n{case.sql}\n-- expect\n{lines}")
        path.write_text("\n".join(parts))


if __name__ == "__main__":
    write_golden()
