"""Failover, another try and the mapping of errors, with connections that fail on command."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pymetastore.hive_metastore import ttypes
from thrift.Thrift import TApplicationException
from thrift.transport.TTransport import TTransportException

from metadata_assets.errors import Permanent, Unreachable
from metadata_assets.sources.hive.client import CallFailed, HiveClient, NotThere, UnknownCall
from metadata_assets.sources.hive.connection import Connection, Connector, DeadlineSocket

A, B = "thrift://a:1", "thrift://b:1"
LOST = TTransportException(TTransportException.END_OF_FILE, "TSocket read 0 bytes")
LATE = TTransportException(TTransportException.TIMED_OUT, "read timeout")


@dataclass
class Stub:
    """A server: the next outcome of `script` for each call, then always a name."""

    uri: str
    script: list[Exception]
    asked: list[str] = field(default_factory=list)

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.asked.append(method)
            if self.script:
                raise self.script.pop(0)
            return [self.uri]

        return call


class Transport:
    def close(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True, slots=True)
class Scripted(Connector):
    servers: dict[str, Stub] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def open(self, uri: str) -> Connection:
        self.opened.append(uri)
        if uri not in self.servers:
            raise ConnectionRefusedError("nobody listens")
        return Connection(uri, self.servers[uri], Transport(), DeadlineSocket())


def client_for(**scripts: list[Exception]) -> tuple[HiveClient, Scripted]:
    servers = {f"thrift://{name}:1": Stub(f"thrift://{name}:1", script) for name, script in scripts.items()}
    connector = Scripted(60, servers=servers)
    return HiveClient([A, B], connector), connector


def test_the_other_address_takes_over_and_stays() -> None:
    client, connector = client_for(b=[])
    assert [client.read_database_names() for _ in range(3)] == [[B]] * 3
    assert connector.opened in ([B], [A, B])
    assert client.calls == 3


@pytest.mark.parametrize("broken", [LOST, LATE, ConnectionResetError("reset")])
def test_a_broken_read_is_tried_once_at_each_address(broken: Exception) -> None:
    client, connector = client_for(a=[broken], b=[broken])
    with pytest.raises(CallFailed, match=r"thrift://a:1.*thrift://b:1|thrift://b:1.*thrift://a:1"):
        client.read_database_names()
    assert sorted(connector.opened) == [A, B]
    assert client.read_database_names()


def test_a_connection_that_grew_stale_is_renewed() -> None:
    client, connector = client_for(a=[], b=[])
    (first,) = client.read_database_names()
    connector.servers[first].script.append(LOST)
    assert client.read_database_names() == [first]
    assert connector.opened == [first, first]


def test_a_server_that_went_away_leaves_nobody() -> None:
    client, connector = client_for(a=[])
    client.read_database_names()
    connector.servers.pop(A).script.append(LOST)
    with pytest.raises(Unreachable, match=r"thrift://a:1: ConnectionRefusedError"):
        client.read_database_names()


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (ttypes.NoSuchObjectException("db not found"), NotThere),
        (ttypes.UnknownDBException("db"), NotThere),
        (ttypes.MetaException("Permission denied: user=ana"), Permanent),
        (ttypes.MetaException("Communications link failure"), CallFailed),
        (TApplicationException(TApplicationException.INTERNAL_ERROR, "Internal error"), CallFailed),
        (TApplicationException(TApplicationException.UNKNOWN_METHOD, "Invalid method name"), UnknownCall),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), CallFailed),
    ],
)
def test_errors_become_ours(raised: Exception, expected: type[Exception]) -> None:
    client, _ = client_for(a=[raised], b=[raised])
    with pytest.raises(expected) as error:
        client.read_database("db")
    assert type(error.value) is expected
    assert str(error.value).startswith("Hive metastore")


def test_after_an_application_exception_the_connection_is_new() -> None:
    trouble = TApplicationException(TApplicationException.INTERNAL_ERROR, "Internal error")
    client, connector = client_for(a=[trouble])
    with pytest.raises(CallFailed):
        client.read_database_names()
    assert client.read_database_names() == [A]
    assert connector.opened.count(A) == 2


def test_an_unknown_call_is_replaced_for_good() -> None:
    unknown = TApplicationException(TApplicationException.UNKNOWN_METHOD, "Invalid method name")
    client, connector = client_for(a=[unknown])
    for _ in range(2):
        client.read_tables("db", ["t"])
    assert connector.servers[A].asked == [
        "get_table_objects_by_name_req", "get_table_objects_by_name", "get_table_objects_by_name",
    ]  # fmt: skip


@pytest.mark.parametrize("error", [ttypes.NoSuchObjectException("gone"), ttypes.MetaException("trouble")])
def test_another_error_is_never_taken_for_an_unknown_call(error: Exception) -> None:
    client, connector = client_for(a=[error])
    with pytest.raises((NotThere, CallFailed)):
        client.read_tables("db", ["t"])
    assert connector.servers[A].asked == ["get_table_objects_by_name_req"]


def test_a_catalog_is_part_of_the_database_name() -> None:
    class Recording(HiveClient):
        def _call(self, method: str, *arguments: Any) -> Any:
            return [f"{method}{arguments}"]

    client = Recording([A], Scripted(60), catalog="spark")
    assert client.read_database_names() == ["get_databases('@spark#',)"]
    assert client.read_table_names("db") == ["get_all_tables('@spark#db',)"]


def test_thrift_does_not_log_what_the_caller_is_told(caplog: pytest.LogCaptureFixture) -> None:
    client = HiveClient(["thrift://127.0.0.1:1"], Connector(1.0))
    with pytest.raises(Unreachable, match=r"thrift://127\.0\.0\.1:1: "):
        client.read_database_names()
    assert caplog.records == []
