"""Kind `detectors`: rules for personal data that only this company knows."""

import re
import warnings
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from metadata_assets.specs.entry import NULL_IS_EMPTY, OR_NULL, Document, SpecModel, Text, refusal
from metadata_assets.specs.names import Name, Tag

_LONGEST = 1_000


def _compiles(pattern: str) -> str:
    if len(pattern) > _LONGEST:
        raise refusal(f"the pattern has more than {_LONGEST:,} characters", "split it into several detectors")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on odd sets; what they will mean some day is no concern of a check
            re.compile(pattern)
    except re.error as error:
        where = f" at its character {error.pos + 1}" if error.pos is not None else ""
        raise refusal(
            f"the pattern is no regular expression: {error.msg}{where}", "test it on a sample value"
        ) from None
    except (OverflowError, RecursionError):
        raise refusal(
            "the pattern is too big for a regular expression", "use smaller counts and fewer groups"
        ) from None
    return pattern


Regex = Annotated[str, Field(min_length=1), AfterValidator(_compiles)]


class Detector(SpecModel):
    """One rule: how values look, how columns are called, or both."""

    name: Name = Field(description="The name of the rule, as evidence shows it; once over all files.")
    tag: Tag = Field(description="The tag that it suggests, such as PII_CONTRACT.")
    pattern: Regex | None = Field(default=None, description="A regular expression that the whole value matches.")
    words: Annotated[tuple[Text, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Words in a column's name that speak for the tag."
    )
    exclude: Annotated[tuple[Text, ...], NULL_IS_EMPTY, OR_NULL] = Field(
        default=(), description="Column names with * and ? that are never tagged by this rule."
    )

    @model_validator(mode="after")
    def _looks_at_something(self) -> Self:
        if self.pattern is None and not self.words:
            raise refusal("the detector looks at nothing", "add a `pattern` for values or `words` for column names")
        return self


class DetectorsDocument(Document):
    """Detectors that are added to the built-in ones."""

    kind: Literal["detectors"] = Field(description="Own rules for personal data.")
    detectors: Annotated[tuple[Detector, ...], NULL_IS_EMPTY, OR_NULL] = Field(default=(), description="The rules.")
