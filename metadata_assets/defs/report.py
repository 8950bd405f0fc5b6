"""Counts as Dagster shows them: metadata, asset checks, and a failed step where too much failed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from metadata_assets.catalog.limits import FailurePolicy
from metadata_assets.model.counts import Counts

_SHOWN = 50
COUNTS_CHECK = "counts_add_up"
FAILURES_CHECK = "few_failures"
DEAD_LETTERS_CHECK = "no_dead_letters"
_MARKUP = frozenset("\\`*_{}[]<>()#+!|~$&")
# What a reader of Markdown makes a link of: `https://…`, `www.…`, `name@host`.
_ADDRESS = re.compile(r"[a-z][a-z0-9]*:(?=//)|mailto:|xmpp:|www(?=\.)|@", re.IGNORECASE)
_LIST_OR_RULE = re.compile(r"^(\d*)([-=.])")


@dataclass(frozen=True, slots=True)
class Check:
    """The result of an asset check beyond the two that every stage has. A check that finds something warns."""

    name: str
    passed: bool
    description: str
    metadata: Mapping[str, dg.MetadataValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageReport:
    """What a stage has to say: its counts, more metadata, and the results of its own checks.

    `shares` are metadata of single shards, beside their counts.
    """

    counts: Counts
    metadata: Mapping[str, dg.MetadataValue] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    shares: Mapping[str, Mapping[str, dg.MetadataValue]] = field(default_factory=dict)


def check_names(own: Sequence[str]) -> list[str]:
    return [COUNTS_CHECK, FAILURES_CHECK, *own]


def to_metadata(report: StageReport) -> dict[str, dg.MetadataValue]:
    """Everything, for an event of the run as a whole."""
    return to_count_metadata(report.counts) | dict(report.metadata)


def to_share(report: StageReport, shard: str) -> dict[str, dg.MetadataValue]:
    """What a partition adds to the metadata of its run: its own counts, where the stage knows them."""
    counts = report.counts.parts.get(shard)
    return (to_count_metadata(counts) if counts is not None else {}) | dict(report.shares.get(shard, {}))


def to_count_metadata(counts: Counts) -> dict[str, dg.MetadataValue]:
    metadata: dict[str, dg.MetadataValue] = {
        "listed": dg.MetadataValue.int(counts.listed),
        "written": dg.MetadataValue.int(counts.written),
        "unchanged": dg.MetadataValue.int(counts.unchanged),
        "skipped": dg.MetadataValue.int(sum(counts.skipped.values())),
        "failed": dg.MetadataValue.int(counts.failed),
    }
    if counts.skipped:
        rows = sorted(counts.skipped.items())
        metadata["skipped_why"] = dg.MetadataValue.md(to_table(("reason", "number"), rows))
    if counts.errors:
        metadata["failures"] = dg.MetadataValue.md(to_table(("subject", "error"), sorted(counts.errors.items())))
    return metadata


def to_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table of the first rows. Text from outside is escaped: it is data, not markup."""
    lines = ["| " + " | ".join(header) + " |", "| " + " | ".join("---" for _ in header) + " |"]
    lines += ["| " + " | ".join(escape(str(cell)) for cell in row) + " |" for row in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        lines.append(f"\n… and {len(rows) - _SHOWN} more")
    return "\n".join(lines)


def escape(text: str) -> str:
    """Text from outside as literal Markdown on one line: no markup, no entities, and no link that it did not have.

    A backslash does not keep an address from becoming a link, a space of no width within it does.
    """
    flat = " ".join("".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in text).split())
    literal = "".join("\\" + c if c in _MARKUP else c for c in flat)
    return _LIST_OR_RULE.sub(r"\1\\\2", _ADDRESS.sub("\\g<0>\u200b", literal))


def to_check_results(key: dg.AssetKey, report: StageReport, policy: FailurePolicy) -> list[dg.AssetCheckResult]:
    counts = report.counts
    add_up = dg.AssetCheckResult(
        asset_key=key,
        check_name=COUNTS_CHECK,
        passed=counts.missing == 0,
        description=f"{counts.listed} listed, {counts.missing} of them in no other count",
    )
    few = dg.AssetCheckResult(
        asset_key=key,
        check_name=FAILURES_CHECK,
        passed=not counts.errors,
        severity=dg.AssetCheckSeverity.ERROR if policy.is_broken_by(counts) else dg.AssetCheckSeverity.WARN,
        description=f"{counts.failed} of {counts.listed} failed",
    )
    own = [
        dg.AssetCheckResult(
            asset_key=key,
            check_name=c.name,
            passed=c.passed,
            severity=dg.AssetCheckSeverity.WARN,
            description=c.description,
            metadata=dict(c.metadata),
        )
        for c in report.checks
    ]
    return [add_up, few, *own]
