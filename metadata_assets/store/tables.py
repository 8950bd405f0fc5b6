"""The store's tables (SQLAlchemy Core, the same on SQLite and PostgreSQL). Times are epoch seconds."""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, LargeBinary, MetaData, Table, Text, false

REVISION = "0004"  # of the newest migration: a store that has it is opened as it is

metadata = MetaData()

# SQLite counts up only plain INTEGER keys, and gives the numbers of removed rows again unless `sqlite_autoincrement` is
# set: a mark made now must never have the number of one that was cleared.
_Id = BigInteger().with_variant(Integer, "sqlite")


def _order(*, key: bool = False) -> tuple[Column[int], Column[bool], Column[float]]:
    """When an event happened, relative to others of its source (`EventOrder`)."""
    return (
        Column("order_key", BigInteger, primary_key=key, nullable=False),
        Column("numbered", Boolean, nullable=False),
        Column("occurred_at", Float, nullable=False),
    )


facts = Table(
    "facts",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("content", Text),  # NULL is a tombstone
    Column("source", Text, nullable=False),
    Column("order_key", BigInteger, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("recorded_at", Float, nullable=False),
    Index("facts_by_subject", "subject", "kind", "id"),
    Index("facts_by_age", "recorded_at"),
    sqlite_autoincrement=True,
)

# The newest fact of each subject, and the order key of its newest reading: the two differ when nothing had changed.
fact_heads = Table(
    "fact_heads",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("fact_id", BigInteger),
    Column("content_hash", Text, nullable=False),
    Column("order_key", BigInteger, nullable=False),
    Column("seen_at", Float, nullable=False),
    Index("fact_heads_by_fact", "fact_id"),
)

published = Table(
    "published",
    metadata,
    Column("destination", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("content_hash", Text, nullable=False),  # of the entry; empty after a deletion or before the first success
    Column("content", Text),
    Column("remote_id", Text),
    Column("written_at", Float),
    Column("error", Text),
    Column("attempts", Integer, nullable=False),
    Column("failed_at", Float),
    Index("published_by_subject", "subject"),
    Index("published_failing", "destination", "failed_at"),
)

local_catalog = Table(
    "local_catalog",
    metadata,
    Column("destination", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("content", Text, nullable=False),
    Column("removed_at", Float),
)

events = Table(
    "events",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("dedupe_id", Text, nullable=False, unique=True),
    Column("source", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("order_key", BigInteger, nullable=False),
    Column("occurred_at", Float, nullable=False),
    Column("details", Text, nullable=False),
    Column("received_at", Float, nullable=False),
    Column("due_at", Float, nullable=False),  # later than the arrival where a try failed
    Column("done_at", Float),
    Column("run_id", Text),
    Column("outcome", Text),
    Column("numbered", Boolean, nullable=False, server_default=false()),
    Column("tentative", Boolean, nullable=False, server_default=false()),
    Column("previous", Text),  # the subject's name before a rename
    Column("after", Text),  # the table, where schemas are taken from events
    Index("events_waiting", "done_at", "subject"),
    sqlite_autoincrement=True,
)

dead_letters = Table(
    "dead_letters",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("source", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("reason", Text, nullable=False),
    Column("received_at", Float, nullable=False),
    Column("replayed_at", Float),
    Column("key", LargeBinary),
    Column("part_of", Text),  # the message that its sender cut
    Index("dead_letters_by_position", "source", "position", unique=True),
    Index("dead_letters_by_message", "source", "part_of"),
    sqlite_autoincrement=True,
)

# When events last said that the data of a table changed, and when its profile was asked for: profiling looks there.
data_changes = Table(
    "data_changes",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("at", Float, nullable=False),
    Column("asked_at", Float),
)

# Creations, drops and renames of tables as events told them, in whatever order they arrived.
moves = Table(
    "moves",
    metadata,
    Column("source", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("what", Text, primary_key=True),  # created, dropped or renamed
    *_order(key=True),
    Column("previous", Text),
    Index("moves_by_subject", "subject"),
    Index("moves_by_previous", "previous"),
)

# What people should know of, each matter once, and which channel was told of it when.
notices = Table(
    "notices",
    metadata,
    Column("key", Text, primary_key=True),
    Column("severity", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)
notice_deliveries = Table(
    "notice_deliveries",
    metadata,
    Column("channel", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("sent_at", Float, nullable=False),
)

# Columns that events said were renamed.
column_moves = Table(
    "column_moves",
    metadata,
    Column("source", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    *_order(key=True),
    Column("previous", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Index("column_moves_by_subject", "subject"),
)

# Events that listeners are still to be told of.
outbox = Table(
    "outbox",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("event", Text, nullable=False),
    Column("stored_at", Float, nullable=False),
    sqlite_autoincrement=True,
)

# The newest event of each table and source that was taken for its schema: an older one that comes late changes nothing.
event_heads = Table(
    "event_heads",
    metadata,
    Column("source", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    *_order(),
    Column("fact_order", BigInteger, nullable=False),
)

pending = Table(
    "pending",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("marked_at", Float, nullable=False),
    Index("pending_by_subject", "subject", "id"),
    sqlite_autoincrement=True,
)

# Tables that a complete listing no longer showed: they wait here for their grace to end.
missing = Table(
    "missing",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("since", Float, nullable=False),
    Column("reported", Boolean, nullable=False),  # an event said that it was dropped, and a look-up confirmed it
)

shards = Table(
    "shards",
    metadata,
    Column("database", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("tag", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("decided_at", Float, nullable=False),
    sqlite_autoincrement=True,
)

stage_counts = Table(
    "stage_counts",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("run_id", Text, nullable=False),
    Column("asset", Text, nullable=False),
    Column("partition_key", Text, nullable=False),
    Column("counts", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("stage_counts_by_run", "run_id"),
    sqlite_autoincrement=True,
)

# Small states of sources between two looks: what a sensor saw last, by name.
source_state = Table(
    "source_state",
    metadata,
    Column("name", Text, primary_key=True),
    Column("content", Text, nullable=False),
    Column("at", Float, nullable=False),
)
