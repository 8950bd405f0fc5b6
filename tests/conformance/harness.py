"""The destinations that the suite runs over.

A new destination joins with one line in DESTINATIONS: a name, how to make a harness, marks if it needs a service.
A harness makes the destination in a fresh place, opens it again as often as asked, and reads back what it holds.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import pytest
from sqlalchemy import Engine, select

from metadata_assets.catalog.diff import to_fields
from metadata_assets.catalog.tabs import is_empty
from metadata_assets.destinations.base import Destination
from metadata_assets.destinations.local.destination import LocalCatalog
from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.texts import to_cell_text
from metadata_assets.model.entity import Scalar
from metadata_assets.store.engine import open_engine
from metadata_assets.store.tables import local_catalog

Held = dict[str, dict[str, Scalar]]


class Harness(Protocol):
    def open(self) -> Destination:
        """The destination on the same state, as another process would open it."""
        ...

    def state(self) -> object:
        """Everything that it keeps, to compare before and after."""
        ...

    def read(self) -> Held:
        """What it shows, without what was removed: subject of a change → field → value, empty ones left out."""
        ...

    def place(self, subject: str, field: str) -> tuple[str, str]:
        """Where a field of an entry is found: the subject of its change and the field's name there."""
        ...

    def as_held(self, text: str) -> str | None:
        """What a text is given back as; None where an entry with it is refused."""
        ...


@dataclass
class LocalHarness:
    engine: Engine
    name: str

    def open(self) -> LocalCatalog:
        return LocalCatalog(self.name, self.engine)

    def state(self) -> object:
        query = select(local_catalog).where(local_catalog.c.destination == self.name).order_by(local_catalog.c.subject)
        with self.engine.connect() as connection:
            return json.dumps([list(row) for row in connection.execute(query)])

    def read(self) -> Held:
        return {s: to_fields(e) for s, e in self.open().read().items() if e is not None}

    def place(self, subject: str, field: str) -> tuple[str, str]:
        return subject, field

    def as_held(self, text: str) -> str | None:
        return None if any("\ud800" <= c <= "\udfff" for c in text) else text


@dataclass
class WorkbookHarness:
    path: Path

    def open(self) -> Workbook:
        return Workbook(self.path)

    def state(self) -> object:
        return self.path.read_bytes() if self.path.exists() else None

    def read(self) -> Held:
        return {
            f"{row.tab}:{row.key}": {name: value for name, value in row.cells.items() if not is_empty(value)}
            for layout in self.open().read().values()
            for row in layout.held
            if not row.retired
        }

    def place(self, subject: str, field: str) -> tuple[str, str]:
        kind, _, name = subject.partition(":")
        parts = field.split(".")
        if parts[0] == "columns":
            return f"Columns:{name}.{parts[1]}", parts[2].capitalize()
        tabs = {"table": "Tables", "database": "Databases", "category": "Glossary", "term": "Glossary"}
        shown = "Description" if field == "comment" else field.capitalize()
        return f"{tabs[kind]}:{subject if tabs[kind] == 'Glossary' else name}", shown

    def as_held(self, text: str) -> str | None:
        return to_cell_text(text)


def _sqlite(request: pytest.FixtureRequest, folder: Path) -> Harness:
    engine = open_engine(f"sqlite:///{folder / 'store.db'}")
    request.addfinalizer(engine.dispose)
    return LocalHarness(engine, "local")


def _postgres(request: pytest.FixtureRequest, folder: Path) -> Harness:
    engine = open_engine(request.getfixturevalue("postgres_url"))
    request.addfinalizer(engine.dispose)
    return LocalHarness(engine, f"local_{uuid4().hex}")  # a test's own among those of the shared server


def _workbook(request: pytest.FixtureRequest, folder: Path) -> Harness:
    return WorkbookHarness(folder / "catalog.xlsx")


Make = Callable[[pytest.FixtureRequest, Path], Harness]
DESTINATIONS: tuple[tuple[str, Make, tuple[pytest.MarkDecorator, ...]], ...] = (
    ("local", _sqlite, ()),
    ("local-postgres", _postgres, (pytest.mark.postgres,)),
    ("workbook", _workbook, ()),
)
