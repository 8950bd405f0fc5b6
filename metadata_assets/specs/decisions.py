"""Kind `decisions`: a person's word on a tag, which outranks every later run."""

import datetime
from typing import Annotated, Literal

from pydantic import Field

from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, SpecModel, Text
from metadata_assets.specs.names import Pattern, Tag


class Decision(SpecModel):
    """What a person decided on a tag where a scope matches."""

    tag: Tag = Field(description="The tag that is decided on.")
    scope: Pattern = Field(description='Where: a pattern as "mart.*.doc_number" for columns, "mart.*" for tables.')
    verdict: Literal["confirmed", "rejected"] = Field(description="confirmed: the tag is right; rejected: it is not.")
    reason: Text = Field(description="Why, for whoever asks later.")
    by: Text = Field(description="Who decided.")
    until: datetime.date | None = Field(default=None, description="The last day that it holds; without it, for good.")


class DecisionsDocument(Document):
    """Decisions of people on tags."""

    kind: Literal["decisions"] = Field(description="Decisions on suggested tags.")
    decisions: Annotated[tuple[Decision, ...], NULL_IS_EMPTY, OR_NULL] = Field(default=(), description="The decisions.")
