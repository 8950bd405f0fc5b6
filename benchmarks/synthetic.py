"""A lake of any size for benchmarks: half raw tables, half to be filled from them, one job in five tables.

Every fifth table is documented, every fiftieth tagged; rules tag two columns of all raw tables. Names and types repeat
the way they do in a warehouse: few types, many columns.
"""

from dataclasses import replace

from metadata_assets.model.table import Column, Database, Table, TableName
from tests.memory import World

TABLES_A_DATABASE = 250
_TYPES = ("string", "bigint", "int", "double", "timestamp", "date", "decimal(18,2)", "boolean", "array<string>")
_NAMES = ("id", "email", "cpf", "name", "created_at", "amount", "status", "city", "score", "ds_ref")
_COLUMNS = 20
_SHARE = 5  # one job and one document for so many tables


def table_name(number: int) -> TableName:
    layer = "clean" if number % 2 else "raw"
    return TableName(f"{layer}_{number // 2 // TABLES_A_DATABASE:03d}", f"table_{number:06d}")


def make_table(number: int) -> Table:
    columns = tuple(
        Column(
            f"{_NAMES[i % 10]}_{i}" if i >= 10 else _NAMES[i],
            _TYPES[(number + i) % len(_TYPES)],
            f"Comment on column {i} of table {number}" if i % 3 == 0 else None,
        )
        for i in range(_COLUMNS)
    )
    return Table(
        table_name(number), "external", columns, (Column("ds", "date"),), f"Table {number}", "data-team",
        f"s3://lake/{number}", 1_700_000_000 + number, "parquet",
    )  # fmt: skip


def changed(table: Table) -> Table:
    """The table with one more column."""
    return replace(table, columns=(*table.columns, Column("added", "string")))


def make_world(tables: int) -> World:
    world = World()
    for number in range(tables):
        table = make_table(number)
        world.metastore.tables[table.name] = table
        world.metastore.databases.setdefault(table.name.database, Database(table.name.database, "A database"))
    for job in range(tables // _SHARE):
        world.jobs.files[f"jobs/{job % 20:02d}/job_{job:06d}.sql"] = _job(job, tables)
    world.specs.files = _specs(tables)
    return world


def _job(job: int, tables: int) -> str:
    target = 2 * (job * 2 % (tables // 2)) + 1
    left, right = 2 * (job % (tables // 2)), 2 * ((job + 1) % (tables // 2))
    names = [c.name for c in make_table(target).columns]
    selected = ", ".join(
        f"upper(l.{n}) as {n}" if i % 4 == 1 else f"{'r' if i % 3 == 2 else 'l'}.{n}" for i, n in enumerate(names)
    )
    return (
        f"insert overwrite table {table_name(target)} partition (ds = '2026-01-01')\n"
        f"select {selected}\nfrom {table_name(left)} l join {table_name(right)} r on l.id = r.id and l.ds = r.ds\n"
        f"where l.status is not null;\n"
    )


def _specs(tables: int) -> dict[str, str]:
    files: dict[str, list[str]] = {}
    for number in range(0, tables, _SHARE):
        name = table_name(number)
        lines = files.setdefault(
            f"documentation/{name.database}.yaml", ["version: 1", "kind: documentation", "tables:"]
        )
        lines += [f"  - name: {name}", f"    description: What table {number} is about.", "    owner: growth"]
        lines += ["    terms: [customer]", "    columns:"]
        lines += [f"      - {{name: {c}, description: 'The {c} of it.'}}" for c in ("id", "email", "status")]
    tags = ["version: 1", "kind: tags", "tables:"]
    for number in range(0, tables, _SHARE * 10):
        tags += [f"  - name: {table_name(number)}", "    tags: [tier_1]", "    columns:"]
        tags += ["      - {name: cpf, tags: [PII_CPF]}"]
    tags += [
        "rules:",
        '  - {match: "raw_*.*.email", tags: [PII_EMAIL]}',
        '  - {match: "raw_*.*.name", tags: [PII_NAME]}',
    ]
    texts = {path: "\n".join(lines) + "\n" for path, lines in files.items()} | {"tags/all.yaml": "\n".join(tags) + "\n"}
    texts["glossary/terms.yaml"] = "version: 1\nkind: glossary\nterms:\n  - {name: customer, description: Who buys.}\n"
    return texts
