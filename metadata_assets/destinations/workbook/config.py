"""Settings of the `workbook` destination."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.destinations.base import Destination, Grain
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.store import Store


class WorkbookConfig(BaseModel):
    """An XLSX file."""

    grain: ClassVar[Grain] = "catalog"
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    type: Literal["workbook"] = Field(description="An XLSX file.")
    name: str = Field("workbook", description="Name of the destination in assets, reports and the command line.")
    path: str = Field("catalog.xlsx", description="The file; relative paths start at METADATA_HOME.")

    def connect(self, around: Surroundings, store: Store) -> Destination:
        from metadata_assets.destinations.workbook.destination import Workbook

        return Workbook(around.home / self.path)
