"""The whole product with its store on PostgreSQL."""

import json
from pathlib import Path

import pytest

from metadata_assets.store.store import Store
from tests.integration.command import backfill, environment, run

pytestmark = pytest.mark.postgres


def test_a_deployment_on_postgresql(tmp_path: Path, small: dict[str, str], postgres_url: str) -> None:
    platform = Path(small["METADATA_PLATFORM"])
    platform.write_text(platform.read_text() + "store: {url_env: CATALOG_STORE}\n")
    env = environment(tmp_path / "home", **small, CATALOG_STORE=postgres_url)
    first = backfill(env)
    assert first["hive_schemas"]["written"] == first["local_tables"]["written"] > 0
    second = backfill(env)
    assert {stage: c["written"] for stage, c in second.items() if c["written"]} == {}
    assert not (tmp_path / "home" / "store.db").exists()
    store = Store.open(postgres_url)
    store.work.mark_pending(["table:raw.users"], "test")
    store.close()
    edited = tmp_path / "small/specs/raw.yaml"
    edited.write_text(edited.read_text(encoding="utf-8").replace("owner: ", "owner: x-", 1), encoding="utf-8")
    planned = [
        json.loads(line) for line in run("plan", "--destination", "local", "--json", env=env).stdout.splitlines()
    ]
    assert {(p["entity"], p["field"], p["new"][:2]) for p in planned} == {("table:raw.users", "owner", "x-")}


def test_a_missing_variable_is_named(tmp_path: Path, small: dict[str, str]) -> None:
    platform = Path(small["METADATA_PLATFORM"])
    platform.write_text(platform.read_text() + "store: {url_env: CATALOG_STORE}\n")
    done = run("status", env=environment(tmp_path, **small), check=False)
    assert done.returncode == 2
    assert "environment variable CATALOG_STORE (store.url_env) is not set" in done.stderr
