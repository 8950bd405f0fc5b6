"""What the platform file says about a folder of DDL texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from metadata_assets.sources.patterns import NamePatterns

if TYPE_CHECKING:
    from metadata_assets.model.surroundings import Surroundings
    from metadata_assets.sources.base import MetastoreSource


class DdlConfig(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """`<path>/<database>/<table>.sql`, one text each; `_database.sql` describes the database."""

    type: Literal["ddl"] = Field(description="A folder of SHOW CREATE TABLE texts.")
    path: str = Field(min_length=1, description="Folder; relative paths start at the folder of the platform file.")
    databases: NamePatterns = Field(NamePatterns(), description="Which databases and tables are read.")

    def connect(self, around: Surroundings) -> MetastoreSource:
        from metadata_assets.sources.ddl.client import DdlFolder
        from metadata_assets.sources.ddl.source import DdlSource

        return DdlSource(DdlFolder(around.base / self.path), self.databases)
