"""Backfills as people run them: of the sample, of a real metastore, and killed in the middle."""

import random
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from openpyxl import load_workbook

from examples.services.metastore import Metastore
from metadata_assets.store.store import Store
from tests.integration.command import PROGRAM, ROOT, backfill, environment, run

HIVE_PLATFORM = """\
version: 1
kind: platform
metastore: {{type: hive, uris: ["{uri}"], databases: {{exclude: ["tmp_*"]}}}}
destinations:
  - {{type: local}}
"""


def catalog(home: Path) -> dict[str, str]:
    """What is true in the store and at the local destination, without times and numbers."""
    store = Store.open(f"sqlite:///{home / 'store.db'}")
    try:
        held = store.published.held("local")
        facts = {f"{kind} {s}": h for kind in ("schema", "entry") for s, h in store.facts.hashes(kind).items()}
        return facts | {s: p.content_hash for s, p in held.items()}
    finally:
        store.close()


def rows(home: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(load_workbook(home / "catalog.xlsx", read_only=True)) as book:
        return {name: sorted((tuple(r) for r in book[name].values), key=str) for name in book.sheetnames}


def test_the_sample_is_catalogued_and_a_second_backfill_writes_nothing(tmp_path: Path) -> None:
    env = environment(tmp_path)
    first = backfill(env)
    assert first["hive_schemas"]["listed"] == first["hive_schemas"]["written"] == 74
    assert all(counts["failed"] == 0 for counts in first.values())
    second = backfill(env)
    assert {stage: c["written"] for stage, c in second.items() if c["written"]} == {}
    shown = run("show", "clean.user_clean", env=env).stdout
    assert "telefone" in shown


def test_a_selection_touches_only_what_it_names(tmp_path: Path) -> None:
    counts = backfill(environment(tmp_path), "--select", "raw.u*", "--select", "!raw.user_*")
    assert (counts["hive_schemas"]["written"], counts["local_tables"]["written"]) == (1, 1)


@pytest.mark.hive
def test_a_real_metastore_of_two_thousand_tables_is_accounted_for(tmp_path: Path, warehouse: Metastore) -> None:
    platform = tmp_path / "platform.yaml"
    platform.write_text(HIVE_PLATFORM.format(uri=warehouse.uri))
    env = environment(tmp_path / "home", METADATA_PLATFORM=str(platform))
    first = backfill(env)
    assert first["hive_schemas"]["written"] == first["hive_schemas"]["listed"] >= 2000
    assert first["local_tables"]["written"] == first["hive_schemas"]["listed"]
    second = backfill(env)
    assert {stage: c["written"] for stage, c in second.items() if c["written"]} == {}


def test_a_backfill_killed_at_any_moment_ends_like_an_undisturbed_one(tmp_path: Path, small: dict[str, str]) -> None:
    calm, disturbed = tmp_path / "calm", tmp_path / "disturbed"
    begun = time.monotonic()
    backfill(environment(calm, **small))
    whole = time.monotonic() - begun
    env = environment(disturbed, **small)
    rng = random.Random(7)
    for _ in range(3):
        process = subprocess.Popen(
            [*PROGRAM, "backfill"], env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.25, 0.95) * whole)
        process.kill()
        process.wait()
    backfill(env)
    assert catalog(disturbed) == catalog(calm)
    assert rows(disturbed) == rows(calm)
    assert not list(disturbed.glob(".*.tmp"))
