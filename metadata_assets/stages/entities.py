"""Facts of each table merge into its catalog entry; jobs and their outputs become process entries."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.merge import Merged, TableFacts, merge_table
from metadata_assets.catalog.propagation import plan_inherited
from metadata_assets.catalog.renames import Moved, documentation_now, tags_now
from metadata_assets.catalog.tagging import DirectTags, by_reference, column_paths, direct_tags
from metadata_assets.isolation import guarded
from metadata_assets.model.claims import Documentation, TagRules, Tags
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import TableEntry, TagEntry
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.table import Table, TableName, tables_among
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.renaming import with_former_names
from metadata_assets.stages.schemas import RETRY_SECONDS
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import ShardTally, tables_in
from metadata_assets.store import codec
from metadata_assets.store.facts import Facts, Marks, Reading
from metadata_assets.store.lineage_facts import LineageFacts
from metadata_assets.store.store import Store


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What merging some tables needs to know: their facts, the lineage into them, and the tags of all upstream of them.

    `order_key` was taken before anything was read, so a merge of older knowledge never wins over one of newer.
    """

    order_key: int
    tables: dict[str, Table]
    documentation: dict[str, Documentation]
    graph: LineageGraph
    tags: dict[str, DirectTags]
    inherited: dict[TableName, dict[str, tuple[TagEntry, ...]]]
    moved: dict[str, list[Moved]] = field(default_factory=dict)  # what is written under former names of columns

    @staticmethod
    def of(store: Store, subjects: Iterable[str], lineage: LineageFacts, order_key: int) -> "Knowledge":
        facts = store.facts
        needed = {n.subject for n in lineage.upstream(tables_among(subjects))}
        tables: dict[str, Table] = facts.contents("schema", needed)
        claims, profiles = with_former_names(store, "tags", needed), with_former_names(store, "profile", needed)
        documentation = with_former_names(store, "documentation", subjects)
        moved = _under_present_names(store, tables, documentation, claims)
        rules = facts.contents("tag_rules").get("rules", TagRules())
        tags = {s: direct_tags(t, claims.get(s), rules, profiles.get(s)) for s, t in tables.items()}
        direct: dict[ColumnRef, tuple[TagEntry, ...]] = {}
        for subject, table in tables.items():
            direct.update(by_reference(table.name, tags[subject]))
        graph = lineage.graph()
        inherited: dict[TableName, dict[str, tuple[TagEntry, ...]]] = {}
        for column, found in plan_inherited(direct, graph).items():
            inherited.setdefault(column.table, {})[column.column] = found
        return Knowledge(order_key, tables, documentation, graph, tags, inherited, moved)


def _under_present_names(
    store: Store, tables: Mapping[str, Table], documentation: dict[str, Documentation], claims: dict[str, Tags]
) -> dict[str, list[Moved]]:
    """Let what is written of renamed columns speak of their present names; says what that is, to be told."""
    moved: dict[str, list[Moved]] = {}
    spoken_of = [s for s in tables if s in documentation or s in claims]
    for subject, renamed in store.moves.renamed_columns(spoken_of).items():
        known = column_paths(tables[subject])
        found: list[Moved] = []
        if subject in documentation:
            documentation[subject], found = documentation_now(documentation[subject], renamed, known)
        if subject in claims:
            claims[subject], more = tags_now(claims[subject], renamed, known)
            found += more
        moved[subject] = found
    return moved


@dataclass(slots=True)
class Merging:
    """The counts of a merge by shard, the orphans that it met, and the subjects whose entries changed."""

    tally: ShardTally
    orphans: list[tuple[str, str, str]] = field(default_factory=list)  # (table, column, place)
    changed: list[str] = field(default_factory=list)

    @property
    def counts(self) -> Counts:
        return self.tally.total()


