"""Profiles of tables: columns judged by their names, and by their data where it can be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metadata_assets.isolation import guarded
from metadata_assets.model.counts import Counts, counted, first_of
from metadata_assets.model.finding import TableProfile
from metadata_assets.model.table import Table
from metadata_assets.profiling.data import TableData
from metadata_assets.profiling.table import RULES_VERSION, profile_table, profile_without_data
from metadata_assets.sources.base import SampleSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import ShardTally, tables_in
from metadata_assets.store.data_changes import NEVER, DataChange
from metadata_assets.store.facts import Facts, Marks, Reading

_STAGE = "pii_profiles"


@dataclass(frozen=True, slots=True)
class _Judging:
    """What judging one table needs: its sample source, the policy, and what its last profile was made from.

    `troubled` are tables that failed the last time, be it in part: they are tried again.
    """

    facts: Facts
    samples: SampleSource | None
    rows: int
    settings: str
    schema_hashes: Mapping[str, str]
    changes: Mapping[str, DataChange]
    before: Mapping[str, str]
    troubled: frozenset[str]
    force: bool
    order_key: int

    def judge(self, subject: str, table: Table) -> "_Judged":
        """Profile a table, unless its last profile was made from the same."""
        data = None if self.samples is None else self.samples.find_data(table)
        told = self.changes.get(subject, NEVER)
        key = _key(self.schema_hashes.get(subject, ""), data, told, self.settings)
        if self.before.get(subject) == key and not self.force and subject not in self.troubled:
            return _Judged(None, has_data=data is not None)
        if data is not None:
            profile = profile_table(table, data, self.rows)
        else:
            known = self.facts.contents("profile", [subject]) if subject in self.before else {}
            profile = profile_without_data(table, known.get(subject))
        return _Judged(Reading(subject, profile, self.order_key, key), has_data=data is not None)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A new profile, None where the last one still holds."""

    reading: Reading[TableProfile] | None
    has_data: bool

    @property
    def unread(self) -> tuple[str, ...]:
        return self.reading.content.unread if self.reading is not None and self.reading.content is not None else ()


def profile_tables(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Counts:
    """Profile tables whose schema, data or rules changed.

    A table of which some data cannot be read counts as failed, though what can be read of it is profiled. Skipped, with
    the reason, are views and tables without data. Of these the names of columns are judged and what their
    last data showed is kept, so that an emptied table does not lose its tags.
    """
    facts, work = deployment.store.facts, deployment.store.work
    hashes = facts.hashes("schema")
    candidates = set(hashes) if scope.everything else hashes.keys() & work.pending().keys()
    numbers = work.shards()
    subjects = tables_in(candidates, shards, numbers, scope)
    pii = deployment.platform.policies.pii
    judging = _Judging(
        facts,
        deployment.samples(),
        pii.sample_rows,
        pii.model_dump_json(),
        hashes,
        deployment.store.data_changes.times(),
        facts.sources("profile"),
        frozenset(s for s, stages in work.trouble().items() if _STAGE in stages),
        scope.force,
        order_key_now(),
    )
    tally = ShardTally(shards, numbers)
    judged = {s: _judge(judging, s, t, tally.of(t.name)) for s, t in facts.contents("schema", subjects).items()}
    readings = [j.reading for j in judged.values() if j is not None and j.reading is not None]
    written = facts.put("profile", readings, scope.run_id, Marks("profile"))
    for subject, found in judged.items():
        if found is not None and found.unread:
            tally.of_subject(subject).errors[subject] = _partly(found.unread)
        elif found is not None and not found.has_data:
            tally.of_subject(subject).skip("no_data")
        elif found is not None:
            tally.of_subject(subject).note(written.get(subject, "unchanged"))
    _retire(deployment, scope)
    counts = tally.total()
    work.set_trouble(_STAGE, judged, counts.errors)
    return counts


def _judge(judging: _Judging, subject: str, table: Table, counts: Counts) -> _Judged | None:
    """None where there is nothing to keep: views and failures are counted here."""
    counts.listed += 1
    if table.is_view:
        counts.skip("view")
        return None
    outcome = guarded(str(table.name), lambda: judging.judge(subject, table))
    if outcome.error is not None:
        counts.errors[subject] = str(outcome.error)
    return outcome.value


def _partly(unread: Sequence[str]) -> str:
    number = counted(len(unread), "data file")
    return f"{number} cannot be read, the profile is of the others: {first_of(unread)}"


def _key(schema_hash: str, data: TableData | None, told: DataChange, settings: str) -> str:
    """What a profile depends on: of data also that somebody asked for one, whether or not it changed."""
    parts = [RULES_VERSION, schema_hash, settings]
    if data is not None:
        parts.append(data.version or f"changed {told.at}")
        parts += [f"asked {told.asked_at}"] if told.asked_at else []
    return fingerprint(parts)


def _retire(deployment: Deployment, scope: Scope) -> None:
    """Profiles of tables that left the catalog go with them; they are not tables of this run, so they do not count."""
    facts = deployment.store.facts
    living = facts.hashes("schema")
    gone = [s for s in facts.hashes("profile") if s not in living]
    facts.put("profile", [Reading(s, None, order_key_now(), "table removed") for s in gone], scope.run_id)
