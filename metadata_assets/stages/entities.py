"""Facts of each table merge into its catalog entry; jobs and their outputs become process entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from metadata_assets.catalog.graph import LineageGraph
from metadata_assets.catalog.merge import Merged, TableFacts, merge_table
from metadata_assets.catalog.propagation import plan_inherited
from metadata_assets.catalog.tagging import DirectTags, by_reference, column_paths, direct_tags
from metadata_assets.isolation import guarded
from metadata_assets.model.claims import Documentation, TagRules
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import TableEntry, TagEntry
from metadata_assets.model.lineage import ColumnRef
from metadata_assets.model.table import Table, TableName
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import shard_of
from metadata_assets.store.facts import Reading
from metadata_assets.store.store import Store


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What merging one table needs to know of all others: every schema, the lineage, and where tags come from.

    `order_key` was taken before anything was read, so a merge of older knowledge never wins over one of newer.
    """

    order_key: int
    tables: dict[str, Table]
    documentation: dict[str, Documentation]
    graph: LineageGraph
    tags: dict[str, DirectTags]
    inherited: dict[ColumnRef, tuple[TagEntry, ...]]

    @staticmethod
    def of(store: Store) -> "Knowledge":
        order_key, facts = order_key_now(), store.facts
        tables: dict[str, Table] = facts.contents("schema")
        claims, profiles = facts.contents("tags"), facts.contents("profile")
        rules = facts.contents("tag_rules").get("rules", TagRules())
        tags = {s: direct_tags(t, claims.get(s), rules, profiles.get(s)) for s, t in tables.items()}
        graph = LineageGraph.of(facts.contents("script").values(), facts.contents("declared_lineage").values())
        direct: dict[ColumnRef, tuple[TagEntry, ...]] = {}
        for subject, table in tables.items():
            direct.update(by_reference(table.name, tags[subject]))
        return Knowledge(order_key, tables, facts.contents("documentation"), graph, tags, plan_inherited(direct, graph))


@dataclass(slots=True)
class Merging:
    """The counts of a merge, the orphans that it met, and the subjects whose tags changed."""

    counts: Counts = field(default_factory=Counts)
    orphans: list[tuple[str, str, str]] = field(default_factory=list)  # (table, column, place)
    changed: list[str] = field(default_factory=list)


def merge_entries(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Merging:
    """Merge the entries of these shards: all, or those marked pending. Entries of removed tables become tombstones."""
    store = deployment.store
    marks = store.work.pending()  # taken before the facts are read: a later mark is not cleared by this run
    shard_counts = store.work.shards()
    knowledge = Knowledge.of(store)
    before: dict[str, TableEntry] = store.facts.contents("entry")
    candidates = set(knowledge.tables) | set(before) | set(marks) if scope.everything else set(marks)
    subjects = sorted(s for s in candidates if _is_ours(s, shards, shard_counts, scope))
    merging = Merging()
    readings = []
    for subject in subjects:
        reading = _merge_one(subject, knowledge, merging)
        if reading is not None:
            readings.append(reading)
    _store(deployment, readings, before, knowledge, merging, scope)
    store.work.clear_pending({s: marks[s] for s in subjects if s in marks and s not in merging.counts.errors})
    return merging


def _is_ours(subject: str, shards: Sequence[str], shard_counts: dict[str, int], scope: Scope) -> bool:
    if not subject.startswith("table:"):
        return False
    name = TableName.parse(subject.removeprefix("table:"))
    return shard_of(name, shard_counts) in shards and scope.holds(name)


def _merge_one(subject: str, knowledge: Knowledge, merging: Merging) -> Reading[TableEntry] | None:
    merging.counts.listed += 1
    table = knowledge.tables.get(subject)
    if table is None:
        return Reading(subject, None, knowledge.order_key, "table removed")
    outcome = guarded(str(table.name), lambda: _merged(subject, table, knowledge))
    if outcome.error is not None:
        merging.counts.errors[subject] = str(outcome.error)
        return None
    merged = outcome.unwrap()
    merging.orphans += [(str(table.name), column, place) for column, place in merged.orphans]
    return Reading(subject, merged.entry, knowledge.order_key, "merged")


def _merged(subject: str, table: Table, knowledge: Knowledge) -> Merged:
    paths = column_paths(table)
    inherited = {p: knowledge.inherited.get(ColumnRef(table.name, p), ()) for p in paths}
    return merge_table(
        TableFacts(
            table,
            f"metastore ({table.schema_origin})",
            knowledge.documentation.get(subject),
            knowledge.tags[subject],
            {p: t for p, t in inherited.items() if t},
            knowledge.graph.upstream_of(table.name),
            knowledge.graph.into_columns_of(table.name, paths),
        )
    )


def _store(
    deployment: Deployment,
    readings: Sequence[Reading[TableEntry]],
    before: dict[str, TableEntry],
    knowledge: Knowledge,
    merging: Merging,
    scope: Scope,
) -> None:
    outcomes = deployment.store.facts.put("entry", readings, scope.run_id)
    for reading in readings:
        outcome = outcomes[reading.subject]
        if reading.content is None and outcome == "unchanged":
            merging.counts.skip("not_in_metastore")  # somebody documented a table that never was there
            continue
        merging.counts.note(outcome)
        if outcome == "written":
            merging.changed.append(reading.subject)
    dependents = _dependents(readings, before, knowledge.graph)
    merged = {r.subject for r in readings}
    deployment.store.work.mark_pending(dependents - merged, "tags upstream changed")


def _dependents(
    readings: Iterable[Reading[TableEntry]], before: dict[str, TableEntry], graph: LineageGraph
) -> set[str]:
    """Tables downstream of those whose own tags changed: they inherit from them."""
    found: set[str] = set()
    for reading in readings:
        if _tags_of(before.get(reading.subject)) != _tags_of(reading.content):
            name = TableName.parse(reading.subject.removeprefix("table:"))
            found |= {f"table:{edge.target}" for _, edge in graph.reached(name)}
    return found


def _tags_of(entry: TableEntry | None) -> dict[str, tuple[TagEntry, ...]]:
    return {} if entry is None else {c.name: c.tags for c in entry.columns if c.tags}
