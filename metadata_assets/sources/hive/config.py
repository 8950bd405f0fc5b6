"""What the platform file says about a Hive metastore."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from metadata_assets.errors import PlatformError
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.patterns import NamePatterns

if TYPE_CHECKING:
    from metadata_assets.sources.hive.client import HiveClient
    from metadata_assets.sources.hive.source import HiveMetastore

_ADDRESS = re.compile(r"thrift://(\[[0-9a-f:.]+\]|[^\s/:@\[\]]+):([0-9]{1,5})/?", re.IGNORECASE)


def parse_uri(uri: str) -> tuple[str, int]:
    """Host and port of `thrift://host:port`.

    Raises:
        ValueError: it has another form.
    """
    match = _ADDRESS.fullmatch(uri.strip())
    if match is None or not 0 < int(match[2]) < 65536:
        form = "a metastore address has the form thrift://host:port, for example thrift://hms-1:9083"
        raise ValueError(f"{_fault(uri.strip())}: {form}")
    return match[1].strip("[]"), int(match[2])


def _fault(uri: str) -> str:
    """What is wrong with an address. Of its parts only the scheme and the port are quoted: they hold no secret."""
    scheme, separator, rest = uri.partition("://")
    host, colon, port = rest.rstrip("/").rpartition(":")
    faults = {
        "there is no address in this entry": not uri,
        "one entry holds several addresses, each wants its own": "," in uri or uri.count("://") > 1,
        "an address holds no blanks": bool(re.search(r"\s", uri)),
        "the scheme is missing": not separator,
        f"the scheme is {scheme!r}": scheme.lower() != "thrift",
        "an address holds no user and no password (see `user_env` and `auth`)": "@" in rest,
        "an address holds no path": "/" in rest.rstrip("/"),
        "the port is missing": not colon or not port or rest.endswith("]"),
        f"the port is {port!r}, not a number from 1 to 65535": not (port.isdecimal() and 0 < int(port) < 65536),
        "the host is missing": not host,
    }
    return next((fault for fault, found in faults.items() if found), "the host cannot be read")


def _checked(uri: str) -> str:
    parse_uri(uri)
    return uri.strip().rstrip("/")


class HiveConnection(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """How to reach a Hive metastore: the same for its tables and for its log of changes."""

    uris: Annotated[tuple[Annotated[str, AfterValidator(_checked)], ...], Field(min_length=1)] = Field(
        description="Addresses, thrift://host:port; when one does not answer the next is tried."
    )
    catalog: str | None = Field(None, description="Catalog of Hive 3 and later; the server's default without it.")
    timeout: float = Field(60, gt=0, description="Seconds for one call, connecting included.")
    auth: Literal["none", "kerberos"] = Field("none", description="How to log in.")
    kerberos_service: str = Field("hive", description="The first part of the metastore's Kerberos principal.")
    user_env: str | None = Field(None, description="Variable that names the user a server without Kerberos should see.")

    def open_client(self, around: Surroundings, section: str) -> HiveClient:
        """A client that connects at its first call. `section` is where in the platform file this stands.

        Raises:
            PlatformError: a variable or a package that the configuration needs is missing.
        """
        from metadata_assets.sources.hive.client import HiveClient
        from metadata_assets.sources.hive.connection import Connector

        user = None
        if self.user_env is not None:
            user = around.environ.get(self.user_env)
            if not user:
                raise PlatformError(f"variable {self.user_env} ({section}: user_env) is not set: name the user in it")
        service = self.kerberos_service if self.auth == "kerberos" else None
        return HiveClient(self.uris, Connector(self.timeout, user, service), self.catalog)


class HiveConfig(HiveConnection, frozen=True, extra="forbid", hide_input_in_errors=True):
    """A Hive metastore over Thrift."""

    type: Literal["hive"] = Field(description="A Hive metastore.")
    databases: NamePatterns = Field(NamePatterns(), description="Which databases and tables are read.")
    batch: int = Field(100, ge=1, le=10_000, description="Tables asked for at once to begin with.")

    def connect(self, around: Surroundings) -> HiveMetastore:
        """A source that opens its connection at the first call.

        Raises:
            PlatformError: a variable or a package that the configuration needs is missing.
        """
        from metadata_assets.sources.hive.source import HiveMetastore

        return HiveMetastore(self.open_client(around, "metastore"), self.databases, self.batch)
