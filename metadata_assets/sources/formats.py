"""Which format a table's files have, from what engines leave in parameters and storage classes; pure."""

from collections.abc import Mapping

_FORMATS = ("parquet", "orc", "avro", "delta", "iceberg", "hudi", "csv", "json", "text")
# Parts of class names, the first that occurs wins: serdes before input formats, because CSV and JSON are text files.
_BY_SERDE = {
    "iceberg": "iceberg", "delta": "delta", "parquet": "parquet", "orc": "orc", "avro": "avro", "opencsv": "csv",
    "csvserde": "csv", "json": "json",
}  # fmt: skip
_BY_INPUT_FORMAT = {
    "iceberg": "iceberg", "hoodie": "hudi", "deltainputformat": "delta", "parquet": "parquet", "orcinputformat": "orc",
    "avro": "avro", "textinputformat": "text",
}  # fmt: skip


def to_provider(parameters: Mapping[str, str], serde: str = "", reader: str = "") -> str | None:
    """The format, None when it is not one that we know. `serde` and `reader` (input format) are class names."""
    for key in ("table_type", "spark.sql.sources.provider"):
        named = parameters.get(key, "").lower()
        if named in _FORMATS:
            return named
    serde, reader = serde.lower(), reader.lower()
    handler = parameters.get("storage_handler", "").lower()
    # A table format comes first: Hudi reads through a Parquet serde.
    return (
        _first(_BY_SERDE, handler) or ("hudi" if "hoodie" in reader else None)
        or _first(_BY_SERDE, serde) or _first(_BY_INPUT_FORMAT, reader)
    )  # fmt: skip


def _first(formats: Mapping[str, str], class_name: str) -> str | None:
    return next((found for part, found in formats.items() if part in class_name), None)
