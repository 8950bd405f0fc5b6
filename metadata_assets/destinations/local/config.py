"""Settings of the `local` destination."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from metadata_assets.destinations.base import Destination, Grain
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.store import Store


class LocalConfig(BaseModel):
    """A JSON catalog kept in the product's own store."""

    grain: ClassVar[Grain] = "shard"
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    type: Literal["local"] = Field(description="The JSON catalog.")
    name: str = Field("local", description="Name of the destination in assets, reports and the command line.")

    def connect(self, around: Surroundings, store: Store) -> Destination:
        from metadata_assets.destinations.local.destination import LocalCatalog

        return LocalCatalog(self.name, store.engine)
