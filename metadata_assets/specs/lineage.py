"""Kind `lineage`: which jobs fill which tables, for what no SQL tells."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from metadata_assets.model.lineage import Transform
from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, SpecModel, refusal
from metadata_assets.specs.names import Name, QualifiedColumn, Table


class ColumnLineage(SpecModel):
    """Where the values of one column come from."""

    to: QualifiedColumn = Field(description="The column that is filled, written database.table.column.")
    sources: tuple[QualifiedColumn, ...] = Field(
        alias="from", min_length=1, description="The columns that it is filled from."
    )
    transform: Transform = Field(
        default="transformation",
        description="What happens to a value on the way. Tags stop at masking and aggregation; indirect only filters.",
    )


class DeclaredJob(SpecModel):
    """A job that reads tables and fills tables."""

    name: Name = Field(description="The name that people know the job by; once over all files.")
    description: str | None = Field(default=None, description="What the job does.")
    owner: str | None = Field(default=None, description="The team or person to ask.")
    inputs: Annotated[tuple[Table, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Tables that it reads."
    )
    outputs: Annotated[tuple[Table, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Tables that it fills."
    )
    columns: Annotated[tuple[ColumnLineage, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Lineage by column; its tables need not be repeated in inputs and outputs."
    )

    @model_validator(mode="after")
    def _fills_something(self) -> Self:
        if not self.outputs and not self.columns:
            raise refusal("the job fills no table", "add `outputs` with at least one table, or `columns`")
        return self


class LineageDocument(Document):
    """Lineage that people declare; it stands beside what is read from SQL."""

    kind: Literal["lineage"] = Field(description="Jobs with the tables and columns they read and fill.")
    jobs: Annotated[tuple[DeclaredJob, ...], NULL_IS_EMPTY, OR_NULL] = Field(default=(), description="The jobs.")
