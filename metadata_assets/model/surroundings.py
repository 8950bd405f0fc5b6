"""What a plug-in is handed when it is connected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a plug-in may use when it is connected: it never looks at the process's own environment.

    `base` is the folder of the platform file, from which relative paths start; `home` is METADATA_HOME.
    """

    environ: Mapping[str, str] = field(repr=False)  # holds secrets
    base: Path
    home: Path
