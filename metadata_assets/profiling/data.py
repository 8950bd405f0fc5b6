"""What profiling asks of the data of a table, wherever it is: files that DuckDB reads, or a table of an engine."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from metadata_assets.model.finding import ColumnProfile

# What can be judged by its values: texts and whole numbers. All else has aggregates alone.
Kind = Literal["text", "integer", "other"]


class Relation(Protocol):
    """Rows in an engine that is connected. They stay there: what comes back is aggregates and a bounded sample.

    Every method may raise what the engine raises; the caller guards it, and no value may be in what is told of it.
    """

    def kinds(self) -> Mapping[str, Kind]:
        """Column → what it holds, in the order of the data, under the names that the engine has for them."""
        ...

    def aggregate(self, columns: Mapping[str, Kind]) -> tuple[int, Sequence[ColumnProfile]]:
        """The number of rows, and a profile of each of these columns, in one pass over the data."""
        ...

    def sample(self, columns: Sequence[str], rows: int) -> Mapping[str, Sequence[str]]:
        """Column → its distinct values that are not blank, as texts and ordered, in the same `rows` rows for all.

        The rows are the same at each call, so that a profile changes only when the data does.
        """
        ...


class TableData(Protocol):
    """The data of one table before anything is opened."""

    @property
    def version(self) -> str:
        """A text that changes when the data does; cheap to find out, and without values.

        Empty where nothing tells cheaply: then a profile holds until events tell of a change.
        """
        ...

    def opened(self) -> AbstractContextManager[Relation]:
        """The data as rows. Raises `ForeignCodeError` where some of it cannot be read, now or in the block."""
        ...

    def sound(self) -> tuple["TableData | None", tuple[str, ...]]:
        """What can be read of data that could not be read as a whole, None where nothing can; and of each part that
        cannot its name, what is wrong with it and what to do, without values."""
        ...
