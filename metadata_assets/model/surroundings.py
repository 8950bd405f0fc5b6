"""What a plug-in is handed when it is connected."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class AwsAccess:
    """How to reach a service of AWS, or one that speaks like it. What is None, the ordinary AWS chain decides."""

    region: str | None = None
    endpoint_url: str | None = None
    profile: str | None = None
    access_key: str | None = field(default=None, repr=False)
    secret_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a plug-in may use when it is connected: it never looks at the process's own environment.

    `base` is the folder of the platform file, from which relative paths start; `home` is METADATA_HOME. `open_s3` makes
    a client of S3 where the host has its own way to make one; without it a plug-in makes its own.
    """

    environ: Mapping[str, str] = field(repr=False)  # holds secrets
    base: Path
    home: Path
    open_s3: Callable[[AwsAccess], Any] | None = field(default=None, repr=False)
