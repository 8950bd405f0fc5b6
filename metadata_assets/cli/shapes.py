"""What `--json` prints: plain values under names that scripts rely on."""

from collections.abc import Mapping

from metadata_assets.catalog.coverage import docs_of
from metadata_assets.catalog.deletion import DeletionPlan
from metadata_assets.catalog.explanation import Explanation
from metadata_assets.cli.output import to_time
from metadata_assets.model.counts import Counts
from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry
from metadata_assets.model.table import TableName
from metadata_assets.stages.concerns import Concerns, StageFailure
from metadata_assets.stages.planning import PlannedField
from metadata_assets.store.absent_tags import AbsentTag
from metadata_assets.store.queries import Impact, TableStatus, Version


def entry_shape(entry: TableEntry) -> dict[str, object]:
    return {
        "table": str(entry.name),
        "kind": entry.kind,
        "comment": entry.comment,
        "description": entry.description,
        "owner": entry.owner,
        "location": entry.location,
        "provider": entry.provider,
        "schema_origin": entry.schema_origin,
        "tags": [_tag(t) for t in entry.tags],
        "terms": list(entry.terms),
        "meta": dict(entry.meta),
        "notes": list(entry.notes),
        "columns": [_column(c) for c in entry.columns],
        "lineage": {
            "upstream": [{"table": str(u.table), "jobs": list(u.jobs), "declared": u.declared} for u in entry.upstream],
            "columns": [
                {"to": e.target.column, "from": str(e.source), "kind": e.kind, "transform": e.transform}
                for e in entry.column_lineage
            ],
        },
        "sources": dict(entry.sources),
    }


def _column(column: ColumnEntry) -> dict[str, object]:
    return {
        "name": column.name,
        "type": column.type_text,
        "partition_key": column.partition_key,
        "docs": docs_of(column),
        "comment": column.comment,
        "description": column.description,
        "tags": [_tag(t) for t in column.tags],
        "terms": list(column.terms),
    }


def _tag(tag: TagEntry) -> dict[str, object]:
    return {
        "name": tag.name,
        "verdict": tag.verdict,
        "band": tag.band,
        "source": tag.source,
        "inherited_from": tag.inherited_from,
    }


def explanation_shape(explanation: Explanation) -> dict[str, object]:
    tag = explanation.tag
    return {
        "column": str(explanation.column),
        "tag": tag.name,
        "verdict": tag.verdict,
        "origin": "inherited" if tag.inherited_from else "direct",
        "path": " → ".join(map(str, explanation.path)),
        "evidence": _evidence(explanation),
    }


def _evidence(explanation: Explanation) -> str:
    tag, finding = explanation.tag, explanation.finding
    text = f"written in {tag.source}" if tag.verdict == "confirmed" else tag.source
    if finding is None:
        return text
    if not finding.distinct:
        return f"{text}; judged by its name"
    passed = f"{finding.matched} of {finding.distinct} distinct values passed, {finding.chance:.2%} would by chance"
    return f"{text}; {passed}; shapes {', '.join(finding.shapes)}"


def absence_shape(absent: AbsentTag) -> dict[str, object]:
    return {
        "column": str(absent.column),
        "tag": absent.tag,
        "verdict": "absent",
        "origin": "direct" if absent.at == absent.column else "inherited",
        "path": "" if absent.at == absent.column else f"{absent.at} → {absent.column}",
        "evidence": absent.reason,
    }


def concerns_shape(concerns: Concerns) -> dict[str, object]:
    """What stands in the way of a table."""
    missing = concerns.missing
    absence = None
    if missing is not None:
        times = {"since": to_time(missing.since), "until": to_time(missing.until)}
        absence = {"state": missing.state, **times, "reason": missing.reason}
    failed = {stage: {"error": t.error, "at": to_time(t.at)} for stage, t in concerns.failed.items()}
    return {"missing": absence, "failed": failed}


def impact_shape(impact: Impact) -> dict[str, object]:
    return {
        "distance": impact.reached.distance,
        "name": str(impact.reached.name),
        "through": str(impact.reached.through),
        "kind": impact.reached.kind,
        "jobs": list(impact.reached.jobs),
        "owner": impact.owner,
        "destinations": list(impact.destinations),
    }


def version_shape(version: Version) -> dict[str, object]:
    return {
        "at": to_time(version.fact.recorded_at),
        "table": str(TableName.of_subject(version.fact.subject)),
        "kind": version.fact.kind,
        "removed": version.fact.content is None,
        "source": version.fact.source,
        "run": version.fact.run_id,
        "changes": [{"field": c.field, "old": c.old, "new": c.new, "source": c.source} for c in version.changes],
    }


def planned_shape(planned: PlannedField) -> dict[str, object]:
    return {
        "destination": planned.destination,
        "entity": planned.subject,
        "field": planned.change.field,
        "old": planned.change.old,
        "new": planned.change.new,
        "source": planned.change.source,
        "action": planned.action,
    }


def stage_failure_shape(failure: StageFailure) -> dict[str, object]:
    return {
        "stages": list(failure.stages),
        "shards": list(failure.shards),
        "error": failure.error,
        "at": to_time(failure.at),
    }


def status_shape(
    tables: list[TableStatus],
    concerns: Mapping[TableName, Concerns],
    numbers: Mapping[str, int],
    missing: DeletionPlan[TableName],
) -> dict[str, object]:
    return {
        "tables": [{**_table_status(s), **concerns_shape(concerns[s.name])} for s in tables],
        **numbers,
        "missing": {
            "in_grace": sorted(map(str, missing.waiting)),
            "held_back": sorted(map(str, missing.held_back)),
            "reason": missing.reason,
        },
    }


def _table_status(status: TableStatus) -> dict[str, object]:
    published = {
        s.destination: {"at": to_time(s.written_at), "hash": s.content_hash, "error": s.error} for s in status.standings
    }
    return {
        "name": str(status.name),
        "seen": to_time(status.seen),
        "data_changed": to_time(status.data_changed),
        "published": published,
    }


def counts_shape(counts: Counts) -> dict[str, object]:
    return {
        "listed": counts.listed,
        "written": counts.written,
        "unchanged": counts.unchanged,
        "skipped": dict(counts.skipped),
        "failed": counts.failed,
    }
