"""Taking events in: messages are decoded, stored, and only then forgotten where they came from."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache

from metadata_assets.isolation import guarded
from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName, tables_among
from metadata_assets.sources.base import FileSettings
from metadata_assets.sources.events.base import EventSettings, EventSource, Limit, Message
from metadata_assets.sources.patterns import NamePatterns
from metadata_assets.stages.decoding import Read, decode_messages, to_message
from metadata_assets.stages.deployment import JOB_SUFFIXES, SPEC_SUFFIXES, Deployment
from metadata_assets.stages.expansion import Expanded, FileEvents, Lake, expand
from metadata_assets.stages.full_look import want_full_look
from metadata_assets.store.dead_letters import DeadLetter
from metadata_assets.store.inbox import Arrivals

_DEAD = "dead letter"


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
    """Decode messages and store what they mean; those that cannot be read become dead letters."""
    if not messages:
        return Taken({})
    read = decode_messages(settings, messages, deployment.store.dead_letters)
    expanded = expand(read.decoded, lake_of(deployment), settings.hydrate)
    seen_before = _take_in(deployment, read, expanded, read.replayed)
    oldest = min(m.received_at for m in messages)
    return Taken(_outcomes(expanded, seen_before, len(read.dead)), oldest=oldest)


def _take_in(deployment: Deployment, read: Read, expanded: Expanded, settled: Collection[int]) -> int:
    """Store what messages mean. `settled` are the numbers of the dead letters among them.

    Returns:
        How many events were known already.
    """
    events = _with_new_databases(deployment, expanded)
    told = tuple(expanded.told) if deployment.platform.listeners else ()
    arrivals = Arrivals(events, tuple(read.dead), expanded.data_changes, tuple(settled), told)
    return len(events) - deployment.store.inbox.take_in(arrivals)


def replay(deployment: Deployment, letters: Iterable[DeadLetter]) -> dict[int, str]:
    """Read dead letters again. Those that can be read now are taken in and settled.

    Returns:
        Number of the letter → why it cannot be read, of those that stay dead.
    """
    stays: dict[int, str] = {}
    by_name = {s.name: s for s in deployment.platform.events}
    lake = lake_of(deployment)
    for letter in letters:
        settings = by_name.get(letter.source)
        if settings is None:
            stays[letter.id] = f"no source of events is named {letter.source!r} in the platform file"
            continue
        read = decode_messages(settings, [to_message(letter)], deployment.store.dead_letters)
        if read.dead:
            stays[letter.id] = read.dead[0].reason
            continue
        expanded = expand(read.decoded, lake, settings.hydrate)
        _take_in(deployment, read, expanded, read.replayed | {letter.id})
    return stays


def lake_of(deployment: Deployment) -> Lake:
    """What expanding events has to know of this deployment."""
    patterns = getattr(deployment.platform.metastore, "databases", None)
    if not isinstance(patterns, NamePatterns):
        patterns = NamePatterns()

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
    """The events, and one for each database that nobody has seen yet: it has to become a shard first."""
    known = set(deployment.store.work.shards())
    named = {e.subject: e for e in expanded.events if e.kind in ("table_changed", "table_renamed")}
    new = {TableName.of_subject(s).database: e for s, e in named.items()}
    welcome = [_about_database(d, e) for d, e in sorted(new.items()) if d not in known]
    deployment.store.work.grow_shards({d: 1 for d in new if d not in known})
    return (*expanded.events, *welcome)


def _about_database(database: str, event: ChangeEvent) -> ChangeEvent:
    subject = str(Subject("database", database))
    identity = f"{event.dedupe_id}:{subject}"
    return ChangeEvent(
        "database_changed", subject, event.source, identity, event.order_key, event.occurred_at, {"found": "new"}
    )


def _outcomes(expanded: Expanded, duplicates: int, dead: int) -> dict[str, int]:
    found: Counter[str] = Counter(e.kind for e in expanded.told)
    found.update({f"ignored: {reason}": number for reason, number in expanded.ignored.items()})
    found.update({"seen before": duplicates, _DEAD: dead})
    return {outcome: number for outcome, number in found.items() if number}
