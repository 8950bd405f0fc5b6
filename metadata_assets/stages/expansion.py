"""From what an event says to what is to be looked at again: one event may speak of many tables, or of none of ours."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

from metadata_assets.model.event import ChangeEvent, EventKind
from metadata_assets.model.pattern import Selection
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.sources.events.base import Decoded, Hydrate

_LEFT_OUT = "left out by the patterns of the metastore"
_NO_FILE = "an object that is neither a spec nor a job"
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


@dataclass(slots=True)
class Expanded:
    """Events for the inbox, tables whose data changed, and reason → how many things are none of ours.

    `told` are the events as they were decoded, of what concerns the catalog: for listeners.
    """

    events: list[ChangeEvent] = field(default_factory=list)
    told: list[ChangeEvent] = field(default_factory=list)
    data_changes: dict[str, float] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)

    def ignore(self, reasons: Mapping[str, int]) -> None:
        for reason, number in reasons.items():
            self.ignored[reason] = self.ignored.get(reason, 0) + number


def expand(decoded: Iterable[Decoded], lake: Lake, hydrate: Hydrate) -> Expanded:
    """Everything that the messages of one look mean for this catalog."""
    expanded = Expanded()
    for message in decoded:
        expanded.ignore(message.ignored)
        for event in message.events:
            _expand_one(event, lake, hydrate, expanded)
    return expanded


def _expand_one(event: ChangeEvent, lake: Lake, hydrate: Hydrate, expanded: Expanded) -> None:
    kept = event if hydrate == "event" else replace(event, after=None)
    found = list(_EXPANSIONS.get(event.kind, _of_table)(kept, lake))
    if not found:
        expanded.ignore({_NO_FILE if event.kind == "object_changed" else _LEFT_OUT: 1})
        return
    expanded.told.append(event)
    for one in found:
        if one.kind == "data_changed":
            before = expanded.data_changes.get(one.subject, 0.0)
            expanded.data_changes[one.subject] = max(before, one.occurred_at)
        else:
            expanded.events.append(one)


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
    else:
        for table in sorted(_asked_for(Subject.parse(event.subject), lake)):
            yield _about(event, table.subject, kind="data_changed" if what == "profile" else "table_changed")


def _asked_for(target: Subject, lake: Lake) -> set[TableName]:
    if target.kind == "table":
        return {t for t in (TableName.of_subject(str(target)),) if lake.admits(t)}
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
