"""Calls to a metastore: several addresses, another try where a read may be repeated, our errors instead of Thrift's."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pymetastore.hive_metastore import ttypes
from thrift.Thrift import TApplicationException, TException
from thrift.transport.TTransport import TTransportException

from metadata_assets.errors import Permanent, Transient, Unreachable
from metadata_assets.sources.hive.connection import Connection, Connector


class CallFailed(Transient):
    """A metastore was reached and gave no answer that can be used: too slow, broken off, garbled, or its own trouble.

    A smaller request may succeed where this one did not.
    """


class NotThere(Permanent):
    """What was asked for does not exist."""


class UnknownCall(Permanent):
    """The server is of a version that does not know the call."""

    def __init__(self, method: str) -> None:
        super().__init__(f"Hive metastore: it does not know the call {method}: it may be older than Hive 2.0")
        self.method = method


_BROKEN = (OSError, EOFError, TTransportException)
_ABSENT = (ttypes.NoSuchObjectException, ttypes.UnknownDBException, ttypes.UnknownTableException)
_REFUSALS = ("permission", "denied", "not authorized", "accesscontrol", "unauthorized")


class HiveClient:
    """Reads from whichever address answers. Not for several threads at once.

    `calls` counts every call sent, so that tests and benchmarks can hold a reader to its budget.
    """

    def __init__(self, uris: Sequence[str], connector: Connector, catalog: str | None = None) -> None:
        self.calls = 0
        self._uris = random.sample(list(uris), len(uris))  # many readers should not all start at the first address
        self._connector = connector
        self._catalog = catalog
        self._connection: Connection | None = None
        self._lacking: set[str] = set()  # calls that this server does not know

    @property
    def timeout(self) -> float:
        return self._connector.timeout

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def read_database_names(self) -> list[str]:
        if self._catalog is None:
            return self._texts(self._call("get_all_databases"))
        return self._texts(self._call("get_databases", f"@{self._catalog}#"))

    def read_database(self, database: str) -> Any:
        """The Thrift Database.

        Raises:
            NotThere: there is no such database.
        """
        return self._call("get_database", self._qualified(database))

    def read_table_names(self, database: str) -> list[str]:
        return self._texts(self._call("get_all_tables", self._qualified(database)))

    def read_tables(self, database: str, tables: Sequence[str]) -> list[Any]:
        """The Thrift Tables that exist among `tables`, in one call.

        Raises:
            NotThere: there is no such database.
        """
        if "get_table_objects_by_name_req" not in self._lacking:
            request = ttypes.GetTablesRequest(dbName=database, tblNames=list(tables), catName=self._catalog)
            try:
                return list(self._call("get_table_objects_by_name_req", request).tables or ())
            except UnknownCall as error:
                self._lacking.add(error.method)
        return list(self._call("get_table_objects_by_name", self._qualified(database), list(tables)) or ())

    def read_newest_event_id(self) -> int:
        """The number of the newest entry of the notification log.

        Raises:
            Permanent: the user may not read the log.
        """
        with _explained():
            return int(self._call("get_current_notificationEventId").eventId)

    def read_events(self, after: int, most: int) -> list[Any]:
        """Thrift NotificationEvents after that number, in their order.

        Raises:
            Permanent: the user may not read the log.
        """
        with _explained():
            answer = self._call("get_next_notification", ttypes.NotificationEventRequest(after, most))
        return sorted(answer.events or (), key=lambda event: event.eventId)

    def _qualified(self, database: str) -> str:
        """Where a call takes only a database name, Hive 3 and later read a catalog from it in this form."""
        return database if self._catalog is None else f"@{self._catalog}#{database}"

    @staticmethod
    def _texts(answer: Any) -> list[str]:
        return [str(name) for name in answer or ()]

    def _call(self, method: str, *arguments: Any) -> Any:
        """Ask each address once, beginning with the open connection; a stale one does not use up its address's try."""
        untried, troubles, served = list(self._uris), dict[str, str](), False
        while untried:
            connection = self._connect(untried, troubles)
            if connection is None:
                break
            stale = connection.used
            try:
                return self._ask(connection, method, arguments)
            except _Broken as error:
                self.close()
                troubles[connection.uri] = str(error)
                if not stale or error.late:
                    untried.remove(connection.uri)
                    served = True
        told = "; ".join(f"{uri}: {trouble}" for uri, trouble in troubles.items())
        if served:
            raise CallFailed(f"Hive metastore, {method}: no usable answer: {told}{self._hint}")
        raise Unreachable(f"Hive metastore: no address answers: {told}. Check `metastore: uris` and that it runs")

    @property
    def _hint(self) -> str:
        # A server that wants Kerberos says so by hanging up.
        plain = self._connector.kerberos_service is None
        return ". If the metastore asks for Kerberos, set `auth: kerberos`" if plain else ""

    def _connect(self, untried: list[str], troubles: dict[str, str]) -> Connection | None:
        """The open connection, else a new one to the first address of `untried` that takes it; the others leave it."""
        if self._connection is not None:
            return self._connection
        while untried:
            try:
                self._connection = self._connector.open(untried[0])
            except (*_BROKEN, TException) as error:
                troubles[untried.pop(0)] = _describe(error)
            else:
                self.calls += self._connector.user is not None  # it introduced the user
                self._uris.remove(self._connection.uri)
                self._uris.insert(0, self._connection.uri)  # stay with the one that works
                return self._connection
        return None

    def _ask(self, connection: Connection, method: str, arguments: Sequence[Any]) -> Any:
        """One call on one connection; what Thrift raises leaves here as one of our errors, or as `_Broken`."""
        self.calls += 1
        connection.socket.deadline = time.monotonic() + self.timeout
        function: Callable[..., Any] = getattr(connection.stub, method)
        try:
            answer = function(*arguments)
        except _BROKEN as error:
            raise _Broken(_describe(error), late=_is_late(error)) from error
        except (TApplicationException, UnicodeDecodeError) as error:
            self.close()  # the server may have closed its end, and what is left to read belongs to no call
            raise _own_error(method, error) from error
        except TException as error:
            raise self._after_exception(method, error) from error
        connection.used = True
        return answer

    def _after_exception(self, method: str, error: Exception) -> Exception:
        """The server answered with one of its exceptions, or what it sent could not be decoded."""
        if hasattr(error, "thrift_spec"):
            return _own_error(method, error)
        self.close()  # the stream is out of step
        told = f"what came back is no Thrift answer ({_describe(error)})"
        return CallFailed(f"Hive metastore, {method}: {told}. Check that the address is a metastore's Thrift port")


