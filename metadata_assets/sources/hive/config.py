"""What the platform file says about a Hive metastore."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from metadata_assets.errors import PlatformError
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.patterns import NamePatterns

if TYPE_CHECKING:
    from metadata_assets.sources.hive.source import HiveMetastore

_ADDRESS = re.compile(r"thrift://(\[[0-9a-f:.]+\]|[^\s/:@\[\]]+):([0-9]{1,5})/?", re.IGNORECASE)


def parse_uri(uri: str) -> tuple[str, int]:
    """Host and port of `thrift://host:port`.

    Raises:
        ValueError: it has another form.
    """
    match = _ADDRESS.fullmatch(uri.strip())
    if match is None or not 0 < int(match[2]) < 65536:
        raise ValueError("a metastore address has the form thrift://host:port, for example thrift://hms-1:9083")
    return match[1].strip("[]"), int(match[2])


def _checked(uri: str) -> str:
    parse_uri(uri)
    return uri.strip().rstrip("/")


class HiveConfig(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    type: Literal["hive"]
    uris: Annotated[tuple[Annotated[str, AfterValidator(_checked)], ...], Field(min_length=1)]
    databases: NamePatterns = NamePatterns()
    catalog: str | None = None  # of Hive 3 and later; without it the server's default
    timeout: Annotated[float, Field(gt=0)] = 60  # seconds for one call, connecting included
    batch: Annotated[int, Field(ge=1, le=10_000)] = 100  # tables asked for at once to begin with
    auth: Literal["none", "kerberos"] = "none"
    kerberos_service: str = "hive"  # the first part of the metastore's principal
    user_env: str | None = None  # variable that names the user a server without Kerberos should see

    def connect(self, around: Surroundings) -> HiveMetastore:
        """A source that opens its connection at the first call.

        Raises:
            PlatformError: a variable or a package that the configuration needs is missing.
        """
        from metadata_assets.sources.hive.client import HiveClient
        from metadata_assets.sources.hive.connection import Connector
        from metadata_assets.sources.hive.source import HiveMetastore

        user = None
        if self.user_env is not None:
            user = around.environ.get(self.user_env)
            if not user:
                raise PlatformError(f"variable {self.user_env} (metastore: user_env) is not set: name the user in it")
        service = self.kerberos_service if self.auth == "kerberos" else None
        client = HiveClient(self.uris, Connector(self.timeout, user, service), self.catalog)
        return HiveMetastore(client, self.databases, self.batch)
