"""Publishing: what a destination should hold, the difference, the writing, and the record of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from metadata_assets.catalog.processes import to_processes
from metadata_assets.destinations.base import LINEAGE, Part
from metadata_assets.errors import MetadataError
from metadata_assets.isolation import guarded
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import DatabaseEntry, Entry, ProcessEntry
from metadata_assets.model.publication import Changes, Published, Receipt, Wanted
from metadata_assets.model.subject import Subject, prefix_of
from metadata_assets.model.table import Database, tables_among
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.stages.renaming import awaited_names, former_standings
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import ShardTally, tables_in
from metadata_assets.store import codec
from metadata_assets.store.published import Standing, Written
from metadata_assets.store.store import Store

_MARK_STATE = "published lineage: "


@dataclass(frozen=True, slots=True)
class _Aim:
    """What a destination should hold and what it was last given, of what is to be looked at now.

    `hashes` are those of the wanted entries; `failing` are subjects whose last try failed; `settled` are those
    that need no look; `mark` is remembered once all of it is written.
    """

    wanted: Wanted
    hashes: Mapping[str, str]
    held: Mapping[str, Published]
    failing: frozenset[str] = frozenset()
    settled: tuple[str, ...] = ()
    mark: str = ""

    @property
    def is_settled(self) -> bool:
        return not self.wanted.entries and not self.wanted.removed and not self.failing

    def behind(self) -> list[Entry]:
        """Entries that differ from what the destination was last given, or could not be given to it."""
        given = {s: p.content_hash for s, p in self.held.items()}
        return [
            e
            for e in self.wanted.entries
            if given.get(e.subject) != self.hashes[e.subject] or e.subject in self.failing
        ]


def plan_publication(deployment: Deployment, name: str, part: Part, shards: Sequence[str], scope: Scope) -> Changes:
    """The changes that a destination needs, without writing.

    Args:
        deployment: where the wanted state is known.
        name: the destination.
        part: what of the catalog; `shards` matter only for one that is written by shard.
    """
    aim = _aim(deployment.store, name, part, shards, scope)
    return deployment.destination(name).diff(aim.wanted, aim.held)


def publish(deployment: Deployment, name: str, part: Part, shards: Sequence[str], scope: Scope) -> Counts:
    """Bring a part of a destination to its wanted state, and remember what it holds now.

    Raises:
        Transient, Permanent: the destination as a whole does not answer or refuses.
    """
    aim = _aim(deployment.store, name, part, shards, scope)
    if aim.is_settled and not scope.everything:
        _remember_mark(deployment.store, name, aim)
        return _settled(aim, part, ShardTally(shards, deployment.store.work.shards()))
    try:
        destination = deployment.destination(name)
        changes = guarded(f"{name}: diff", lambda: destination.diff(aim.wanted, aim.held)).unwrap()
        receipt = Receipt()
        if changes.changes:
            receipt = guarded(f"{name}: apply", lambda: destination.apply(changes)).unwrap()
    except MetadataError as error:  # remembered, so that what was not written is tried again and can be asked for
        lagging = [*(e.subject for e in aim.behind()), *aim.wanted.removed]
        deployment.store.published.record(name, [], dict.fromkeys(lagging, str(error)))
        raise
    errors = _errors(name, changes, receipt)
    counts = Counts(changes.listed, len(changes.changes) + len(changes.refused) - len(errors), changes.unchanged)
    counts.listed += len(aim.settled)
    counts.unchanged += len(aim.settled)
    counts.errors.update(errors)
    _record(deployment.store, name, aim, _by_entry(changes, errors), receipt)
    if part.by_shard:
        tally = ShardTally(shards, deployment.store.work.shards())
        counts.parts = _shares(counts, aim, changes, tally)
    return counts


def _settled(aim: _Aim, part: Part, tally: ShardTally) -> Counts:
    """Nothing is to be done."""
    counts = Counts(len(aim.settled), 0, len(aim.settled))
    if part.by_shard:
        counts.parts = _shares(counts, aim, Changes(0), tally)
    return counts


def _shares(counts: Counts, aim: _Aim, changes: Changes, tally: ShardTally) -> dict[str, Counts]:
    """The share of each shard; empty where a destination counts something else than the tables that it was shown."""
    differing = {c.subject for c in changes.changes} | {r.subject for r in changes.refused}
    same = [*aim.settled, *(e.subject for e in aim.wanted.entries if e.subject not in differing)]
    for subject in (*differing, *same):
        if not subject.startswith(prefix_of("table")):
            return {}
        share = tally.of_subject(subject)
        share.listed += 1
        if subject in counts.errors:
            share.errors[subject] = counts.errors[subject]
        else:
            share.note("written" if subject in differing else "unchanged")
    total = tally.total()
    fits = (total.listed, total.written, total.errors) == (counts.listed, counts.written, counts.errors)
    return total.parts if fits else {}


def _errors(name: str, changes: Changes, receipt: Receipt) -> dict[str, str]:
    """Subject → error of every change that is not known to have been written."""
    errors = {r.subject: r.reason for r in changes.refused}
    errors |= {o.subject: o.error or "failed" for o in receipt.failed}
    answered = {o.subject for o in receipt.outcomes}
    silent = [c.subject for c in changes.changes if c.subject not in answered]
    return errors | dict.fromkeys(silent, f"destination {name} gave no answer for this change")


def _by_entry(changes: Changes, errors: Mapping[str, str]) -> dict[str, str]:
    """A row belongs to an entry: one failed row makes its entry unpublished, so that the next run tries it again."""
    owners = {c.subject: c.of_entry for c in changes.changes} | {r.subject: r.of_entry for r in changes.refused}
    return {owners.get(subject, subject): error for subject, error in errors.items()}


def _aim(store: Store, name: str, part: Part, shards: Sequence[str], scope: Scope) -> _Aim:
    """A run for everything shows the destination all entries, to be compared with what it really holds. A run for what
    changed looks at what differs from what it was last given, by hashes, and at what failed there."""
    standings = store.published.standings_at(name, part.kinds)
    if part.by_shard:
        return _aim_at_tables(store, name, standings, shards, scope)
    mark = _lineage_mark(store) if "process" in part.kinds else ""
    same = not scope.everything and not scope.force and store.work.state(_MARK_STATE + name) == mark
    if part == LINEAGE and same:
        failing = any(s.error is not None for s in standings.values())
        settled = tuple(s.subject for s in standings.values() if s.content_hash)
        if not failing:
            return _Aim(Wanted(), {}, {}, settled=settled)
    entries = {e.subject: e for e in _entries(store, part)}
    hashes = {s: codec.to_hash(e) for s, e in entries.items()}
    known = _renamed(store, name, _Known(entries, hashes, standings))
    return replace(_aimed(store, name, known, scope), mark=mark)


def _aim_at_tables(
    store: Store, name: str, standings: Mapping[str, Standing], shards: Sequence[str], scope: Scope
) -> _Aim:
    wanted = store.facts.hashes("entry")
    ours = set(tables_in({*wanted, *standings}, shards, store.work.shards(), scope))
    standings = {s: standing for s, standing in standings.items() if s in ours}
    looked = {s for s in ours if s in wanted}
    settled: tuple[str, ...] = ()
    if not scope.everything and not scope.force:
        same = {s for s in looked if s in standings and _holds(standings[s], wanted[s])}
        looked, settled = looked - same, tuple(sorted(same))
        standings = {s: standing for s, standing in standings.items() if s not in same}
    facts = [f for f in store.facts.latest("entry", looked) if f.content is not None]
    known = _Known({f.subject: f.content for f in facts}, {f.subject: f.content_hash for f in facts}, standings)
    return replace(_aimed(store, name, _renamed(store, name, known), scope), settled=settled)


def _holds(standing: Standing, digest: str) -> bool:
    return standing.content_hash == digest and standing.error is None


@dataclass(frozen=True, slots=True)
class _Known:
    """Wanted entries with their hashes, and how their subjects, and those that are wanted no more, stand.

    `former` maps a wanted subject to the standing of the name under which the destination knows it; `awaited` are
    subjects whose new names the destination is given elsewhere: they are not removed meanwhile.
    """

    entries: Mapping[str, Entry]
    hashes: Mapping[str, str]
    standings: Mapping[str, Standing]
    former: Mapping[str, Standing] = field(default_factory=dict)
    awaited: frozenset[str] = frozenset()


def _renamed(store: Store, name: str, known: _Known) -> _Known:
    """What is known, with the tables among it that got other names since the destination was given them."""
    new = [s for s in known.entries if s not in known.standings or not known.standings[s].content_hash]
    gone = [s for s in known.standings if s not in known.entries]
    return replace(known, former=former_standings(store, name, new), awaited=awaited_names(store, name, gone))


def _aimed(store: Store, name: str, known: _Known, scope: Scope) -> _Aim:
    """What is wanted as it was given is not read a second time to be compared."""
    same = {s for s, h in known.hashes.items() if s in known.standings and known.standings[s].content_hash == h}
    held = store.published.held(name, known.standings.keys() - same)
    held |= {s: Published(s, known.hashes[s], known.entries[s], known.standings[s].remote_id) for s in same}
    gone = (s for s, standing in known.standings.items() if standing.content_hash and s not in known.entries)
    removed = frozenset(gone) - known.awaited - {standing.subject for standing in known.former.values()}
    renamed = {s: standing.subject for s, standing in known.former.items()}
    held |= store.published.held(name, renamed.values())
    failing = frozenset(s for s, st in known.standings.items() if st.error is not None)
    ordered = tuple(known.entries[s] for s in sorted(known.entries))
    return _Aim(Wanted(ordered, removed, scope.force, renamed), known.hashes, held, failing)


def lacks_processes(store: Store, name: str, now: float) -> bool:
    """Whether the destination should be given processes now: the lineage is another one, or a failed try is due."""
    tries = [s.retry_at for s in store.published.failing(name) if Subject.parse(s.subject).kind == "process"]
    if tries:
        return min(tries) <= now
    return bool(store.work.state(_MARK_STATE + name) != _lineage_mark(store))


def _lineage_mark(store: Store) -> str:
    """What all processes depend on: while it is the same, they are."""
    kinds = [f"{s} {h}" for kind in ("script", "declared_lineage") for s, h in store.facts.hashes(kind).items()]
    return fingerprint(sorted([*kinds, *store.facts.hashes("entry")]))


def _entries(store: Store, part: Part) -> Iterable[Entry]:
    facts = store.facts
    if "database" in part.kinds:
        yield from (_database_entry(d) for d in facts.contents("database").values())
    if "category" in part.kinds:
        yield from facts.contents("category").values()
    if "term" in part.kinds:
        yield from facts.contents("term").values()
    if "table" in part.kinds:
        yield from facts.contents("entry").values()
    if "process" in part.kinds:
        yield from processes(store)


def _database_entry(database: Database) -> DatabaseEntry:
    return DatabaseEntry(database.name, database.comment, database.owner, database.location, {"comment": "metastore"})


def processes(store: Store) -> list[ProcessEntry]:
    """All processes between tables of the catalog."""
    known = set(tables_among(store.facts.hashes("entry")))
    return to_processes(
        store.facts.contents("script").values(), store.facts.contents("declared_lineage").values(), known
    )


def _record(store: Store, name: str, aim: _Aim, failed: Mapping[str, str], receipt: Receipt) -> None:
    """Remember every entry that the destination now holds as wanted: those written and those that needed no writing."""
    remote = {s: p.remote_id for s, p in aim.held.items()} | {
        o.subject: o.remote_id for o in receipt.written if o.remote_id
    }
    due = aim.wanted.entries if aim.wanted.force else aim.behind()
    renamed = aim.wanted.renamed
    written = [
        Written(e.subject, e, remote.get(e.subject) or remote.get(renamed.get(e.subject, "")), renamed.get(e.subject))
        for e in due
        if e.subject not in failed
    ]
    gone = [Written(s, None, remote.get(s)) for s in sorted(aim.wanted.removed) if s not in failed]
    store.published.record(name, [*written, *gone], failed)
    # What could not be written and is wanted no more need not be tried again.
    store.published.forget(name, sorted(aim.failing - aim.hashes.keys() - aim.wanted.removed))
    if not failed:
        _remember_mark(store, name, aim)


def _remember_mark(store: Store, name: str, aim: _Aim) -> None:
    """Also where there was nothing to write: with an old mark the destination is taken for one that lacks processes."""
    if aim.mark and store.work.state(_MARK_STATE + name) != aim.mark:
        store.work.set_state(_MARK_STATE + name, aim.mark)
