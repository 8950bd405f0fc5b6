"""Settings of the `workbook` destination."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from metadata_assets.destinations.base import Destination, Grain
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.store import Store


class WorkbookConfig(BaseModel):
    """An XLSX file."""

    grain: ClassVar[Grain] = "catalog"
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    type: Literal["workbook"] = Field(description="An XLSX file.")
    name: str = Field("workbook", description="Name of the destination in assets, reports and the command line.")
    path: str = Field("catalog.xlsx", description="The file, NAME.xlsx; relative paths start at METADATA_HOME.")

    @field_validator("path")
    @classmethod
    def _is_a_workbook(cls, value: str) -> str:
        if not value.lower().endswith(".xlsx"):
            raise ValueError(f"the file is a workbook whatever its name is: {value!r} has to end in .xlsx")
        return value

    def connect(self, around: Surroundings, store: Store) -> Destination:
        from metadata_assets.destinations.workbook.destination import Workbook

        return Workbook(around.home / self.path)
