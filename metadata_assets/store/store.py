"""The store as one object: a connection and its parts."""

from dataclasses import dataclass

from sqlalchemy import Engine

from metadata_assets.store.data_changes import DataChanges
from metadata_assets.store.dead_letters import DeadLetters
from metadata_assets.store.decisions import Decisions
from metadata_assets.store.engine import open_engine
from metadata_assets.store.event_heads import EventHeads
from metadata_assets.store.facts import Facts
from metadata_assets.store.inbox import Inbox
from metadata_assets.store.moves import Moves
from metadata_assets.store.notices import Notices
from metadata_assets.store.outbox import Outbox
from metadata_assets.store.published import PublishedState
from metadata_assets.store.work import Work

STORE_FILE = "store.db"  # in the home, where the platform file names no other store


@dataclass(frozen=True, slots=True)
class Store:
    engine: Engine
    facts: Facts
    published: PublishedState
    inbox: Inbox
    dead_letters: DeadLetters
    event_heads: EventHeads
    data_changes: DataChanges
    work: Work
    decisions: Decisions
    moves: Moves
    notices: Notices
    outbox: Outbox

    @staticmethod
    def open(url: str) -> "Store":
        """Open the store and bring it up to date.

        Raises:
            StoreError: it does not answer, or is of a newer version.
        """
        engine = open_engine(url)
        return Store(
            engine,
            Facts(engine),
            PublishedState(engine),
            Inbox(engine),
            DeadLetters(engine),
            EventHeads(engine),
            DataChanges(engine),
            Work(engine),
            Decisions(engine),
            Moves(engine),
            Notices(engine),
            Outbox(engine),
        )

    @property
    def place(self) -> str:
        """Where the store is, for messages: a file, or a URL without its password."""
        url = self.engine.url
        return str(url.database) if url.drivername.startswith("sqlite") else url.render_as_string(hide_password=True)

    def close(self) -> None:
        self.engine.dispose()
