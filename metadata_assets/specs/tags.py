"""Kind `tags`: tags of tables and columns, by name or by pattern."""

from typing import Annotated, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticKnownError

from metadata_assets.model.entity import Propagate
from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, JsonSchema, Removable, SpecModel
from metadata_assets.specs.names import Column, Pattern, Table, Tag


class TagUse(SpecModel):
    """A tag as it is put on something; a bare name stands for one with the usual propagation."""

    name: Tag = Field(description="The tag. Personal data: PII_<TYPE>, such as PII_CPF or PII_EMAIL.")
    propagate: Propagate = Field(
        default="until_masked",
        description="How far the tag follows the data: never, always, or until a step masks or aggregates it.",
    )

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: object) -> object:
        if isinstance(value, str):
            return {"name": value}
        if value is None or isinstance(value, int | float):
            raise PydanticKnownError("string_type")
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        whole = handler.resolve_ref_schema(handler(core))
        name = {"description": "A tag that propagates until it is masked.", **whole["properties"]["name"]}
        return {"title": "TagUse", "description": whole["description"], "anyOf": [name, {**whole, "title": "Tag"}]}


Tags = Annotated[
    tuple[TagUse, ...], NULL_IS_EMPTY, OR_NULL, Field(description="Tags, each a name or {name: …, propagate: …}.")
]


class ColumnTags(Removable):
    """The tags of one column."""

    name: Column = Field(description="The column, or a nested field: address.street, items[].price, attrs{}.value.")
    tags: Tags = ()


class TableTags(Removable):
    """The tags of one table and its columns."""

    name: Table = Field(description="The table, written database.table; case does not matter.")
    tags: Tags = ()
    columns: Annotated[tuple[ColumnTags, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="The columns that have tags of their own."
    )


class TagRule(SpecModel):
    """Tags for everything that a pattern matches, now and later."""

    match: Pattern = Field(description='A pattern with * and ?: two parts name tables ("raw.*"), three name columns.')
    tags: Tags = Field(min_length=1)


class TagsDocument(Document):
    """Tags of tables and columns, and rules that give tags by pattern."""

    kind: Literal["tags"] = Field(description="Tags of tables and columns.")
    tables: Annotated[tuple[TableTags, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Each table at most once over all files."
    )
    rules: Annotated[tuple[TagRule, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Rules add to what is written at the tables; the order does not matter."
    )