@contextmanager
def _explained() -> Iterator[None]:
    """Who may not read the log is told only "Internal error": Hive's default lets in nobody but proxy superusers."""
    try:
        yield
    except CallFailed as error:
        if "Internal error" not in str(error):
            raise
        raise Permanent(
            f"{error}. Most often the user may not read the notification log: set "
            "hive.metastore.event.db.notification.api.auth to false, or make the user a proxy user of the metastore"
        ) from error


class _Broken(Exception):
    """The connection gave no answer. `late`: because the time was over."""

    def __init__(self, reason: str, *, late: bool) -> None:
        super().__init__(reason)
        self.late = late


def _own_error(method: str, error: Exception) -> Exception:
    if isinstance(error, TApplicationException):
        if error.type == TApplicationException.UNKNOWN_METHOD:
            return UnknownCall(method)
        return CallFailed(f"Hive metastore, {method}: {_describe(error)}; its log says more")
    told = _describe(error)
    if isinstance(error, _ABSENT):
        return NotThere(f"Hive metastore, {method}: {told}")
    if any(word in told.lower() for word in _REFUSALS):
        return Permanent(f"Hive metastore, {method}: {told}. Check the user's rights")
    return CallFailed(f"Hive metastore, {method}: {told}")


def _is_late(error: BaseException) -> bool:
    inner = getattr(error, "inner", None)
    timed_out = isinstance(error, TTransportException) and error.type == TTransportException.TIMED_OUT
    return timed_out or isinstance(error, TimeoutError) or isinstance(inner, TimeoutError)


def _describe(error: BaseException) -> str:
    """Kind and first line: a server's message can hold a page of stack trace."""
    if _is_late(error):
        return "no answer within the time for one call"
    message = getattr(error, "message", None) or str(error)
    inner = getattr(error, "inner", None)
    if inner is not None:
        message = f"{message} ({inner})"
    first = (message.strip().splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
