"""Sources in memory for tests: a metastore that can be changed and told to fail, and files that can be edited."""

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Literal, Self

from pydantic import BaseModel

from metadata_assets.destinations.base import Destination, Grain
from metadata_assets.errors import Permanent, PlatformError, Unreachable
from metadata_assets.model.publication import Changes, Outcome, Published, Receipt, Wanted
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.model.table import Database, ReadFailure, Table, TableName, TableRead, Vanished
from metadata_assets.sources.base import TextFile
from metadata_assets.sources.events.apiary import apiary_decoder
from metadata_assets.sources.events.base import Decoder, Hydrate, Limit, Message, Polled
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.stages.deployment import Deployment
from metadata_assets.store.store import Store


@dataclass
class MemoryMetastore:
    """A metastore as dictionaries. The sets say what goes wrong."""

    databases: dict[str, Database] = field(default_factory=dict)
    tables: dict[TableName, Table] = field(default_factory=dict)
    down: bool = False
    refusing: set[str] = field(default_factory=set)  # databases whose tables may not be listed
    failing: set[TableName] = field(default_factory=set)  # tables that cannot be read
    vanishing: set[TableName] = field(default_factory=set)  # tables that are gone once they were listed
    forgetful: set[TableName] = field(default_factory=set)  # tables for which no answer comes at all
    reads: list[TableName] = field(default_factory=list)

    def add(self, *tables: Table) -> None:
        for table in tables:
            self.databases.setdefault(table.name.database, Database(table.name.database))
            self.tables[table.name] = table

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def _check(self) -> None:
        if self.down:
            raise Unreachable("no metastore answers")

    def read_databases(self) -> Sequence[Database]:
        self._check()
        return list(self.databases.values())

    def read_database_names(self) -> Sequence[str]:
        return [d.name for d in self.read_databases()]

    def read_table_names(self, database: str) -> Sequence[TableName]:
        self._check()
        if database in self.refusing:
            raise Permanent(f"access to {database} denied")
        return [n for n in self.tables if n.database == database]

    def read_tables(self, names: Sequence[TableName]) -> Iterator[TableRead]:
        self._check()
        for name in names:
            self.reads.append(name)
            if name in self.forgetful:
                continue
            if name in self.failing:
                yield ReadFailure(name, "the server said no")
            elif name in self.vanishing or name not in self.tables:
                yield Vanished(name)
            else:
                yield self.tables[name]


@dataclass
class MemoryFiles:
    """Text files by path. `unreadable`: path → why, of those that are there and cannot be read."""

    files: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)

    def read_versions(self) -> Mapping[str, str]:
        return {path: hashlib.sha256(self._content(path)).hexdigest() for path in sorted(self.files)}

    def read_files(self, paths: Container[str] | None = None) -> Iterator[TextFile]:
        for path in sorted(p for p in self.files if paths is None or p in paths):
            self.reads.append(path)
            content = self._content(path)
            version = hashlib.sha256(content).hexdigest()
            problem = self.unreadable.get(path, "")
            yield TextFile(path, b"" if problem else content, version, problem)

    def locate(self, path: str) -> str:
        return path

    def _content(self, path: str) -> bytes:
        return self.files[path].encode("utf-8", "surrogateescape")


