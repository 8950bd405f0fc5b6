"""From what an event says to what is to be looked at again: one event may speak of many tables, or of none of ours."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from metadata_assets.model.event import ChangeEvent, EventKind, received
from metadata_assets.model.pattern import Selection
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Hydrate
from metadata_assets.store.data_changes import NEVER, DataChange

_LEFT_OUT = "left out by the patterns of the metastore"
_NO_FILE = "an object that is neither a spec nor a job"
_UNKNOWN = "a request for what is not in the catalog"
FileEvents = Callable[[str], tuple[EventKind, str] | None]
ALL_FILES = str(Subject("file", "*"))


@dataclass(frozen=True, slots=True)
class Lake:
    """What has to be known to expand events.

    `admits` applies the include and exclude patterns of the metastore; `tables` gives those of the catalog by database,
    read only if an event speaks of whole databases; `file_event` says of an URL which spec or job file it is, if any.
    """

    admits: Callable[[TableName], bool]
    admits_database: Callable[[str], bool]
    tables: Callable[[], Mapping[str, Set[TableName]]]
    file_event: FileEvents


@dataclass(frozen=True, slots=True)
class Told:
    """An event of what concerns the catalog, as it was decoded, and the events that it means for the catalog."""

    event: ChangeEvent
    meant: tuple[ChangeEvent, ...]


@dataclass(slots=True)
class Expanded:
    """What was told and concerns the catalog, and reason → how many things are none of ours."""

    told: list[Told] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)

    @property
    def events(self) -> list[ChangeEvent]:
        """For the inbox."""
        return [e for told in self.told for e in told.meant if change_of(e) is None]

    @property
    def data_changes(self) -> dict[str, DataChange]:
        """Table subject → what is told of its data."""
        found: dict[str, DataChange] = {}
        for event in (e for told in self.told for e in told.meant):
            change = change_of(event)
            if change is not None:
                found[event.subject] = change.or_later(found.get(event.subject, NEVER))
        return found

    def ignore(self, reasons: Mapping[str, int]) -> None:
        for reason, number in reasons.items():
            self.ignored[reason] = self.ignored.get(reason, 0) + number


def change_of(event: ChangeEvent) -> DataChange | None:
    """What an event tells of data; None for an event of another kind: only those go through the inbox."""
    if event.kind == "data_changed":
        return DataChange(event.occurred_at)
    if event.kind == "profile_asked":
        return DataChange(asked_at=event.occurred_at)
    return None


def expand(decoded: Sequence[Decoded], lake: Lake, hydrate: Hydrate, now: float) -> Expanded:
    """Everything that the messages of one look, received now (epoch seconds), mean for this catalog."""
    expanded = Expanded()
    for message in decoded:
        expanded.ignore(message.ignored)
    for event in received([event for message in decoded for event in message.events], now):
        _expand_one(event, lake, hydrate, expanded)
    return expanded


def _expand_one(event: ChangeEvent, lake: Lake, hydrate: Hydrate, expanded: Expanded) -> None:
    kept = event if hydrate == "event" else replace(event, after=None)
    meant = tuple(_EXPANSIONS.get(event.kind, _of_table)(kept, lake))
    if meant:
        expanded.told.append(Told(event, meant))
    else:
        expanded.ignore({_why_nothing(event, lake): 1})


def _why_nothing(event: ChangeEvent, lake: Lake) -> str:
    """Why an event means nothing for the catalog."""
    if event.kind == "object_changed":
        return _NO_FILE
    target = Subject.parse(event.subject)
    seen = {"table": _admits_table, "database": _admits_database}.get(target.kind)
    return _UNKNOWN if event.kind == "requested" and (seen is None or seen(target, lake)) else _LEFT_OUT


def _admits_table(target: Subject, lake: Lake) -> bool:
    return lake.admits(TableName.of_subject(str(target)))


def _admits_database(target: Subject, lake: Lake) -> bool:
    return lake.admits_database(target.name)


def _of_table(event: ChangeEvent, lake: Lake) -> Iterator[ChangeEvent]:
    if lake.admits(TableName.of_subject(event.subject)):
        yield event


def _of_rename(event: ChangeEvent, lake: Lake) -> Iterator[ChangeEvent]:
    """The new name is read, the old one is to be gone. Either may lie outside of what we are to see."""
    old, new = TableName.of_subject(event.previous or event.subject), TableName.of_subject(event.subject)
    if lake.admits(new):
        begins = {"kind": "table_changed", "move": "created", "after": event.after}
        yield event if lake.admits(old) else _about(event, new.subject, **begins)
    if old != new and lake.admits(old):
        # Where the new name is seen, the rename says all about the old one's life.
        move = None if lake.admits(new) else "dropped"
        yield _about(event, old.subject, kind="table_dropped", move=move, details={"renamed_to": str(new)})


def _of_database(event: ChangeEvent, lake: Lake) -> Iterator[ChangeEvent]:
    database = Subject.parse(event.subject).name
    if lake.admits_database(database):
        yield event
        if event.kind == "database_dropped":
            for table in sorted(lake.tables().get(database, ())):
                yield _about(event, table.subject, kind="table_dropped")


def _of_object(event: ChangeEvent, lake: Lake) -> Iterator[ChangeEvent]:
    found = lake.file_event(Subject.parse(event.subject).name)
    if found is not None:
        kind, path = found
        yield _about(event, str(Subject("file", path)), kind=kind)


def _of_request(event: ChangeEvent, lake: Lake) -> Iterator[ChangeEvent]:
    """What somebody asked for, as what would have been seen had it changed by itself."""
    what = event.details.get("what")
    if what in ("documentation", "tags"):
        yield _about(event, ALL_FILES, kind="spec_changed")
    elif what == "lineage":
        yield _about(event, ALL_FILES, kind="spec_changed")
        yield _about(event, ALL_FILES, kind="job_changed")
    elif what == "profile":
        for table in sorted(_known(Subject.parse(event.subject), lake)):
            yield _about(event, table.subject, kind="profile_asked")
    else:
        target = Subject.parse(event.subject)
        # A table may be asked for by who has just made it.
        new = {TableName.of_subject(event.subject)} if target.kind == "table" and _admits_table(target, lake) else set()
        for table in sorted(new | _known(target, lake)):
            yield _about(event, table.subject, kind="table_changed")


def _known(target: Subject, lake: Lake) -> set[TableName]:
    """Tables of the catalog that a request names."""
    if target.kind == "table":
        name = TableName.of_subject(str(target))
        return {name} & set(lake.tables().get(name.database, ()))
    if target.kind == "database":
        return set(lake.tables().get(target.name, ()))
    if target.kind != "pattern":
        return set()
    asked = Selection.parse((target.name,))
    return {t for tables in lake.tables().values() for t in tables if asked.holds(t)}


def _about(event: ChangeEvent, subject: str, **more: object) -> ChangeEvent:
    """The same event, of another subject: it needs an identity of its own in the inbox."""
    values = {"previous": None, "after": None, "move": None, **more}
    identity = f"{event.dedupe_id}:{values.get('kind', event.kind)}:{subject}"
    return replace(event, subject=subject, dedupe_id=identity, **values)  # type: ignore[arg-type]  # fields of the event


_EXPANSIONS: Mapping[EventKind, Callable[[ChangeEvent, Lake], Iterator[ChangeEvent]]] = {
    "table_renamed": _of_rename,
    "database_changed": _of_database,
    "database_dropped": _of_database,
    "object_changed": _of_object,
    "requested": _of_request,
}
