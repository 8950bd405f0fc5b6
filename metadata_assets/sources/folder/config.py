"""Settings of the `folder` file source."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.base import FileSource


class FolderConfig(BaseModel):
    """Text files below a folder."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    type: Literal["folder"] = Field(description="A folder.")
    path: str = Field(description="Folder; relative paths start at the folder of the platform file.")
    dialect: Literal["hive", "spark", "trino"] = Field("spark", description="SQL dialect, where the files are jobs.")

    def connect(self, around: Surroundings, suffixes: tuple[str, ...]) -> FileSource:
        from metadata_assets.sources.folder.client import Folder

        return Folder(around.base / self.path, suffixes)

    def path_of(self, url: str) -> str | None:
        return None  # nobody sends events of folders
