"""One connection to one metastore, with a deadline for every call."""

import importlib.util
import logging
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from pymetastore.hive_metastore import ThriftHiveMetastore, ttypes
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAccelerated
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TSaslClientTransport

from metadata_assets.errors import PlatformError
from metadata_assets.sources.hive.config import parse_uri

# It logs each address that does not answer; which were tried, and why in vain, is told with the call that failed.
logging.getLogger("thrift.transport.TSocket").addFilter(lambda record: record.levelno > logging.ERROR)
BUFFER_BYTES = 1 << 20  # an answer of a hundred tables is some hundred kilobytes: one or two reads


def _read_list_keys_as_tuples() -> None:
    """The locations of skewed values are a map by lists, which no dict takes: one table with such locations would break
    every answer that it is part of. Thrift reads lists that are marked as immutable as tuples."""
    *before, (number, kind, name, (key_kind, (item, encoding, _), *value), default) = ttypes.SkewedInfo.thrift_spec
    locations = (number, kind, name, (key_kind, (item, encoding, True), *value), default)
    ttypes.SkewedInfo.thrift_spec = (*before, locations)
    for field in filter(None, ttypes.StorageDescriptor.thrift_spec):
        if field[2] == "skewedInfo":
            field[3][1] = ttypes.SkewedInfo.thrift_spec


_read_list_keys_as_tuples()


class DeadlineSocket(TSocket):  # type: ignore[misc]  # thrift ships no types
    """A socket whose time limit is for a whole call: Thrift's own starts anew with each packet."""

    deadline = float("inf")

    def read(self, size: int) -> bytes:
        self._limit()
        data: bytes = super().read(size)
        return data

    def write(self, data: bytes) -> None:
        self._limit()
        super().write(data)

    def _limit(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for this call is over")
        if self.handle is not None:
            self.handle.settimeout(left)


@dataclass(slots=True)
class Connection:
    """An open connection. `used` tells one that served a call before from a fresh one."""

    uri: str
    stub: Any
    transport: Any
    socket: DeadlineSocket
    used: bool = False

    def close(self) -> None:
        self.transport.close()


@dataclass(frozen=True, slots=True)
class Connector:
    """How to open connections: `user` is told to the server, `kerberos_service` switches Kerberos on."""

    timeout: float
    user: str | None = None
    kerberos_service: str | None = None

    def __post_init__(self) -> None:
        _check_packages(kerberos=self.kerberos_service is not None)

    def open(self, uri: str) -> Connection:
        """Connect, authenticate and introduce the user.

        Raises:
            OSError, TException: nobody listens there, or it refuses.
        """
        host, port = parse_uri(uri)
        link = DeadlineSocket(host, port)
        link.setTimeout(self.timeout * 1000)
        link.deadline = time.monotonic() + self.timeout
        transport: Any = TBufferedTransport(link, rbuf_size=BUFFER_BYTES)
        if self.kerberos_service is not None:
            transport = TSaslClientTransport(link, host, self.kerberos_service)
        connection = Connection(uri, None, transport, link)
        with ExitStack() as undo:
            undo.callback(connection.close)
            transport.open()
            link.handle.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # Strict: else the first bytes of some other server are taken for the length of a name, and waited for.
            protocol = TBinaryProtocolAccelerated(transport, strictRead=True, fallback=False)
            connection.stub = ThriftHiveMetastore.Client(protocol)
            if self.user is not None:
                connection.stub.set_ugi(self.user, [self.user])
            undo.pop_all()
        return connection


def _check_packages(*, kerberos: bool) -> None:
    if importlib.util.find_spec("thrift.protocol.fastbinary") is None:
        raise PlatformError(
            "package thrift was installed without its C extension, which decodes ten times faster: install a C "
            "compiler and the Python headers, then pip install --force-reinstall --no-binary thrift thrift"
        )
    missing = [name for name in ("puresasl", "kerberos") if kerberos and importlib.util.find_spec(name) is None]
    if missing:
        raise PlatformError(
            f"metastore: auth: kerberos needs packages that are missing ({', '.join(missing)}): install the Kerberos "
            "headers (Debian: libkrb5-dev), then pip install 'metadata-assets[kerberos]' (pure-sasl, kerberos)"
        )
