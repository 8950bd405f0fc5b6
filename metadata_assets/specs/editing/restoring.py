"""Claims back to entries: what has to stand in a file for the loader to make these claims of it."""

from collections.abc import Iterable, Mapping, Sequence

from metadata_assets.model.claims import Documentation, TagClaim, Tags
from metadata_assets.specs.editing.entries import Entry
from metadata_assets.specs.editing.rewriting import entry_key

_COLUMNS, _DESCRIPTION, _META = "columns.", ".description", "meta."


def to_documented(now: Entry, wanted: Documentation) -> Entry:
    """The documentation entry with exactly these claims; what claims nothing is kept as it is written now."""
    own = {c.path: c.value for c in wanted.claims}
    fields: dict[str, object] = {name: own[name] for name in ("description", "owner") if name in own}
    fields |= _kept(now, "terms", [t.term for t in wanted.terms if t.column is None])
    fields |= _kept(now, "meta", {p.removeprefix(_META): v for p, v in own.items() if p.startswith(_META)})
    described = {
        p.removeprefix(_COLUMNS).removesuffix(_DESCRIPTION): v for p, v in own.items() if p.startswith(_COLUMNS)
    }
    terms: dict[str, list[object]] = {}
    for claim in wanted.terms:
        if claim.column is not None:
            terms.setdefault(claim.column, []).append(claim.term)
    columns: list[object] = []
    for name in _ordered(list(described), list(terms)):
        before = _column(now, name)
        said = {"description": described[name]} if name in described else {}
        columns.append({"name": before.get("name", name), **said, **_kept(before, "terms", terms.get(name, []))})
    return {"name": now["name"], **fields, **_kept(now, "columns", _with_silent(now, columns))}


def to_tagged(now: Entry, wanted: Tags) -> Entry:
    """The tags entry with exactly these claims."""
    by_column: dict[str | None, list[TagClaim]] = {}
    for claim in wanted.claims:
        by_column.setdefault(claim.column, []).append(claim)
    columns: list[object] = []
    for name, found in by_column.items():
        if name is not None:
            before = _column(now, name)
            columns.append({"name": before.get("name", name), "tags": _uses(before, found)})
    own = _uses(now, by_column.get(None, []))
    return {"name": now["name"], **_kept(now, "tags", own), **_kept(now, "columns", _with_silent(now, columns))}


def _kept(now: Entry, key: str, value: Sequence[object] | Mapping[str, object]) -> dict[str, object]:
    """The key with its value; where that is empty the key as it is now, if it is empty there too."""
    if value:
        return {key: value}
    return {key: now[key]} if key in now and not now[key] else {}


def _with_silent(now: Entry, columns: Sequence[object]) -> list[object]:
    """The columns, with those of now that claim nothing where they stand."""
    merged, previous = list(columns), None
    found = now.get("columns")
    for column in found if isinstance(found, list) else []:
        keys = [entry_key(c) for c in merged]
        if entry_key(column) not in keys and isinstance(column, Mapping) and _is_silent(column):
            merged.insert(keys.index(previous) + 1 if previous in keys else 0, column)
        previous = entry_key(column)
    return merged


def _is_silent(column: Entry) -> bool:
    return "description" not in column and not any(column.get(key) for key in ("terms", "tags"))


def _uses(now: Entry, wanted: Iterable[TagClaim]) -> list[object]:
    """Tags as they are written now where they are the same, else in their shortest form."""
    found = now.get("tags")
    written = {_meaning(use): use for use in (found if isinstance(found, list) else [])}
    return [written.get((c.tag, c.propagate), _shortest(c)) for c in wanted]


def _meaning(use: object) -> tuple[str, str]:
    if isinstance(use, Mapping):
        return str(use.get("name")).strip(), str(use.get("propagate", "until_masked"))
    return str(use).strip(), "until_masked"


def _shortest(claim: TagClaim) -> object:
    return claim.tag if claim.propagate == "until_masked" else {"name": claim.tag, "propagate": claim.propagate}


def _column(now: Entry, name: str) -> Entry:
    columns = now.get("columns")
    found = (c for c in (columns if isinstance(columns, list) else []) if entry_key(c) == name)
    return next((c for c in found if isinstance(c, Mapping)), {})


def _ordered(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Both lists in one, each in its own order: they are parts of one list that had one."""
    merged: list[str] = []
    rest = list(second)
    for name in first:
        if name in rest:
            merged += [n for n in rest[: rest.index(name)] if n not in merged]
            rest = rest[rest.index(name) + 1 :]
        merged.append(name)
    return merged + rest