def merge_entries(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Merging:
    """Merge the entries of these shards: all, or those marked pending. Entries of removed tables become tombstones."""
    store = deployment.store
    order_key = order_key_now()
    marks = store.work.pending()  # taken before the facts are read: a later mark is not cleared by this run
    held = store.facts.hashes("entry")
    candidates = _all_subjects(store.facts) | marks.keys() if scope.everything else set(marks)
    numbers = store.work.shards()
    subjects = sorted(tables_in(candidates, shards, numbers, scope))
    lineage = LineageFacts(store.facts)
    merging = Merging(ShardTally(shards, numbers))
    with codec.without_collection():
        knowledge = Knowledge.of(store, subjects, lineage, order_key)
        merged = [_merge_one(subject, knowledge, merging) for subject in subjects]
    readings = [reading for reading in merged if reading is not None]
    _store(deployment, readings, merging, scope, _dependents(store.facts, readings, held, lineage))
    taken = {s: marks[s] for s in subjects if s in marks}
    errors = merging.counts.errors
    store.work.set_trouble("catalog_entities", subjects, errors)
    failed = {s: n for s, n in taken.items() if s in errors}
    store.work.clear_pending({s: n for s, n in taken.items() if s not in failed})
    store.work.postpone_pending(failed, time.time() + RETRY_SECONDS)
    return merging


def _all_subjects(facts: Facts) -> set[str]:
    """Tables that are known, that were, and that people only write about: each is accounted for in every full run."""
    return {s for kind in ("schema", "entry", "documentation", "tags") for s in facts.hashes(kind)}


def _dependents(
    facts: Facts, readings: Sequence[Reading[TableEntry]], held: Mapping[str, str], lineage: LineageFacts
) -> Marks:
    """Tables downstream of those whose own tags change are to be merged again: they inherit from them."""
    merged = {r.subject for r in readings}
    downstream = {
        table.subject: {t.subject for t in lineage.downstream([table])} - merged
        for table in _retagged(facts, readings, held)
    }
    return Marks("tags upstream changed", lambda subject: downstream.get(subject, ()))


def _merge_one(subject: str, knowledge: Knowledge, merging: Merging) -> Reading[TableEntry] | None:
    merging.tally.of_subject(subject).listed += 1
    table = knowledge.tables.get(subject)
    if table is None:
        return Reading(subject, None, knowledge.order_key, "table removed")
    outcome = guarded(str(table.name), lambda: _merged(subject, table, knowledge))
    if outcome.error is not None:
        merging.tally.of(table.name).errors[subject] = str(outcome.error)
        return None
    merged = outcome.unwrap()
    merging.orphans += [(str(table.name), column, place) for column, place in merged.orphans]
    moved = knowledge.moved.get(subject, ())
    merging.orphans += [(str(table.name), f"{old} (renamed: it is {now} now)", place) for old, now, place in moved]
    return Reading(subject, merged.entry, knowledge.order_key, "merged")


def _merged(subject: str, table: Table, knowledge: Knowledge) -> Merged:
    return merge_table(
        TableFacts(
            table,
            f"metastore ({table.schema_origin})",
            knowledge.documentation.get(subject),
            knowledge.tags[subject],
            knowledge.inherited.get(table.name, {}),
            knowledge.graph.upstream_of(table.name),
            knowledge.graph.into_columns_of(table.name, column_paths(table)),
        )
    )


def _store(
    deployment: Deployment, readings: Sequence[Reading[TableEntry]], merging: Merging, scope: Scope, marks: Marks
) -> None:
    outcomes = deployment.store.facts.put("entry", readings, scope.run_id, marks)
    for reading in readings:
        outcome, counts = outcomes[reading.subject], merging.tally.of_subject(reading.subject)
        if reading.content is None and outcome == "unchanged":
            counts.skip("not_in_metastore")  # somebody documented a table that never was there
            continue
        counts.note(outcome)
        if outcome == "written":
            merging.changed.append(reading.subject)


def _retagged(facts: Facts, readings: Sequence[Reading[TableEntry]], held: Mapping[str, str]) -> set[TableName]:
    """Tables whose own tags are about to change: those downstream inherit from them. Only what differs is read."""
    differing = [r for r in readings if (codec.to_hash(r.content) if r.content else "") != held.get(r.subject, "")]
    before: dict[str, TableEntry] = facts.contents("entry", [r.subject for r in differing if r.subject in held])
    return {
        TableName.of_subject(r.subject) for r in differing if _tags_of(before.get(r.subject)) != _tags_of(r.content)
    }


def _tags_of(entry: TableEntry | None) -> dict[str, tuple[TagEntry, ...]]:
    return {} if entry is None else {c.name: c.tags for c in entry.columns if c.tags}
