"""Opening a store: migrations, several at once, and what is said when it cannot be opened."""

import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from metadata_assets.errors import StoreError
from metadata_assets.store import engine
from metadata_assets.store.store import Store
from metadata_assets.store.tables import REVISION, metadata

ROOT = Path(__file__).parents[3]


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        inspected = inspect(connection)
        for name, table in metadata.tables.items():
            assert inspected.get_pk_constraint(name)["constrained_columns"] == [c.name for c in table.primary_key]


def test_the_newest_migration_is_the_one_that_the_code_knows() -> None:
    folder = Path(engine.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [REVISION]


def test_an_open_store_needs_no_alembic(store: Store, store_url: str) -> None:
    code = "import sys; from metadata_assets.store.store import Store\n"
    code += "Store.open(sys.argv[1]); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, store_url], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_numbers_of_removed_rows_are_not_given_again(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'store.db'}")
    with store.engine.connect() as connection:
        rows = connection.exec_driver_sql("select name, sql from sqlite_master where type = 'table'").all()
        made = {str(row.name): str(row.sql) for row in rows}
    counting = {name for name, table in metadata.tables.items() if "id" in table.c}
    assert {name for name in counting if "AUTOINCREMENT" in made[name]} == counting
    store.close()


def test_opening_again_changes_nothing(store: Store, store_url: str) -> None:
    store.work.set_state("a", 1)
    again = Store.open(store_url)
    assert again.work.state("a") == 1
    again.close()


def test_several_threads_may_open_an_empty_store_at_once(store_url: str) -> None:
    start = threading.Barrier(6)

    def open_and_write(number: int) -> None:
        start.wait()
        store = Store.open(store_url)
        store.work.mark_pending([f"a{number}"], "x")
        store.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(open_and_write, range(6)))
    store = Store.open(store_url)
    assert len(store.work.pending()) == 6
    store.close()


def test_several_processes_may_open_an_empty_store_at_once(store_url: str) -> None:
    code = (
        "import sys; from metadata_assets.store.store import Store; Store.open(sys.argv[1]).work.mark_pending('a', 'x')"
    )
    command = [sys.executable, "-c", code, store_url]
    processes = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], said


def test_a_store_of_a_newer_version_is_refused(store: Store, store_url: str) -> None:
    with store.engine.begin() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(StoreError, match=r"written by a newer version of metadata-assets: .*9999"):
        Store.open(store_url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "cannot be read: write sqlite:///FILE or postgresql://"),
        ("store.db", "cannot be read"),
        ("postgresql://user:hunter2@host:port/db", "cannot be read"),
        ("postgresql://user:hunter2/x@host:5432/db", r"cannot open the store|cannot be read"),
        ("postgresql://user:hunter2@127.0.0.1:1/db", r"cannot open the store postgresql\+psycopg2://user:\*\*\*@127"),
        ("postgres://user:hunter2@127.0.0.1:1/db", r"cannot open the store postgresql\+psycopg2://user:\*\*\*@127"),
        ("postgresql://user@127.0.0.1:1/db?password=hunter2", "cannot open the store"),
        ("postgresql://user@127.0.0.1:1/db?nonsense=hunter2", "cannot open the store"),
        ("mysql://user:hunter2@host/db", "the store cannot be mysql: it is SQLite or PostgreSQL"),
        ("postgresql+asyncpg://user:hunter2@host/db", "cannot open the store"),
        ("nonsense://user:hunter2@host/db", "the store cannot be nonsense"),
        ("sqlite:////proc/nowhere/store.db", "cannot open the store sqlite"),
    ],
)
def test_a_url_that_leads_nowhere_is_a_store_error_without_the_password(url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        Store.open(url)
    shown = "".join(traceback.format_exception(caught.value))
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in shown.replace(f"Store.open({url!r})", "")


@pytest.mark.postgres
def test_a_wrong_database_is_named(postgres_url: str) -> None:
    with pytest.raises(StoreError, match=r'cannot open the store .*database "nowhere" does not exist'):
        Store.open(postgres_url.rpartition("/")[0] + "/nowhere")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_text("not a database, but long enough to be looked at " * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store.open(f"sqlite:///{tmp_path / 'store.db'}")


def test_a_folder_with_odd_signs_is_made_where_it_is_lacking(tmp_path: Path) -> None:
    path = tmp_path / "100% é" / "below" / "store.db"
    Store.open(f"sqlite:///{path}").close()
    assert path.exists()
