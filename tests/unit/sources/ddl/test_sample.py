"""The whole sample lakehouse is read, and read right."""

import json
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Table
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.sources.ddl.config import DdlConfig

ROOT = Path(__file__).parents[4]
GOLDEN = ROOT / "tests/golden/ddl/awkward.json"
AWKWARD = (
    "clean.credit_checks", "clean.event_items", "clean.suppliers", "clean.user_history", "clean.v_users_masked",
    "legado.cadastro_geral", "legado.clientes_old", "legado.contratos_avro", "legado.eventos_union",
    "legado.importacao_excel", "legado.indice_hbase", "legado.log_acesso", "legado.v_clientes", "legado.vazia",
    "mart.broker_ranking", "mart.fct_lease", "mart.v_listing_search", "mart.v_revenue_month",
    "mart.v_revenue_quarter", "ml.experiments", "raw.app_events", "raw.credit_checks", "raw.listings", "raw.users",
)  # fmt: skip


def connect() -> MetastoreSource:
    return DdlConfig(type="ddl", path="lakehouse/ddl").connect(Surroundings({}, ROOT / "examples", ROOT))


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    with connect() as source:
        names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
        return {str(read.name): read for read in source.read_tables(names) if isinstance(read, Table)}


def test_every_table_of_the_sample(tables: dict[str, Table]) -> None:
    assert len(tables) == 74
    assert [table.name for table in tables.values() if table.notes] == []
    assert sum(table.is_view for table in tables.values()) == 7
    assert [name for name, table in tables.items() if table.owner is None] == []


def test_awkward_tables_are_as_recorded(tables: dict[str, Table]) -> None:
    assert {name: asdict(tables[name]) for name in AWKWARD} == as_read(json.loads(GOLDEN.read_text()))


def as_read(recorded: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """JSON has no tuples."""
    tuples = ("columns", "partition_keys", "notes")
    return {
        name: {key: tuple(v) if key in tuples and isinstance(v, list) else v for key, v in table.items()}
        for name, table in recorded.items()
    }


def test_databases_of_the_sample() -> None:
    with connect() as source:
        databases = {database.name: database for database in source.read_databases()}
    assert list(databases) == ["clean", "finance", "legado", "mart", "ml", "raw"]
    legado = databases["legado"]
    assert (legado.owner, legado.location) == ("ninguem", "s3a://aluga-lake/legado.db")
    assert legado.comment == "Herança do sistema antigo (até 2020); só leitura, não crie nada aqui."


def test_one_view_is_read_as_it_is_among_all(tables: dict[str, Table]) -> None:
    view = tables["mart.v_revenue_quarter"]
    with connect() as source:
        assert list(source.read_tables([view.name])) == [view]


def test_reading_is_quick() -> None:
    """Measured: 0.06 s; a limit far above that, because machines that run tests are busy."""
    with connect() as source:
        begin = time.process_time()
        names = [name for database in source.read_databases() for name in source.read_table_names(database.name)]
        assert len(list(source.read_tables(names))) == 74
        assert time.process_time() - begin < 1.5
