"""Settings of the `files` sample source."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.base import SampleSource


class FilesConfig(BaseModel):
    """Parquet files below the tables' locations."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    type: Literal["files"] = Field(description="Files below the locations of tables.")
    roots: dict[str, str] = Field(
        default_factory=dict,
        description="Location prefix → folder that holds the same tree, such as s3a://lake/ → data/.",
    )

    def connect(self, around: Surroundings) -> SampleSource:
        from metadata_assets.sources.files.client import DataFiles

        return DataFiles({prefix: around.base / folder for prefix, folder in self.roots.items()})
