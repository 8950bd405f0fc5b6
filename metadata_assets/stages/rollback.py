"""Going back: a patch of the spec files that makes them say of a table what they said at an earlier time."""

import difflib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from metadata_assets.errors import SelectionError, SpecError
from metadata_assets.model.table import TableName
from metadata_assets.sources.base import FileSource, TextFile
from metadata_assets.specs import claims
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.editing.entries import EditedKind, Entry, holds_kind, new_text, read_entry, set_entry
from metadata_assets.specs.editing.restoring import to_documented, to_tagged
from metadata_assets.specs.specset import SpecSet
from metadata_assets.specs.text import SourceText
from metadata_assets.stages.deployment import Deployment
from metadata_assets.store import codec
from metadata_assets.store.facts import Fact
from metadata_assets.store.pruning import PRUNED_STATE
from metadata_assets.store.queries import parse_table

_KINDS: tuple[EditedKind, ...] = ("documentation", "tags")
_BOM = "\ufeff"


def rollback_patches(deployment: Deployment, table: str, moment: float) -> dict[str, str]:
    """File → a unified diff for `git apply` that restores what the specs said of a table; none where they say it now.

    Only the text of the specs goes back. Facts stay: the next run reads the files and follows.

    Raises:
        SelectionError: the moment is still to come, nothing was known of the table then, or its history was pruned.
        SpecError: a file cannot be read or cannot be changed; names the place.
        Transient, Permanent: the files cannot be listed.
    """
    name = parse_table(table)
    source = deployment.specs()
    if source is None:
        raise SelectionError("the platform file names no specs: there is nothing to roll back")
    then = _at(deployment, name, moment)
    files = {f.path: _text(f) for f in source.read_files()}
    edited = dict(files)
    for kind in _KINDS:
        _restore(edited, kind, name, then.get(kind))
    diffs = {_located(source, path): _diff(files.get(path), edited[path], _located(source, path)) for path in edited}
    return {path: diffs[path] for path in sorted(diffs) if diffs[path]}


def _text(file: TextFile) -> str:
    if file.problem:
        raise SpecError(file.path, 1, 1, file.problem)
    return file.content.decode("utf-8", "surrogateescape")


def _at(deployment: Deployment, table: TableName, moment: float) -> Mapping[str, Fact]:
    """The newest version of each kind of fact that was known at a moment.

    `history` prints whole seconds, cut off: a moment of whole seconds is all of that second.
    """
    if moment > (now := time.time()):
        raise SelectionError(f"{_time(moment)} is still to come, it is {_time(now)}; times without a zone are UTC")
    moment += 0.999_999 if moment == int(moment) else 0.0
    history = [f for f in deployment.store.facts.history(table.subject) if f.kind in _KINDS]
    then = {f.kind: f for f in history if f.recorded_at <= moment}
    pruned: float = deployment.store.work.state(PRUNED_STATE) or 0.0
    first = {f.kind: f.recorded_at for f in reversed(history)}
    # Only of what has a version from before that limit an older one can have been taken out.
    if lost := [at for kind, at in first.items() if kind not in then and at < pruned]:
        raise SelectionError(
            f"what the specs said of {table} at {_time(moment)} is not known: its oldest version left is of "
            f"{_time(min(lost))}, and what was older than {_time(pruned)} was pruned: choose a later time"
        )
    if not then:
        known = f"; its specs are known since {_time(history[0].recorded_at)}" if history else ""
        raise SelectionError(f"nothing was known at {_time(moment)} of what the specs say of {table}{known}")
    return then


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(" ", "seconds")


def _restore(files: dict[str, str], kind: EditedKind, table: TableName, fact: Fact | None) -> None:
    """Change the files so that the claims of one kind on a table are those of a fact; None: there are none."""
    content = fact.content if fact is not None else None
    specs = _load(files)
    if _same(_claimed(specs, kind, table), content) and not _dropped(specs, kind, table):
        return
    texts = {p: SourceText(p, text.removeprefix(_BOM)) for p, text in files.items() if p not in specs.unread}
    here = next((p for p in sorted(texts) if read_entry(texts[p], kind, table) is not None), None)
    if here is None and specs.unread:
        raise next(f for f in specs.errors if f.file in specs.unread).to_error()
    now = read_entry(texts[here], kind, table) if here is not None else None
    wanted = _wanted(kind, now or {"name": str(table)}, content)
    if here is None and (fact is None or wanted is None):
        return  # of what could not be read nothing is to stay, and nothing of it can be found to be taken out
    path = here or _stood(fact)
    if path not in texts or not holds_kind(texts[path], kind):
        files[path] = (f"{files[path].rstrip()}\n---\n" if path in files else "") + new_text(kind, wanted or {})
    else:
        files[path] = _BOM * files[path].startswith(_BOM) + set_entry(texts[path], kind, table, wanted)
    if not _same(_claimed(_load(files), kind, table), content):
        raise SpecError(path or kind, 1, 1, f"the {kind} of {table} cannot be restored: change it by hand")


def _stood(fact: Fact | None) -> str:
    """The file that a fact was read from, be it gone since; its source is `file:line`."""
    return fact.source.rpartition(":")[0] if fact is not None else ""


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    content: bytes


def _load(files: Mapping[str, str]) -> SpecSet:
    return load_specs(_File(path, text.encode("utf-8", "surrogateescape")) for path, text in files.items())


def _claimed(specs: SpecSet, kind: EditedKind, table: TableName) -> object:
    if kind == "documentation":
        documented = specs.documentation.get(table)
        return None if documented is None else claims.to_documentation(documented)
    tagged = specs.tags.get(table)
    return None if tagged is None else claims.to_tags(tagged)


def _same(one: object, other: object) -> bool:
    """As the store compares facts: 1 and true differ, places do not count."""
    if one is None or other is None:
        return one is other
    return codec.to_hash(one) == codec.to_hash(other)


def _dropped(specs: SpecSet, kind: EditedKind, table: TableName) -> bool:
    return any(d.kind == kind and d.table == table for d in specs.dropped)


def _wanted(kind: EditedKind, now: Entry, content: Any) -> Entry | None:
    if content is None:
        return None
    return to_documented(now, content) if kind == "documentation" else to_tagged(now, content)


def _located(source: FileSource, path: str) -> str:
    """The path as it is right from the working directory; of objects in a bucket the path below their root."""
    located = source.locate(path)
    return path if "://" in located else located


def _diff(old: str | None, new: str, path: str) -> str:
    before, after = _lines(old or ""), _lines(new)
    names = ("/dev/null" if old is None else _quoted(f"a/{path}"), _quoted(f"b/{path}"))
    return "".join(_marked(difflib.unified_diff(before, after, *names)))


def _marked(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(text: str) -> Sequence[str]:
    """Lines as git counts them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _quoted(path: str) -> str:
    """A path as it stands in a patch: what would end it early is written as git writes it."""
    if re.search(r'["\\\x00-\x1f]', path):
        return '"' + re.sub(r'["\\\x00-\x1f]', lambda m: f"\\{ord(m[0]):03o}", path) + '"'
    return path + "\t" if " " in path else path
