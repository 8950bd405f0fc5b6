"""Tables that got another name: what was said of them under the old one, and what destinations know them as."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metadata_assets.model.table import tables_among
from metadata_assets.store.facts import Marks
from metadata_assets.store.moves import TableMove
from metadata_assets.store.published import Standing
from metadata_assets.store.store import Store


def former_standings(store: Store, destination: str, subjects: Iterable[str]) -> dict[str, Standing]:
    """Of tables that a destination does not know by their names: subject → where it stands under a former name.

    A name that another table has now is not taken from it.
    """
    renames = store.moves.renamed(t.subject for t in tables_among(subjects))
    free = _free_names(store, renames)
    given = _standings(store, destination, free)
    found: dict[str, Standing] = {}
    for subject, moves in renames.items():
        names = [m.previous for m in moves if m.previous in given]
        if names and given[names[0]].written_at is not None:
            found[subject] = given[names[0]]
    return found


def _free_names(store: Store, renames: Mapping[str, Sequence[TableMove]]) -> set[str]:
    """Former names that no other table has now. A table that the catalog still shows under one that a rename took away
    is merely about to be looked at."""
    former = {m.previous for moves in renames.values() for m in moves if m.previous is not None}
    if not former:
        return set()
    return former - store.facts.hashes("schema").keys() | store.moves.renamed_to(former).keys()


def awaited_names(store: Store, destination: str, subjects: Iterable[str]) -> frozenset[str]:
    """Of names that are wanted no more those whose table the destination has yet to be given under its new name: to
    delete it first would lose what people and other systems attached to it."""
    taken = store.moves.renamed_to(t.subject for t in tables_among(subjects))
    if not taken:
        return frozenset()
    live = store.facts.hashes("entry")
    given = _standings(store, destination, [move.subject for move in taken.values()])
    return frozenset(
        s for s, m in taken.items() if m.subject in live and not (m.subject in given and given[m.subject].content_hash)
    )


def _standings(store: Store, destination: str, subjects: Iterable[str]) -> dict[str, Standing]:
    return {s.subject: s for s in store.published.standings(subjects) if s.destination == destination}


def with_former_names(store: Store, kind: str, subjects: Iterable[str]) -> dict[str, Any]:
    """Contents of a kind of fact by table; what was said of a table under a former name still holds for it.

    A name that another table has now speaks of that one; what is said under the table's own name comes first.
    """
    wanted = set(subjects)
    found: dict[str, Any] = store.facts.contents(kind, wanted)
    renames = store.moves.renamed(wanted - found.keys())
    free = _free_names(store, renames)
    for subject, moves in renames.items():
        names = [m.previous for m in moves if m.previous in free]
        said = store.facts.contents(kind, names)
        first = next((said[n] for n in names if n in said), None)
        if first is not None:
            found[subject] = first
    return found


def renaming_marks(store: Store, reason: str, subjects: Iterable[str]) -> Marks:
    """Marks of changed tables among these subjects, and of tables that once had their names: what is said under a
    former name speaks of the table until another one has it."""
    later = store.moves.later_names(t.subject for t in tables_among(subjects))
    return Marks(reason, lambda s: {s, *later.get(s, ())})
