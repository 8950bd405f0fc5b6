"""One statement at a time: what it is, what it reads and writes, and how that ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from metadata_assets.isolation import guarded
from metadata_assets.lineage.classify import Action, StatementClass, classify
from metadata_assets.lineage.lexer import Token
from metadata_assets.lineage.messages import GivenUp, ScriptText
from metadata_assets.lineage.parsing import quiet
from metadata_assets.lineage.reading import Reader
from metadata_assets.lineage.session import Session, Views
from metadata_assets.lineage.settings import (
    read_alter,
    read_drop,
    read_load,
    read_set,
    read_use,
)
from metadata_assets.lineage.split import Piece
from metadata_assets.lineage.tables import tables_by_words
from metadata_assets.lineage.templates import NOTE, has_blocks, untemplated
from metadata_assets.lineage.verdict import Found
from metadata_assets.lineage.writes import Write, read_cache, read_create, read_insert
from metadata_assets.model.lineage import StatementLineage, StatementPlace, StatementStatus
from metadata_assets.model.table import TableName

_MAX_LENGTH = 1_000_000  # characters; the parser takes minutes for longer ones

Handler = Callable[[str, Sequence[Token], StatementPlace], Found]


class StatementReader:
    """Reads the statements of one script in their order."""

    def __init__(self, session: Session, script: ScriptText, given_up: Mapping[int, GivenUp]) -> None:
        self._session = session
        self._given_up = given_up
        self._dialect = script.dialect
        self._reader = Reader(session, script.dialect, traces_queries=script.alone is not None)
        if script.alone is not None:
            views = Views(script.alone.views, self._reader.trace_view, expand=script.alone.expand_views)
            session.views = views
        self._handlers: dict[Action, Handler] = {
            "insert": lambda text, tokens, _: self._reader.read_writes(read_insert(text, tokens)),
            "create": lambda text, tokens, _: self._reader.read_writes([read_create(text, tokens)]),
            "cache": lambda text, tokens, _: self._reader.read_writes([read_cache(text, tokens)]),
            "merge": lambda text, _, __: self._reader.read_merge(text),
            "update": lambda text, _, __: self._reader.read_update(text),
            "query": lambda text, tokens, _: self._reader.read_query(text, tokens),
            "set": lambda text, tokens, _: read_set(session, text, tokens),
            "use": lambda text, tokens, _: read_use(session, text, tokens),
            "drop": lambda text, tokens, _: read_drop(session, text, tokens),
            "alter": self._alter,
            "load": lambda text, tokens, _: read_load(session, text, tokens),
        }

    def read(self, place: StatementPlace, piece: Piece) -> StatementLineage:
        """The statement, whatever becomes of it."""
        templated = has_blocks(piece.tokens)
        piece = untemplated(piece, self._dialect)
        if not piece.tokens:
            return Found("no_lineage", reason="nothing but a template").statement(place, "?", self._session)
        kind = classify(piece.tokens)
        if piece.unclosed:
            return Found("unparsed", reason=piece.unclosed).statement(place, kind.verb, self._session)
        if place.index in self._given_up:
            return self._without_parsing(place, piece).statement(place, kind.verb, self._session)
        with quiet() as warnings:
            outcome = guarded("the statement", lambda: self._read(kind, place, piece), quote=True)
        if outcome.error is not None:
            found = Found("unparsed", reason=str(outcome.error) + "".join(f"; {w}" for w in warnings[:1]))
            return found.statement(place, kind.verb, self._session)
        found = outcome.unwrap()
        if templated and found.status in ("lineage", "no_lineage"):
            found = replace(found, status="unresolved", reason=NOTE)
        return found.statement(place, kind.verb, self._session)

    def read_view(self, place: StatementPlace, view: TableName, piece: Piece | None) -> StatementLineage:
        """The query of a view that the lake knows."""
        if piece is None:
            return Found("unparsed", reason="the view has no text").statement(place, "CREATE VIEW", self._session)
        if piece.unclosed:
            return Found("unparsed", reason=piece.unclosed).statement(place, "CREATE VIEW", self._session)
        if place.index in self._given_up:
            found = replace(self._without_parsing(place, piece), outputs=frozenset((view,)))
            return found.statement(place, "CREATE VIEW", self._session)
        write = Write("view", (view.database, view.table), piece.cleaned()[0])
        with quiet():
            outcome = guarded("the view", lambda: self._reader.read_writes([write], is_view=True), quote=True)
        found = Found("unparsed", reason=str(outcome.error)) if outcome.error is not None else outcome.unwrap()
        return found.statement(place, "CREATE VIEW", self._session)

    def _read(self, kind: StatementClass, place: StatementPlace, piece: Piece) -> Found:
        if kind.action == "nothing":
            return Found("no_lineage", reason=kind.reason)
        if kind.action == "unknown":
            return Found("unparsed", reason=kind.reason)
        if kind.action == "source":
            return Found("unresolved", reason="it runs another file, whose statements are not read here")
        text, tokens = self._session.variables.substitute(*piece.cleaned(), self._dialect)
        if len(text) > _MAX_LENGTH:
            reason = f"longer than {_MAX_LENGTH:,} characters"
            return self._by_words(tokens, "table_only", reason)
        return self._handlers[kind.action](text, tokens, place)

    def _without_parsing(self, place: StatementPlace, piece: Piece) -> Found:
        ended = self._given_up[place.index]
        _, tokens = self._session.variables.substitute(*piece.cleaned(), self._dialect)
        return self._by_words(tokens, ended.status, ended.reason)

    def _by_words(self, tokens: Sequence[Token], status: StatementStatus, reason: str) -> Found:
        inputs, outputs = tables_by_words(tokens, self._session.complete)
        return Found(status, inputs, outputs, reason=f"{reason}: tables only, found by the words before them")

    def _alter(self, text: str, tokens: Sequence[Token], place: StatementPlace) -> Found:
        words = [token.upper for token in tokens]
        if words[1:2] == ["VIEW"] and "AS" in words:
            return self._reader.read_writes([read_create(text, tokens)])
        return read_alter(self._session, text, tokens, place.index)
