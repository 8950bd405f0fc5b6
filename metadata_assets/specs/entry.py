"""What all spec kinds share: frozen models that know a missing key from an empty one."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

JsonSchema = dict[str, Any]


def refusal(message: str, hint: str = "") -> PydanticCustomError:
    """The error that our validators raise; its words reach the reader as they are."""
    return PydanticCustomError("spec", "{message}", {"message": message, "hint": hint})


class SpecModel(BaseModel):
    """A mapping in a spec. Unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=False)

    def claims(self, field: str) -> bool:
        """True where the file has the key, be its value null or not; a missing key claims nothing."""
        return field in self.model_fields_set

    def claimed(self) -> Mapping[str, object]:
        """The fields that the file has, by field name, with their values; None is empty on purpose."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}


class Removable(SpecModel):
    """An entry that can say that it must not exist: `state: absent`."""

    state: Literal["present", "absent"] = Field(
        default="present",
        description="absent takes away what is there of this entry; then no key but the name may stand beside it.",
    )

    @property
    def absent(self) -> bool:
        return self.state == "absent"

    @model_validator(mode="after")
    def _stands_alone(self) -> Self:
        others = sorted(self.model_fields_set - {"name", "state"})
        if self.absent and others:
            raise refusal(f"an absent entry also has {others[0]!r}", "remove that key, or the line `state: absent`")
        return self


class Document(SpecModel):
    """The envelope of every kind."""

    version: Literal[1] = Field(description="The version of the spec format: 1.")


class _OrNull:
    """Marks a list in the JSON Schema as one that may be null."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        return {"anyOf": [handler(core), {"type": "null"}]}


def _empty_for_null(value: object) -> object:
    return () if value is None else value


# For `Annotated[tuple[…, ...], NULL_IS_EMPTY, OR_NULL]`: a list whose entries are all commented out is an empty one.
NULL_IS_EMPTY = BeforeValidator(_empty_for_null)
OR_NULL = _OrNull()

Scalar = str | int | float | bool | None
Text = Annotated[str, Field(min_length=1)]
