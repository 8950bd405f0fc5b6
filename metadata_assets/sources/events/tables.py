"""Tables inside events: a metastore's Thrift structures as JSON, by field name (Apiary) or by field id (Thrift's own).

Names of fields are those of the metastore's Thrift definition; fields that a later version added are left out.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from metadata_assets.errors import Undecodable
from metadata_assets.model.table import Table
from metadata_assets.sources.events.text import checked, parse_json_object
from metadata_assets.sources.structures import to_table


class _Structure(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class _Field(_Structure):
    name: str
    type: str | None = None
    comment: str | None = None


class _Serde(_Structure):
    serializationLib: str | None = None


class _Storage(_Structure):
    cols: tuple[_Field, ...] | None = None
    location: str | None = None
    inputFormat: str | None = None
    serdeInfo: _Serde | None = None


class TableFields(_Structure):
    """A Thrift Table, as far as the catalog knows it."""

    tableName: str
    dbName: str
    owner: str | None = None
    createTime: int | None = None
    sd: _Storage | None = None
    partitionKeys: tuple[_Field, ...] | None = None
    parameters: Mapping[str, str | None] | None = None
    viewOriginalText: str | None = None
    viewExpandedText: str | None = None
    tableType: str | None = None
    catName: str | None = None

    def to_table(self) -> Table:
        """The table as a full read of the metastore would give it."""
        known = {k: v for k, v in (self.parameters or {}).items() if v is not None}
        return to_table(self.model_copy(update={"parameters": known}))


# A list before a colon is no JSON, so that nothing else is found; strings are passed over, whatever they hold.
_STRING = r'"(?:[^"\\]|\\.)*+"'
_STRING_OR_LIST_AS_KEY = re.compile(rf'{_STRING}|(?P<key>\[(?:{_STRING}|[^"\[\]])*+\])(?=:)')

# Field ids of the metastore's Thrift definition. A nested mapping is a structure; one in a list, a list of them.
_FIELD_IDS: dict[str, Any] = {"1": "name", "2": "type", "3": "comment"}
_STORAGE_IDS: dict[str, Any] = {
    "1": ("cols", _FIELD_IDS), "2": "location", "3": "inputFormat", "7": ("serdeInfo", {"2": "serializationLib"}),
}  # fmt: skip
_TABLE_IDS: dict[str, Any] = {
    "1": "tableName", "2": "dbName", "3": "owner", "4": "createTime", "7": ("sd", _STORAGE_IDS),
    "8": ("partitionKeys", _FIELD_IDS), "9": "parameters", "10": "viewOriginalText", "11": "viewExpandedText",
    "12": "tableType", "17": "catName",
}  # fmt: skip


def table_of_ids(text: str) -> TableFields:
    """A Table in Thrift's JSON protocol.

    Raises:
        Undecodable: it is not that.
    """
    return checked(TableFields, _named(_parse_thrift(text), _TABLE_IDS))


def _parse_thrift(text: str) -> dict[str, Any]:
    """Thrift writes the keys of a map as what they are, also where JSON has only strings: those of the locations of
    skewed values are lists. They become their text; the catalog has no use for them."""
    if "]:" in text:
        text = _STRING_OR_LIST_AS_KEY.sub(_as_string, text)
    return parse_json_object(text)


def _as_string(found: re.Match[str]) -> str:
    return found[0] if found["key"] is None else json.dumps(found["key"])


def _named(structure: Mapping[str, Any], ids: Mapping[str, Any]) -> dict[str, Any]:
    """`{"1": {"str": …}}` → `{"tableName": …}`."""
    found = {}
    for number, known in ids.items():
        tagged = structure.get(number)
        if tagged is None:
            continue
        if not isinstance(tagged, Mapping) or len(tagged) != 1:
            raise Undecodable(f"field {number} is not one value under its type, as Thrift's JSON has it")
        name, inner = known if isinstance(known, tuple) else (known, {})
        found[name] = _plain(next(iter(tagged.items())), inner)
    return found


def _plain(tagged: tuple[str, Any], ids: Mapping[str, Any]) -> Any:
    """Lists are `[type, count, …]`, maps `[key type, value type, count, {…}]`, structures mappings of their ids."""
    tag, value = tagged
    if tag == "rec" and isinstance(value, Mapping):
        return _named(value, ids)
    if tag in ("lst", "set") and isinstance(value, list):
        return [_plain((str(value[0]), item), ids) for item in value[2:]]
    if tag == "map" and isinstance(value, list) and len(value) == 4:
        return value[3]
    return value
