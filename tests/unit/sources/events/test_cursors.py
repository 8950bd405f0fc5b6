"""A cursor comes back as it was written; one that somebody edited is told with what to write."""

from collections.abc import Callable

import pytest

from metadata_assets.errors import Permanent
from metadata_assets.sources.hive.log import LogCursor
from metadata_assets.sources.kafka.cursor import TopicCursor

EDITED = (
    "x", "5", "[]", "null", '{"version": 2, "event_id": 1, "offsets": {}, "topic_id": ""}', '{"version": 1}',
    '{"version": 1, "event_id": -1, "offsets": {"0": -1}, "topic_id": ""}',
    '{"version": 1, "event_id": "1", "offsets": {"a": 1}, "topic_id": ""}',
    '{"version": 1, "event_id": 1, "page": 0, "offsets": 1}',
    '{"version": 1, "event_id": null, "offsets": [], "topic_id": ""}',
)  # fmt: skip


def test_cursors_come_back() -> None:
    cursor = TopicCursor({0: 5, 11: 0}, "an id")
    assert TopicCursor.parse(cursor.to_text()) == cursor
    for log in (LogCursor(7), LogCursor(7, 1)):
        assert LogCursor.parse(log.to_text()) == log


def test_an_empty_text_is_a_first_start() -> None:
    assert TopicCursor.parse("") == TopicCursor()


@pytest.mark.parametrize("text", EDITED)
@pytest.mark.parametrize(
    ("parse", "told"), [(TopicCursor.parse, '"offsets": {"PARTITION"'), (LogCursor.parse, '"event_id": NUM')]
)
def test_an_edited_cursor_is_told_with_what_to_write(text: str, parse: Callable[[str], object], told: str) -> None:
    with pytest.raises(Permanent, match="reset it in the UI") as raised:
        parse(text)
    assert told in str(raised.value)
