"""A DDL statement as it was written, before anything is made of it."""

from dataclasses import dataclass, field
from typing import Literal

from metadata_assets.errors import Permanent
from metadata_assets.model.table import Column

StatementKind = Literal["table", "view", "materialized_view", "database"]


class StatementError(Permanent):
    """The text is no DDL statement that we know. `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


@dataclass(slots=True)
class Statement:
    """`columns` of a view have no types. `partition_names` name columns, `partition_keys` come besides them."""

    kind: StatementKind
    database: str | None
    name: str
    line: int
    external: bool = False
    by_spark: bool = False
    columns: tuple[Column, ...] = ()
    partition_keys: tuple[Column, ...] = ()
    partition_names: tuple[str, ...] = ()
    comment: str | None = None
    owner: str | None = None
    location: str | None = None
    provider: str | None = None  # after USING
    serde: str = ""
    reader: str = ""  # input format
    handler: str = ""  # after STORED BY
    properties: dict[str, str] = field(default_factory=dict)
    query: str | None = None
