"""The forms a column's type can take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrimitiveType:
    """`decimal(16,4)` is `PrimitiveType("decimal", (16, 4))`; names are lower case with one name for each synonym."""

    name: str
    parameters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ArrayType:
    element: "DataType"


@dataclass(frozen=True, slots=True)
class MapType:
    key: "DataType"
    value: "DataType"


@dataclass(frozen=True, slots=True)
class StructField:
    name: str
    type: "DataType"
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class StructType:
    fields: tuple[StructField, ...]


@dataclass(frozen=True, slots=True)
class UnionType:
    alternatives: tuple["DataType", ...]


@dataclass(frozen=True, slots=True)
class UnknownType:
    """Text that could not be read as a type, and the reason in plain words."""

    text: str
    reason: str


DataType = PrimitiveType | ArrayType | MapType | StructType | UnionType | UnknownType
