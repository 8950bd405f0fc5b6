"""Kind `glossary`: the words of the business."""

from typing import Annotated, Literal

from pydantic import Field

from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, Removable
from metadata_assets.specs.names import Name


class Category(Removable):
    """A group of terms."""

    name: Name = Field(description="The name; once over all files.")
    description: str | None = Field(default=None, description="What belongs here. null: empty on purpose.")
    parent: Name | None = Field(default=None, description="The category that this one is a part of.")


class Term(Removable):
    """A word with one agreed meaning."""

    name: Name = Field(description="The word; once over all files.")
    description: str | None = Field(default=None, description="What it means. null: empty on purpose.")
    category: Name | None = Field(default=None, description="The category that it belongs to.")
    owner: str | None = Field(default=None, description="The team or person who decides what it means.")


class GlossaryDocument(Document):
    """Terms that tables and columns can be assigned to, in categories."""

    kind: Literal["glossary"] = Field(description="Terms and categories.")
    categories: Annotated[tuple[Category, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="The categories."
    )
    terms: Annotated[tuple[Term, ...], NULL_IS_EMPTY, OR_NULL] = Field(default=(), description="The terms.")
