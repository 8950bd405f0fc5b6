"""Profiles of tables: columns judged by their names, and by their data where it can be read."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from metadata_assets.isolation import guarded
from metadata_assets.model.counts import Counts
from metadata_assets.model.finding import TableProfile
from metadata_assets.model.table import Table
from metadata_assets.profiling.table import RULES_VERSION, profile_table
from metadata_assets.sources.base import SampleSource
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.shards import tables_in
from metadata_assets.store.facts import Reading


def profile_tables(deployment: Deployment, shards: Sequence[str], scope: Scope) -> Counts:
    """Profile tables whose schema, data files or rules changed. Views have no data of their own and are skipped."""
    store = deployment.store
    counts = Counts()
    shard_counts = store.work.shards()
    schema_hashes = store.facts.hashes("schema")
    candidates = set(schema_hashes) if scope.everything else schema_hashes.keys() & store.work.pending().keys()
    subjects = tables_in(candidates, shards, shard_counts, scope)
    tables: dict[str, Table] = store.facts.contents("schema", subjects)
    before = store.facts.sources("profile")
    samples = deployment.samples()
    pii = deployment.platform.policies.pii
    rows, settings = pii.sample_rows, pii.model_dump_json()
    readings: list[Reading[TableProfile]] = []
    for subject, table in tables.items():
        counts.listed += 1
        if table.is_view:
            counts.skip("view")
            continue
        files = _files(samples, table)
        key = _key(schema_hashes.get(subject, ""), files, settings)
        if before.get(subject) == key and not scope.force:
            counts.unchanged += 1
            continue
        outcome = guarded(str(table.name), partial(profile_table, table, files, rows), quote=False)
        if outcome.error is not None:
            counts.errors[subject] = str(outcome.error)
        else:
            readings.append(Reading(subject, outcome.unwrap(), order_key_now(), key))
    _store(deployment, readings, counts, scope)
    _retire(deployment, shards, scope)
    return counts


def _files(samples: SampleSource | None, table: Table) -> Sequence[str]:
    return () if samples is None else samples.locate_data(table)


def _key(schema_hash: str, files: Sequence[str], settings: str) -> str:
    stamps = []
    for name in files:
        stat = Path(name).stat() if Path(name).exists() else None
        stamps.append(f"{name} {stat.st_size} {stat.st_mtime_ns}" if stat else name)
    text = "\0".join([RULES_VERSION, schema_hash, settings, *stamps])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _store(deployment: Deployment, readings: list[Reading[TableProfile]], counts: Counts, scope: Scope) -> None:
    outcomes = deployment.store.facts.put("profile", readings, scope.run_id)
    for outcome in outcomes.values():
        counts.note(outcome)
    deployment.store.work.mark_pending([s for s, o in outcomes.items() if o == "written"], "profile")


def _retire(deployment: Deployment, shards: Sequence[str], scope: Scope) -> None:
    """Profiles of tables that left the catalog go with them; they are not tables of this run, so they do not count."""
    store = deployment.store
    living = store.facts.hashes("schema")
    gone = [s for s in store.facts.hashes("profile") if s not in living]
    store.facts.put("profile", [Reading(s, None, order_key_now(), "table removed") for s in gone], scope.run_id)
