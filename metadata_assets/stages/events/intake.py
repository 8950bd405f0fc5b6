"""Taking events in: messages are decoded, stored, and only then forgotten where they came from."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache

from sqlalchemy.exc import DBAPIError

from metadata_assets.isolation import guarded
from metadata_assets.model.counts import counted
from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.notice import Notice
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.sources.base import FileSettings
from metadata_assets.sources.events.base import EventSettings, EventSource, Limit, Message
from metadata_assets.stages.deployment import JOB_SUFFIXES, SPEC_SUFFIXES, Deployment
from metadata_assets.stages.events.decoding import Read, bad_message, decode_messages
from metadata_assets.stages.events.expansion import Expanded, FileEvents, Lake, Told, change_of, expand
from metadata_assets.stages.events.full_look import want_full_look
from metadata_assets.store.data_changes import NEVER
from metadata_assets.store.dead_letters import MOST_BYTES, MOST_LETTERS
from metadata_assets.store.engine import REFUSALS, is_refusal
from metadata_assets.store.inbox import Arrivals, TakenIn
from metadata_assets.store.store import Store

_DEAD = "dead letter"
_SEEN = "seen before"
_NOTHING_NEWER = "ignored: no newer change of data than is known"
_OF_TABLES = frozenset({"table_changed", "table_renamed", "table_dropped"})


@dataclass(frozen=True, slots=True)
class Taken:
    """What one look at a source brought.

    `outcomes` says what became of how many things; `cursor` is to be kept now. `oldest` is the time (epoch seconds) of
    the oldest message of this look; `lag` how many still wait at the source; `gap` why events may have been lost.
    """

    outcomes: Mapping[str, int]
    cursor: str = ""
    lag: int | None = None
    oldest: float | None = None
    gap: str = ""


@contextmanager
def connected(deployment: Deployment, settings: EventSettings) -> Iterator[EventSource]:
    """A connection to a source, for one look or several.

    Raises:
        MetadataError: its settings cannot be used.
    """
    with guarded(settings.name, lambda: settings.connect(deployment.around)).unwrap() as source:
        yield source


def take_events(
    deployment: Deployment, settings: EventSettings, source: EventSource, cursor: str, limit: Limit
) -> Taken:
    """Poll a source once and store what it brought, before anything moves on.

    Raises:
        MetadataError: the source as a whole cannot be read; the cursor stays where it is.
    """
    polled = guarded(settings.name, lambda: source.poll(cursor, limit)).unwrap()
    taken = store_messages(deployment, settings, polled.messages)
    if polled.gap:
        want_full_look(deployment.store, f"{settings.name}: {polled.gap}")
    guarded(settings.name, lambda: source.acknowledge(polled)).unwrap()
    return replace(taken, cursor=polled.cursor, lag=polled.lag, gap=polled.gap)


def store_messages(deployment: Deployment, settings: EventSettings, messages: Sequence[Message]) -> Taken:
    """Decode messages and store what they mean; those that cannot be read or stored become dead letters.

    What was read or kept before is known by its place in the source, so the same messages may come again.
    """
    if not messages:
        return Taken({})
    outcomes = _store(_Intake(deployment, settings, lake_of(deployment)), messages)
    return Taken(dict(outcomes), oldest=min(m.received_at for m in messages))


@dataclass(frozen=True, slots=True)
class _Intake:
    """Where messages come from and where what they mean goes."""

    deployment: Deployment
    settings: EventSettings
    lake: Lake


def _store(intake: _Intake, messages: Sequence[Message]) -> Counter[str]:
    """Store messages together. Where the store refuses what is to be written, each half is stored by itself, and so on
    down to the one message that it refuses: that becomes a dead letter, and no other message with it."""
    read = decode_messages(intake.settings, messages, intake.deployment.store.dead_letters)
    expanded = expand(read.decoded, intake.lake, intake.settings.hydrate, time.time())
    try:
        return _write(intake, read, expanded)
    except REFUSALS as error:
        if not is_refusal(error):
            raise
        if len(messages) == 1:
            return _refused(intake, messages[0], error)
    half = len(messages) // 2
    return _store(intake, messages[:half]) + _store(intake, messages[half:])


def _write(intake: _Intake, read: Read, expanded: Expanded) -> Counter[str]:
    store, name = intake.deployment.store, intake.settings.name
    events = _with_new_databases(intake.deployment, expanded)
    told = tuple(t.event for t in expanded.told) if intake.deployment.platform.listeners else ()
    arrivals = Arrivals(events, tuple(read.dead), expanded.data_changes, name, read.whole, told)
    new = store.inbox.take_in(arrivals)
    _tell_dropped(store, new.dropped)
    return _outcomes(expanded, new) + _of_letters(len(read.dead), new)


def _refused(intake: _Intake, message: Message, error: Exception) -> Counter[str]:
    """Only the kind of error is told: its text may quote what the message holds."""
    store = intake.deployment.store
    kind = type(error.orig or error) if isinstance(error, DBAPIError) else type(error)
    bad = bad_message(intake.settings.name, message, f"the store refuses what it says: {kind.__name__}")
    new = store.inbox.take_in(Arrivals(dead=(bad,)))
    _tell_dropped(store, new.dropped)
    return _of_letters(1, new)


def _of_letters(number: int, new: TakenIn) -> Counter[str]:
    return +Counter({_DEAD: new.letters, _SEEN: number - new.letters})


def _tell_dropped(store: Store, dropped: int) -> None:
    if dropped:
        store.notices.note([Notice("dropped_letters", "error", tell_dropped(store.dead_letters.dropped()))])


def tell_dropped(number: int) -> str:
    """What is said of dead letters that had to make room for newer ones."""
    letters = counted(number, "dead letter")
    limits = f"{MOST_LETTERS:,} letters or {MOST_BYTES >> 20} MiB"
    return f"{letters} dropped for good: no more than {limits} are kept. Mend what sends them, then `replay --discard`"


def lake_of(deployment: Deployment) -> Lake:
    """What expanding events has to know of this deployment."""
    patterns = deployment.platform.metastore.databases

    @cache
    def _tables() -> Mapping[str, Set[TableName]]:
        tables: dict[str, set[TableName]] = {}
        for name in tables_among(deployment.store.facts.hashes("schema")):
            tables.setdefault(name.database, set()).add(name)
        return tables

    return Lake(patterns.admits_table, patterns.admits_database, _tables, _file_events(deployment))


def _file_events(deployment: Deployment) -> FileEvents:
    platform = deployment.platform
    trees: tuple[tuple[EventKind, FileSettings | None, tuple[str, ...]], ...] = (
        ("spec_changed", platform.specs, SPEC_SUFFIXES),
        ("job_changed", platform.jobs, JOB_SUFFIXES),
    )

    def _event(url: str) -> tuple[EventKind, str] | None:
        # By their endings too: both may lie in one folder, beside files that are neither.
        for kind, tree, suffixes in trees:
            path = None if tree is None else tree.path_of(url)
            if path is not None and path.endswith(suffixes):
                return kind, path
        return None

    return _event


def _with_new_databases(deployment: Deployment, expanded: Expanded) -> tuple[ChangeEvent, ...]:
    """The events, and one for each database that nobody has seen yet: it has to become a shard first.

    A database of which only drops are told is looked at as one that was dropped: its shard goes with the last event.
    """
    events = expanded.events
    known = set(deployment.store.work.shards())
    new: dict[str, ChangeEvent] = {}
    for event in events:
        if event.kind not in _OF_TABLES:
            continue
        database = TableName.of_subject(event.subject).database
        if database not in known and (database not in new or new[database].kind == "table_dropped"):
            new[database] = event
    deployment.store.work.grow_shards(dict.fromkeys(new, 1))
    return (*events, *(_about_database(d, e) for d, e in sorted(new.items())))


def _about_database(database: str, event: ChangeEvent) -> ChangeEvent:
    kind: EventKind = "database_dropped" if event.kind == "table_dropped" else "database_changed"
    subject = str(Subject("database", database))
    identity = f"{event.dedupe_id}:{subject}"
    return ChangeEvent(kind, subject, event.source, identity, event.order_key, event.occurred_at, {"found": "new"})


def _outcomes(expanded: Expanded, new: TakenIn) -> Counter[str]:
    """What became of what was told; of an event that comes twice once."""
    outcomes: Counter[str] = Counter({f"ignored: {why}": number for why, number in expanded.ignored.items()})
    met: set[str] = set()
    for told in expanded.told:
        again = told.event.dedupe_id in met
        met.add(told.event.dedupe_id)
        outcomes[_SEEN if again else _outcome(told, new)] += 1
    return outcomes


def _outcome(told: Told, new: TakenIn) -> str:
    for event in told.meant:
        change, known = change_of(event), new.known_changes.get(event.subject, NEVER)
        if new.is_new(event) if change is None else change.or_later(known) != known:
            return told.event.kind
    # Of changes of data only the newest time is kept: whether an earlier one was read before, nobody knows.
    return _SEEN if any(change_of(event) is None for event in told.meant) else _NOTHING_NEWER
