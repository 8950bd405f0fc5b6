"""Profiles of tables: columns judged by their names, and by their data where it can be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from metadata_assets.isolation import guarded
from metadata_assets.model.counts import Counts
from metadata_assets.model.finding import TableProfile
from metadata_assets.model.table import Table
from metadata_assets.profiling.data import TableData
from metadata_assets.profiling.table import RULES_VERSION, profile_table
from metadata_assets.sources.base import SampleSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import tables_in
from metadata_assets.store.facts import Marks, Reading


@dataclass(frozen=True, slots=True)
class _Judging:
    """What judging one table needs: its sample source, the policy, and what its last profile was made from."""

    samples: SampleSource | None
    rows: int
    settings: str
    schema_hashes: Mapping[str, str]
    before: Mapping[str, str]
    force: bool
    order_key: int

    def read(self, subject: str, table: Table) -> Reading[TableProfile] | None:
        """A new profile; None where the last one was made from the same."""
        data = None if self.samples is None else self.samples.find_data(table)
        key = _key(self.schema_hashes.get(subject, ""), data, self.settings)
        if self.before.get(subject) == key and not self.force:
            return None
        return Reading(subject, profile_table(table, data, self.rows), self.order_key, key)


def profile_tables(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Counts:
    """Profile tables whose schema, data or rules changed. Views have no data of their own and are skipped."""
    facts, work = deployment.store.facts, deployment.store.work
    counts = Counts()
    order_key = order_key_now()
    hashes = facts.hashes("schema")
    candidates = set(hashes) if scope.everything else hashes.keys() & work.pending().keys()
    subjects = tables_in(candidates, shards, work.shards(), scope)
    pii = deployment.platform.policies.pii
    judging = _Judging(
        deployment.samples(),
        pii.sample_rows,
        pii.model_dump_json(),
        hashes,
        facts.sources("profile"),
        scope.force,
        order_key,
    )
    readings: list[Reading[TableProfile]] = []
    for subject, table in facts.contents("schema", subjects).items():
        counts.listed += 1
        if table.is_view:
            counts.skip("view")
            continue
        outcome = guarded(str(table.name), partial(judging.read, subject, table), quote=False)
        if outcome.error is not None:
            counts.errors[subject] = str(outcome.error)
        elif (reading := outcome.unwrap()) is None:
            counts.unchanged += 1
        else:
            readings.append(reading)
    for result in facts.put("profile", readings, scope.run_id, Marks("profile")).values():
        counts.note(result)
    _retire(deployment, scope)
    return counts


def _key(schema_hash: str, data: TableData | None, settings: str) -> str:
    """What a profile depends on."""
    return fingerprint([RULES_VERSION, schema_hash, settings, *([] if data is None else [data.version])])


def _retire(deployment: Deployment, scope: Scope) -> None:
    """Profiles of tables that left the catalog go with them; they are not tables of this run, so they do not count."""
    facts = deployment.store.facts
    living = facts.hashes("schema")
    gone = [s for s in facts.hashes("profile") if s not in living]
    facts.put("profile", [Reading(s, None, order_key_now(), "table removed") for s in gone], scope.run_id)