@dataclass
class MemoryDestination:
    """Another destination that keeps entries, and fails where it is told to."""

    held: Destination
    down: bool = False
    failing: set[str] = field(default_factory=set)
    applied: list[str] = field(default_factory=list)

    def diff(self, wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        return self.held.diff(wanted, published)

    def apply(self, changes: Changes) -> Receipt:
        if self.down:
            raise Unreachable("the destination does not answer")
        good = tuple(c for c in changes.changes if c.subject not in self.failing)
        self.applied += [c.subject for c in good]
        receipt = self.held.apply(Changes(len(good), good))
        bad = tuple(Outcome(c.subject, "refused by the server") for c in changes.changes if c.subject in self.failing)
        return Receipt(receipt.outcomes + bad)


@dataclass
class World:
    """Everything outside of a deployment, to be changed between runs. `at` is where plug-ins find it."""

    metastore: MemoryMetastore = field(default_factory=MemoryMetastore)
    specs: MemoryFiles = field(default_factory=MemoryFiles)
    jobs: MemoryFiles = field(default_factory=MemoryFiles)
    events: "MemoryEvents" = field(default_factory=lambda: MemoryEvents())
    destination: MemoryDestination | None = None


# Plug-ins are built from the platform file, which holds only text: the worlds of running tests are found by name.
WORLDS: dict[str, World] = {}


class MemoryMetastoreConfig(BaseModel):
    world: str
    databases: NamePatterns = NamePatterns()

    def connect(self, around: Surroundings) -> MemoryMetastore:
        return WORLDS[self.world].metastore


class MemorySpecsConfig(BaseModel):
    world: str

    def connect(self, around: Surroundings, suffixes: tuple[str, ...]) -> MemoryFiles:
        return WORLDS[self.world].specs

    def path_of(self, url: str) -> str | None:
        return url.removeprefix("memory://specs/") if url.startswith("memory://specs/") else None


class MemoryJobsConfig(BaseModel):
    world: str
    dialect: Literal["spark"] = "spark"

    def connect(self, around: Surroundings, suffixes: tuple[str, ...]) -> MemoryFiles:
        return WORLDS[self.world].jobs

    def path_of(self, url: str) -> str | None:
        return url.removeprefix("memory://jobs/") if url.startswith("memory://jobs/") else None


@dataclass
class MemoryEvents:
    """A source of events that hands over what was put into `messages`; its cursor is how many were read.

    `down_at`: nobody answers once so many were read. `refused`: what is wrong with its settings.
    """

    messages: list[Message] = field(default_factory=list)
    down: bool = False
    down_at: int | None = None
    refused: PlatformError | None = None
    gap: str = ""
    acknowledged: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def poll(self, cursor: str, limit: Limit) -> Polled:
        start = int(cursor or 0)
        if self.down or start == self.down_at:
            raise Unreachable("no broker answers")
        found = self.messages[start : start + limit.messages]
        end = start + len(found)
        return Polled(found, str(end), len(self.messages) - end, self.gap)

    def acknowledge(self, polled: Polled) -> None:
        self.acknowledged += len(polled.messages)


class MemoryEventsConfig(BaseModel):
    world: str
    name: str = "memory"
    hydrate: Hydrate = "metastore"

    def connect(self, around: Surroundings) -> MemoryEvents:
        events = WORLDS[self.world].events
        if events.refused is not None:
            raise events.refused
        return events

    def decoder(self) -> Decoder:
        return apiary_decoder()


class MemoryDestinationConfig(BaseModel):
    grain: ClassVar[Grain] = "shard"
    world: str
    name: str = "memory"

    def connect(self, around: Surroundings, store: Store) -> MemoryDestination:
        from metadata_assets.destinations.local.destination import LocalCatalog

        world = WORLDS[self.world]
        held = LocalCatalog("memory", store.engine)  # of the store at hand: a plan has a scratch copy
        if world.destination is None:
            world.destination = MemoryDestination(held)
        world.destination.held = held
        return world.destination


def platform_text(world: str, grace: str = "24h", hydrate: Hydrate = "metastore") -> str:
    """A platform file on the plug-ins of this module, loaded the way foreign plug-ins are."""
    return f"""\
version: 1
kind: platform
metastore: {{type: "tests.memory:MemoryMetastoreConfig", world: {world}}}
specs: {{type: "tests.memory:MemorySpecsConfig", world: {world}}}
jobs: {{type: "tests.memory:MemoryJobsConfig", world: {world}}}
events:
  - {{type: "tests.memory:MemoryEventsConfig", world: {world}, hydrate: {hydrate}}}
destinations:
  - {{type: "tests.memory:MemoryDestinationConfig", world: {world}}}
  - {{type: workbook}}
policies: {{deletion: {{grace: {grace}}}}}
"""


def open_deployment(
    folder: Path, world: str, grace: str = "24h", text: str = "", hydrate: Hydrate = "metastore", store_url: str = ""
) -> Deployment:
    """The deployment of a platform file: `text`, or one on the plug-ins of this module alone. Without `store_url` its
    store is a file in the folder."""
    from metadata_assets.stages.deployment import read_platform

    path = folder / "platform.yaml"
    path.write_text(text or platform_text(world, grace, hydrate))
    store = Store.open(store_url or f"sqlite:///{folder / 'store.db'}")
    return Deployment(read_platform(path), Surroundings({}, folder, folder), store)
