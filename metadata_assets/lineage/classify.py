"""What kind of statement this is, from its first words."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from metadata_assets.lineage.cursor import depth_zero
from metadata_assets.lineage.lexer import Token

Action = Literal[
    "nothing", "insert", "create", "cache", "merge", "update", "query", "set", "use", "drop", "alter", "load", "source",
    "unknown",
]  # fmt: skip


class StatementClass(NamedTuple):
    action: Action
    verb: str
    reason: str = ""


_NO_DATA_FLOWS = {
    "ADD": "adds a resource",
    "ANALYZE": "computes statistics",
    "MSCK": "registers partitions",
    "REFRESH": "refreshes cached metadata",
    "INVALIDATE": "refreshes cached metadata",
    "UNCACHE": "frees a cache",
    "CLEAR": "frees a cache",
    "GRANT": "sets rights",
    "REVOKE": "sets rights",
    "DENY": "sets rights",
    "SHOW": "shows metadata",
    "DESCRIBE": "shows metadata",
    "DESC": "shows metadata",
    "EXPLAIN": "shows a plan",
    "LIST": "shows resources",
    "DFS": "works on files",
    "QUIT": "ends the session",
    "EXIT": "ends the session",
    "RESET": "sets variables back",
    "DELETE": "removes rows",
    "TRUNCATE": "removes rows",
    "COMMENT": "sets a comment",
    "RELOAD": "reloads functions",
    "LOCK": "locks a table",
    "UNLOCK": "unlocks a table",
    "ABORT": "ends transactions",
    "KILL": "ends a query",
    "START": "starts a transaction",
    "COMMIT": "ends a transaction",
    "ROLLBACK": "ends a transaction",
    "OPTIMIZE": "rewrites files",
    "VACUUM": "removes files",
    "COMPILE": "adds a resource",
}
_OWN_ACTIONS: dict[str, Action] = {
    "INSERT": "insert",
    "MERGE": "merge",
    "UPDATE": "update",
    "SELECT": "query",
    "VALUES": "query",
    "TABLE": "query",
    "MAP": "query",
    "REDUCE": "query",
    "(": "query",
    "SET": "set",
    "USE": "use",
    "DROP": "drop",
    "ALTER": "alter",
    "LOAD": "load",
    "IMPORT": "load",
    "EXPORT": "load",
    "SOURCE": "source",
    "RUN": "source",
}
_CREATED_WITHOUT_DATA = (
    "DATABASE", "SCHEMA", "FUNCTION", "ROLE", "INDEX", "MACRO", "CATALOG", "CONNECTION", "RESOURCE", "POOL", "TRIGGER",
    "USER", "GROUP", "APPLICATION", "SCHEDULED",
)  # fmt: skip
_LOOKED_AT = 8  # words before the thing that is created


def classify(tokens: Sequence[Token]) -> StatementClass:
    """The class of a statement, which has at least one token."""
    first = tokens[0].upper
    if first.startswith("!"):
        return StatementClass("nothing", "!", "a shell command: no data flows between tables")
    if first in ("WITH", "FROM"):
        action, verb = _behind(tokens)
        return StatementClass(action, verb)
    if first == "CREATE":
        return _created(tokens)
    if first == "CACHE":
        return _cached(tokens)
    if first in _NO_DATA_FLOWS:
        return StatementClass("nothing", first, f"{first} {_NO_DATA_FLOWS[first]}: no data flows between tables")
    if first in _OWN_ACTIONS:
        return StatementClass(_OWN_ACTIONS[first], _verb(first, tokens))
    shown = tokens[0].text[:40]
    return StatementClass("unknown", first or "?", f"{shown!r} begins no statement that is known here")


def _behind(tokens: Sequence[Token]) -> tuple[Action, str]:
    """What WITH or FROM stands before."""
    writes: list[tuple[str, Action]] = [("INSERT", "insert"), ("MERGE", "merge"), ("UPDATE", "update")]
    for word, action in writes:
        if depth_zero(tokens, frozenset({word})):
            return action, word
    return "query", "SELECT"


def _verb(first: str, tokens: Sequence[Token]) -> str:
    if first in ("DROP", "ALTER", "LOAD", "IMPORT", "EXPORT") and len(tokens) > 1:
        return f"{first} {tokens[1].upper}".strip()
    return "SELECT" if first == "(" else first


def _created(tokens: Sequence[Token]) -> StatementClass:
    words = [token.upper for token in tokens[:_LOOKED_AT]]
    thing = next((word for word in words if word in (*_CREATED_WITHOUT_DATA, "TABLE", "VIEW")), "")
    if thing in _CREATED_WITHOUT_DATA:
        return StatementClass("nothing", f"CREATE {thing}", f"CREATE {thing} moves no data")
    if not thing:
        return StatementClass("unknown", "CREATE", "it creates nothing that is known here")
    temporary = "TEMPORARY " if "TEMP" in words or "TEMPORARY" in words else ""
    materialized = "MATERIALIZED " if "MATERIALIZED" in words else ""
    return StatementClass("create", f"CREATE {temporary}{materialized}{thing}")


def _cached(tokens: Sequence[Token]) -> StatementClass:
    if any(token.upper in ("SELECT", "FROM", "WITH", "VALUES") for token in tokens[2:]):
        return StatementClass("cache", "CACHE TABLE")
    return StatementClass("nothing", "CACHE TABLE", "CACHE TABLE keeps a table in memory: no data flows between tables")
