"""Kind `documentation`: what tables and columns mean."""

from typing import Annotated, Literal

from pydantic import Field

from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, Removable, Scalar
from metadata_assets.specs.names import Column, Name, Table

Terms = Annotated[
    tuple[Name, ...],
    NULL_IS_EMPTY,
    OR_NULL,
    Field(description="Glossary terms that this is about, as the kind glossary names them."),
]


class ColumnDocumentation(Removable):
    """What one column, or one field inside it, means."""

    name: Column = Field(description="The column, or a nested field: address.street, items[].price, attrs{}.value.")
    description: str | None = Field(default=None, description="What the column means. null: empty on purpose.")
    terms: Terms = ()


class TableDocumentation(Removable):
    """What one table means, and its columns."""

    name: Table = Field(description="The table, written database.table; case does not matter.")
    description: str | None = Field(default=None, description="What one row is. null: empty on purpose.")
    owner: str | None = Field(default=None, description="The team or person to ask. null: nobody, on purpose.")
    terms: Terms = ()
    meta: dict[str, Scalar] | None = Field(
        default=None, description="Anything else worth knowing: single values by key."
    )
    columns: Annotated[tuple[ColumnDocumentation, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="The columns that have something to say; the others need no entry."
    )


class DocumentationDocument(Document):
    """Descriptions, owners and glossary terms of tables and their columns."""

    kind: Literal["documentation"] = Field(description="Descriptions of tables and columns.")
    tables: Annotated[tuple[TableDocumentation, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Each table at most once over all files."
    )
