"""What a cell can hold: texts made fit for XLSX, and values written as data, never as formulas or links."""

import re

from openpyxl.cell import Cell
from openpyxl.styles.numbers import is_date_format, is_timedelta_format

from metadata_assets.model.entity import Scalar

MAX_TEXT = 32_767  # UTF-16 units in a cell
_CUT = " … (cut: a cell holds 32,767 characters)"
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")
# The format writes characters as `_xHHHH_`; a text that looks like that has its first underscore written so.
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPE = "_x005F_"
_KEY_ESCAPED = re.compile(r"\\(\\|u[0-9a-f]{4})")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\n", "'")


def to_cell_text(value: str) -> str:
    """Text as a cell can hold it: what XML forbids becomes �, line ends are newlines, long texts say they were cut."""
    text = _ILLEGAL.sub("�", _LINE_END.sub("\n", value))
    room = MAX_TEXT - len(_LOOKS_ESCAPED.findall(text)) * (len(_ESCAPE) - 1)
    return text if _units(text) <= room else _first_units(text, room - len(_CUT)) + _CUT


def _units(text: str) -> int:
    """Length as the format counts it: characters beyond the basic plane are two."""
    return len(text) + sum(1 for c in text if c > "\uffff") if not text.isascii() else len(text)


def _first_units(text: str, units: int) -> str:
    return text.encode("utf-16-le")[: max(units, 0) * 2].decode("utf-16-le", "ignore")


def to_key_text(value: str) -> str:
    """A key as a cell can hold it, such that `parse_key_text` gives back exactly the same."""
    plain = value.replace("\\", "\\\\").replace("\r", "\\u000d")
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


def parse_key_text(text: str) -> str:
    return _KEY_ESCAPED.sub(lambda found: "\\" if found[1] == "\\" else chr(int(found[1][1:], 16)), text)


def parse_raw(value: object, data_type: str) -> Scalar:
    """The value of a cell as we compare it. A formula is never equal to a text of ours, whatever it says."""
    if isinstance(value, str):
        text = value.replace(_ESCAPE, "_") if _ESCAPE in value else value
        return f"formula {text}" if data_type == "f" else text
    return value if isinstance(value, (int, float)) or value is None else str(value)


def put(cell: Cell, value: Scalar) -> None:
    """Write a value as data, whatever it begins with. People's formats stay, but numbers are not shown as dates."""
    if isinstance(value, str) and value:
        text = _LOOKS_ESCAPED.sub(_ESCAPE, value)
        cell.value = text
        cell.data_type = "s"
        quoted = text.startswith(_FORMULA_STARTS)
        if cell.quotePrefix or quoted:
            cell.quotePrefix = quoted
        return
    cell.value = None if value == "" else value
    if isinstance(value, (int, float)) and (is_date_format(cell.number_format) or _is_time(cell.number_format)):
        cell.number_format = "General"


def _is_time(number_format: str) -> bool:
    return bool(is_timedelta_format(number_format))
