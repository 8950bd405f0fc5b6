"""Several that write at once: no lost update, no deadlock, and the same end whoever comes first."""

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.table import Database
from metadata_assets.store.facts import Marks, Reading
from metadata_assets.store.published import Written
from metadata_assets.store.store import Store

ROOT = Path(__file__).parents[3]
SUBJECTS = [f"database:d{i:02}" for i in range(40)]


@pytest.fixture
def stores(store_url: str) -> Iterator[list[Store]]:
    """The same store opened by four that do not know each other."""
    opened = [Store.open(store_url) for _ in range(4)]
    yield opened
    for store in opened:
        store.close()


def together(jobs: Sequence[Callable[[], object]]) -> list[object]:
    """Run them at the same time; what one raises is raised here."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        start.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def put(store: Store, order_key: int, subjects: Sequence[str] = SUBJECTS) -> dict[str, str]:
    readings = [Reading(s, Database(s, str(order_key)), order_key, f"key {order_key}") for s in subjects]
    return dict(store.facts.put("database", readings, f"run {order_key}", Marks("changed")))


def test_the_newest_reading_stands_whoever_comes_first(stores: list[Store]) -> None:
    for round_ in range(10):
        keys = [round_ * 10 + k for k in range(4)]
        random.Random(round_).shuffle(keys)

        def job(store: Store, key: int) -> Callable[[], object]:
            return lambda: put(store, key, random.Random(key).sample(SUBJECTS, len(SUBJECTS)))

        together([job(s, k) for s, k in zip(stores, keys, strict=True)])
        newest = str(max(keys))
        assert {d.comment for d in stores[0].facts.contents("database").values()} == {newest}


def test_no_version_is_lost_or_written_twice(stores: list[Store]) -> None:
    outcomes = together([lambda s=s, k=k: put(s, k, ["database:d"]) for k, s in enumerate(stores)])  # type: ignore[misc]
    written = sum(isinstance(o, dict) and o["database:d"] == "written" for o in outcomes)
    history = stores[0].facts.history("database:d")
    assert len(history) == written
    assert [f.order_key for f in history] == sorted(f.order_key for f in history)


def test_equal_readings_become_one_version(stores: list[Store]) -> None:
    together([lambda s=s: put(s, 7) for s in stores])  # type: ignore[misc]
    assert [len(stores[0].facts.history(s)) for s in SUBJECTS] == [1] * len(SUBJECTS)


def test_events_that_come_in_two_orders_are_stored_once(stores: list[Store]) -> None:
    events = [ChangeEvent("table_changed", "table:raw.a", "k", f"id{i}", i, 0.0) for i in range(300)]

    def arrivals(seed: int) -> list[ChangeEvent]:
        return random.Random(seed).sample(events, len(events))

    new = together([lambda s=s, i=i: s.inbox.store(arrivals(i)) for i, s in enumerate(stores)])  # type: ignore[misc]
    assert sum(n for n in new if isinstance(n, int)) == 300
    assert stores[0].inbox.count_waiting() == 300


def test_writers_of_everything_else_get_along(stores: list[Store]) -> None:
    names = [f"table:raw.t{i}" for i in range(100)]

    def work(store: Store, seed: int) -> None:
        mixed = random.Random(seed).sample(names, len(names))
        store.work.grow_shards({"raw": seed, "mart": 1})
        store.work.mark_missing(mixed, float(seed))
        store.published.record("atlas", [Written(n, None) for n in mixed[:50]], dict.fromkeys(mixed[50:], "no"))
        store.work.mark_pending(mixed, "x")
        store.work.clear_pending(store.work.pending())
        store.work.set_state("sensor", seed)
        store.work.clear_missing(mixed)

    together([lambda s=s, i=i: work(s, i) for i, s in enumerate(stores)])  # type: ignore[misc]
    assert stores[0].work.pending() == {}
    assert stores[0].work.missing() == {}
    assert len(stores[0].published.standings()) == 100
    assert stores[0].work.shards().keys() == {"raw", "mart"}


def test_marks_and_changes_appear_together(stores: list[Store]) -> None:
    """Whoever takes the marks and then reads the facts may clear the marks: it has seen what they are for."""
    writers, reader = stores[:3], stores[3]
    stop = threading.Event()

    def write(store: Store, offset: int) -> None:
        for step in range(40):
            put(store, step * 3 + offset, ["database:d"])

    def merge() -> None:
        while not stop.is_set():
            merge_once()

    merged: list[str | None] = []

    def merge_once() -> None:
        marks = reader.work.pending()
        found = reader.facts.contents("database", marks)
        merged.extend(d.comment for d in found.values())
        reader.work.clear_pending(marks)

    merging = threading.Thread(target=merge)
    merging.start()
    together([lambda s=s, i=i: write(s, i) for i, s in enumerate(writers)])  # type: ignore[misc]
    stop.set()
    merging.join()
    merge_once()
    assert merged[-1] == reader.facts.contents("database")["database:d"].comment


def test_a_writer_of_sqlite_waits_for_another(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = Store.open(f"sqlite:///{path}")
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.5, lambda: other.execute("COMMIT"))
    release.start()
    begun = time.monotonic()
    assert put(store, 1, ["database:d"]) == {"database:d": "written"}
    assert time.monotonic() - begun > 0.4
    release.join()
    other.close()
    store.close()


def test_a_reader_of_sqlite_does_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = Store.open(f"sqlite:///{path}")
    put(store, 1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("DELETE FROM fact_heads")
    assert len(store.facts.contents("database")) == len(SUBJECTS)
    other.execute("ROLLBACK")
    other.close()
    store.close()


ENDLESS_WRITER = """
import itertools, sys
from metadata_assets.model.table import Database
from metadata_assets.store.facts import Marks, Reading
from metadata_assets.store.store import Store
store = Store.open(sys.argv[1])
for key in itertools.count(1):
    readings = [Reading(f"database:d{i:03}", Database("d", str(key)), key, "s") for i in range(400)]
    store.facts.put("database", readings, "run", Marks("changed"))
    print(key, flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.011, 0.027, 0.05])
def test_a_killed_writer_leaves_all_of_a_put_or_nothing(store_url: str, delay: float) -> None:
    command = [sys.executable, "-c", ENDLESS_WRITER, store_url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        done = [int(process.stdout.readline()) for _ in range(2)]
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    store = Store.open(store_url)
    facts = list(store.facts.latest("database"))
    versions = {f.content.comment for f in facts}
    assert len(facts) == 400
    assert len(versions) == 1, "a chunk is written whole"
    assert int(versions.pop() or 0) >= done[-1]
    assert set(store.work.pending()) == {f.subject for f in facts}
    assert set(put(store, 10**9, ["database:d000"]).values()) == {"written"}
    store.close()
