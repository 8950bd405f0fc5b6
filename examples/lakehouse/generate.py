"""Write the sample's Parquet files, or check that the committed ones are what this code writes.

    python -m examples.lakehouse.generate            writes examples/lakehouse/data
    python -m examples.lakehouse.generate --check    writes into a temporary folder and compares byte for byte

Everything is drawn from one seed. The bytes also depend on pyarrow, whose version the lock file holds.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from examples.lakehouse import derived, raw_market, raw_people, world
from examples.lakehouse.raw_people import Parts
from examples.lakehouse.schema import data_schema

DATA = Path(__file__).parent / "data"
TABLES: dict[str, Callable[[world.World], Parts]] = {
    "raw.users": raw_people.users,
    "raw.owners": raw_people.owners,
    "raw.brokers": raw_people.brokers,
    "raw.suppliers": raw_people.suppliers,
    "raw.credit_checks": raw_people.credit_checks,
    "raw.messages": raw_people.messages,
    "raw.support_tickets": raw_people.support_tickets,
    "raw.listings": raw_market.listings,
    "raw.leases": raw_market.leases,
    "raw.payments": raw_market.payments,
    "raw.app_events": raw_market.app_events,
    "raw.visits": raw_market.visits,
    "raw.cep_reference": raw_market.cep_reference,
    "raw.products": raw_market.products,
    "raw.index_rates": raw_market.index_rates,
    "clean.user_clean": derived.users,
    "clean.user_contacts": derived.user_contacts,
    "clean.owners": derived.owners,
    "clean.listings": derived.listings,
    "clean.leases": derived.leases,
    "clean.payments": derived.payments,
    "clean.app_events": derived.app_events,
    "clean.brokers": derived.brokers,
    "clean.suppliers": derived.suppliers,
    "mart.dim_user": derived.dim_user,
    "finance.delinquency": derived.delinquency,
    "legado.clientes_old": derived.clientes_old,
}


def write_table(name: str, parts: Parts, folder: Path) -> None:
    """Write one table, a file a partition, and refuse rows whose columns are not the table's."""
    database, _, table = name.partition(".")
    for part, rows in parts.items():
        keys = {piece.partition("=")[0] for piece in part.split("/") if piece}
        schema = data_schema(name, keys)
        if set(rows[0]) != set(schema.names):
            raise ValueError(f"{name}: rows and DDL differ in {sorted(set(rows[0]) ^ set(schema.names))}")
        path = folder / f"{database}.db" / table / part / "part-0.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path, compression="zstd")


def write_all(folder: Path) -> None:
    people = world.build()
    for name, make in TABLES.items():
        write_table(name, make(people), folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def check() -> list[str]:
    """Names of files that are missing, left over or different."""
    with tempfile.TemporaryDirectory() as name:
        write_all(Path(name))
        wanted, found = contents(Path(name)), contents(DATA)
    return sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m examples.lakehouse.generate [--check]\n")
        return 2
    if not arguments:
        write_all(DATA)
    wrong = check()
    files = contents(DATA)
    sys.stdout.write("".join(f"differs: {path}\n" for path in wrong))
    sys.stdout.write(f"{len(files)} files, {sum(map(len, files.values()))} bytes, {len(wrong)} differences\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
