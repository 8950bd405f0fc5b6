"""Names, times and numbers in events: what cannot be is refused before it becomes a key, a shard or part of a path."""

import re
from collections.abc import Iterable, Iterator

from metadata_assets.errors import Undecodable
from metadata_assets.model.event import ChangeEvent
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.events.base import Decoded

# Bytes of UTF-8. A metastore keeps 128 to 256 characters of the name of a database or table and 767 of a column's, S3
# 1,024 bytes of a key. PostgreSQL refuses what makes a row of an index longer than 2,700 bytes.
_LONGEST_NAME = 512
_LONGEST_COLUMN = 1024
_LONGEST_OTHER = 2048
# What a database keeps as a number: nanoseconds since 1970 reach the year 2262.
_END_OF_NUMBERS = 1 << 63
_END_OF_TIME = _END_OF_NUMBERS / 1e9
# A NUL and half a character are no text for a database; other control characters are in no name.
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def checked_events(found: Decoded) -> Decoded:
    """What a message says, without the events that cannot be; these become its trouble.

    Raises:
        Undecodable: it is the only event of the message.
    """
    if len(found.events) < 2:
        for event in found.events:
            _check(event)
        return found
    kept = Decoded.of_each(found.events, _checked, "event")
    trouble = "; ".join(told for told in (found.trouble, kept.trouble) if told)
    return Decoded(kept.events, found.ignored, trouble, found.part)


def _checked(event: ChangeEvent) -> Decoded:
    _check(event)
    return Decoded((event,))


def _check(event: ChangeEvent) -> None:
    """Raises `Undecodable` for what cannot be; says what and why, and does not quote it."""
    check_moment(event.occurred_at, event.order_key)
    about_table = event.kind.startswith("table_") or event.kind == "data_changed"
    for subject in (event.subject, event.previous):
        if subject is not None:
            _check_subject(subject, of_table=about_table)
    if event.after is not None:
        if event.after.subject != event.subject:
            raise Undecodable("the event and the table that it shows have different names")
        _check_columns(_column_names(event.after))
    _check_columns(name for names in event.columns_renamed for name in names)


def _check_subject(text: str, *, of_table: bool) -> None:
    subject = Subject.parse(text)
    if of_table or subject.kind == "table":
        check_table(TableName.of_subject(text))
    elif subject.kind == "database":
        _check_database(subject.name)
    elif _NOT_TEXT.search(subject.name) or len(subject.name.encode()) > _LONGEST_OTHER:
        raise Undecodable(f"the name of the {subject.kind} is no text, or longer than {_LONGEST_OTHER} bytes")


def check_moment(occurred_at: float, order_key: int) -> None:
    """Refuse a time or number that no event can have: stored, it would never be overtaken.

    Raises:
        Undecodable: says which of the two.
    """
    if not 0 <= occurred_at < _END_OF_TIME:
        raise Undecodable("the time of the event is out of range")
    if not 0 <= order_key < _END_OF_NUMBERS:
        raise Undecodable("the number of the event is out of range")


def check_table(name: TableName) -> None:
    """Refuse a name that no table can have.

    Raises:
        Undecodable: says why, and does not quote it.
    """
    _check_database(name.database)
    _check_name("table", name.table, _LONGEST_NAME)


def _check_database(name: str) -> None:
    _check_name("database", name, _LONGEST_NAME)
    # The one divides a database from its tables, the other from the number of its shard.
    if "." in name or "#" in name:
        raise Undecodable("the name of the database holds '.' or '#'")


def _check_columns(names: Iterable[str]) -> None:
    for name in names:
        _check_name("column", name, _LONGEST_COLUMN)


def _column_names(table: Table) -> Iterator[str]:
    return (column.name for column in table.all_columns)


def _check_name(what: str, name: str, longest: int) -> None:
    if not name.strip():
        raise Undecodable(f"the name of the {what} is empty")
    if _NOT_TEXT.search(name) or _CONTROL.search(name):
        raise Undecodable(f"the name of the {what} holds a control character, or half of a character")
    if len(name.encode()) > longest:
        raise Undecodable(f"the name of the {what} is longer than {longest} bytes")
