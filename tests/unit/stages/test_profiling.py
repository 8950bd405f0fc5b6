"""Profiles are made again when what they depend on changes, from any relation that can be asked, and no table's
trouble is another's."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest

from metadata_assets.errors import ForeignCodeError, Permanent
from metadata_assets.model.counts import Counts
from metadata_assets.model.finding import ColumnProfile, TableProfile
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Table
from metadata_assets.profiling.data import Kind, Relation
from metadata_assets.sources.events.base import Message
from metadata_assets.sources.events.requests import requests_decoder
from metadata_assets.stages.databases import read_databases
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.profiling import profile_tables
from metadata_assets.stages.schemas import read_schemas
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_keys
from metadata_assets.stages.watching import plan_due
from metadata_assets.store.facts import Reading
from tests.apiary import inserted
from tests.decoders import OnlyDecoder
from tests.lake import table, view
from tests.memory import World
from tests.unit.profiling.test_detectors import CPFS
from tests.unit.stages.conftest import EVERYTHING


@dataclass
class MemoryData:
    """A relation that is no file: one text column of these values."""

    column: str
    values: Sequence[str]
    version: str = "1"
    broken: bool = False
    opens: int = 0
    unread: tuple[str, ...] = ()

    @contextmanager
    def opened(self) -> Iterator[Relation]:
        self.opens += 1
        if self.broken:
            raise ValueError(f"cannot convert {self.values[0]}")
        if self.unread:
            raise ForeignCodeError("some of it cannot be read")
        yield self

    def sound(self) -> tuple["MemoryData", tuple[str, ...]]:
        return replace(self, unread=()), self.unread

    def kinds(self) -> Mapping[str, Kind]:
        return {self.column.upper(): "text"}

    def aggregate(self, columns: Mapping[str, Kind]) -> tuple[int, Sequence[ColumnProfile]]:
        size = len(self.values)
        return size, [ColumnProfile(name, size, 0, len(set(self.values))) for name in columns]

    def sample(self, columns: Sequence[str], rows: int) -> Mapping[str, Sequence[str]]:
        return {name: sorted(set(self.values))[:rows] for name in columns}


@dataclass
class MemorySamples:
    data: dict[str, MemoryData] = field(default_factory=dict)
    refusing: set[str] = field(default_factory=set)

    def connect(self, around: Surroundings) -> "MemorySamples":
        return self

    def find_data(self, table: Table) -> MemoryData | None:
        if str(table.name) in self.refusing:
            raise Permanent("access denied")
        return self.data.get(str(table.name))


@pytest.fixture
def samples() -> MemorySamples:
    return MemorySamples({"raw.a": MemoryData("doc", list(CPFS)), "raw.b": MemoryData("doc", ["x", "y"])})


@pytest.fixture
def sampled(deployment: Deployment, world: World, samples: MemorySamples) -> Deployment:
    world.metastore.add(table("raw.a", "Doc string"), table("raw.b", "doc string"), table("raw.none", "cpf string"))
    world.metastore.add(view("raw.v", "SELECT 1"))
    return replace(deployment, platform=deployment.platform.model_copy(update={"samples": samples}))


def run(deployment: Deployment) -> Counts:
    read_databases(deployment, EVERYTHING)
    shards = shard_keys(deployment.store.work.shards())
    read_schemas(deployment, shards, EVERYTHING)
    counts = profile_tables(deployment, shards, EVERYTHING)
    assert counts.missing == 0
    return counts


def profiles(deployment: Deployment) -> dict[str, TableProfile]:
    return deployment.store.facts.contents("profile")


def test_any_relation_is_judged_and_names_alone_where_there_is_none(sampled: Deployment) -> None:
    counts = run(sampled)
    assert (counts.listed, counts.written, dict(counts.skipped)) == (4, 2, {"view": 1, "no_data": 1})
    found = profiles(sampled)
    assert found["table:raw.a"].columns == (ColumnProfile("Doc", len(CPFS), 0, len(CPFS)),)
    assert [(f.column, f.tag) for f in found["table:raw.a"].findings] == [("Doc", "PII_CPF")]
    assert found["table:raw.b"].findings == ()
    assert [f.band for f in found["table:raw.none"].findings] == ["weak"]


def test_data_of_the_same_version_is_not_opened_again(sampled: Deployment, samples: MemorySamples) -> None:
    run(sampled)
    assert run(sampled).unchanged == 2
    samples.data["raw.a"].version = "2"
    samples.data["raw.a"].values = ["x"]
    assert (run(sampled).unchanged, profiles(sampled)["table:raw.a"].findings) == (1, ())
    assert [d.opens for d in samples.data.values()] == [2, 1]


def test_trouble_with_one_table_is_counted_and_told_without_values(sampled: Deployment, samples: MemorySamples) -> None:
    samples.data["raw.a"].broken = True
    samples.refusing.add("raw.none")
    counts = run(sampled)
    assert set(counts.errors) == {"table:raw.a", "table:raw.none"}
    assert "access denied" in counts.errors["table:raw.none"]
    assert samples.data["raw.a"].values[0] not in str(counts.errors)
    assert set(profiles(sampled)) == {"table:raw.b"}


def test_what_can_be_read_is_profiled_and_the_rest_told_until_it_is_mended(
    sampled: Deployment, samples: MemorySamples
) -> None:
    samples.data["raw.a"].unread = ("2.parquet: a truncated Parquet file",)
    for _ in range(2):
        counts = run(sampled)
        told = "1 data file cannot be read, the profile is of the others: 2.parquet: a truncated Parquet file"
        assert counts.errors == {"table:raw.a": told}
        assert [f.tag for f in profiles(sampled)["table:raw.a"].findings] == ["PII_CPF"]
    samples.data["raw.a"].unread = ()
    assert (run(sampled).errors, sampled.store.work.trouble()) == ({}, {})


def test_a_profile_goes_with_its_table(sampled: Deployment) -> None:
    run(sampled)
    gone = "table:raw.b"
    sampled.store.facts.put("schema", [Reading(gone, None, 2**62, "dropped")], "run")
    profile_tables(sampled, ["raw"], EVERYTHING)
    assert gone not in profiles(sampled)


def test_tables_without_data_are_counted_as_such_each_time(sampled: Deployment) -> None:
    for _ in range(2):
        assert dict(run(sampled).skipped) == {"no_data": 1, "view": 1}


def test_what_the_last_data_showed_stays_until_there_is_other_data_or_no_table(
    sampled: Deployment, samples: MemorySamples, world: World
) -> None:
    def findings() -> list[tuple[str, str, int]]:
        return [(f.column, f.tag, f.matched) for f in profiles(sampled)["table:raw.a"].findings]

    run(sampled)
    data = samples.data.pop("raw.a")
    world.metastore.add(table("raw.a", "Doc string", "email string"))
    for _ in range(2):
        assert run(sampled).skipped["no_data"] == 2
        assert findings() == [("Doc", "PII_CPF", len(CPFS)), ("email", "PII_EMAIL", 0)]
    data.values, data.version = ["x", "y"], "2"
    samples.data["raw.a"] = data
    assert run(sampled).skipped["no_data"] == 1
    assert findings() == []


def ask(deployment: Deployment, number: int, **target: str) -> dict[str, int]:
    """A request for a profile."""
    fields = {
        "version": 1, "id": f"r{number}", "what": "profile", "target": target, "requested_by": "ana",
        "requested_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    message = Message(f"r/0/{number}@1", json.dumps(fields).encode(), 1_700_000_000.0 + number)
    return dict(store_messages(deployment, OnlyDecoder(requests_decoder()), [message]).outcomes)


def test_a_profile_that_somebody_asks_for_is_due_and_made_once(sampled: Deployment, samples: MemorySamples) -> None:
    run(sampled)
    sampled.store.work.clear_pending(sampled.store.work.pending())
    assert ask(sampled, 1, table="raw.a") == {"requested": 1}
    due = plan_due(sampled.store, [], time.time())
    assert {shard: what.derived for shard, what in due.shards.items()} == {"raw": True}
    profile_tables(sampled, ["raw"], Scope("asked", everything=False))
    assert [d.opens for d in samples.data.values()] == [2, 1]
    run(sampled)
    assert [d.opens for d in samples.data.values()] == [2, 1], "nothing is new since"
    sampled.store.work.clear_pending(sampled.store.work.pending())
    assert ask(sampled, 1, table="raw.a") == {"ignored: no newer change of data than is known": 1}
    assert sampled.store.work.pending() == {}, "the same request, read again"


def test_where_nothing_tells_of_data_but_events_they_make_a_profile_due(
    sampled: Deployment, samples: MemorySamples
) -> None:
    for data in samples.data.values():
        data.version = ""
    run(sampled)
    assert run(sampled).unchanged == 2
    store_messages(sampled, sampled.platform.events[0], [inserted(1, table("raw.b"), 1_700_000_000.0)])
    run(sampled)
    assert [d.opens for d in samples.data.values()] == [1, 2]
    samples.data["raw.b"].version = "files of today"
    run(sampled)
    store_messages(sampled, sampled.platform.events[0], [inserted(2, table("raw.b"), 1_700_000_009.0)])
    run(sampled)
    assert [d.opens for d in samples.data.values()] == [1, 3], "what files say is more exact than events"
