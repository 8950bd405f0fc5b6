"""I/O out. Each package holds `config.py`, pure `rows.py` or `payload.py`, and `destination.py`.

A new destination is a package here and its config class in the union below.
"""

from typing import Annotated

from pydantic import Field

from metadata_assets.destinations.local.config import LocalConfig
from metadata_assets.destinations.workbook.config import WorkbookConfig

DestinationConfig = Annotated[LocalConfig | WorkbookConfig, Field(discriminator="type")]
