"""Settings of the `s3` file source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.aws import AwsConnection, open_client

if TYPE_CHECKING:
    from metadata_assets.sources.s3.client import Bucket

# Spark and Hadoop write the same address in two more ways.
_SCHEMES = frozenset({"s3", "s3a", "s3n"})


class S3Config(AwsConnection, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Text files in a bucket of S3."""

    type: Literal["s3"] = Field(description="A bucket of S3.")
    bucket: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$", description="Name of the bucket.")
    prefix: str = Field("", description="Folder in the bucket; the whole bucket without it.")
    dialect: Literal["hive", "spark", "trino"] = Field("spark", description="SQL dialect, where the files are jobs.")

    @property
    def folder(self) -> str:
        """What all keys begin with: it ends in `/`, so that `main` does not take in `maintenance/`."""
        inner = self.prefix.strip("/")
        return f"{inner}/" if inner else ""

    def connect(self, around: Surroundings, suffixes: tuple[str, ...]) -> Bucket:
        """A source that connects at its first call.

        Raises:
            PlatformError: a variable is not set, or there is no such profile.
        """
        from metadata_assets.sources.s3.client import Bucket

        client = open_client("s3", self.access(around, f"s3 {self.bucket}"), around.open_s3)
        return Bucket(client, self.bucket, self.folder, suffixes)

    def path_of(self, url: str) -> str | None:
        scheme, separator, rest = url.partition("://")
        bucket, slash, key = rest.partition("/")
        if scheme.lower() not in _SCHEMES or not separator or not slash or bucket != self.bucket:
            return None
        return path_in(self.folder, key)


def path_in(folder: str, key: str) -> str | None:
    """The path in the folder of the object with this key; None where it is none of its files, or a hidden one."""
    path = key.removeprefix(folder)
    if not key.startswith(folder) or not path or path.endswith("/"):
        return None
    return None if any(part.startswith(".") for part in path.split("/")) else path
