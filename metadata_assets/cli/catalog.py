"""Commands on the catalog as a whole: backfill, plan, status, prune."""

import os
import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import click

from metadata_assets.cli.output import (
    AS_JSON,
    SELECT,
    advise,
    parse_select,
    print_json,
    print_table,
    progress,
    remark,
    say,
)
from metadata_assets.model.counts import Counts, counted

if TYPE_CHECKING:
    from metadata_assets.stages.statements import StatementTally

_WORST_FILES = 5


@click.command()
@SELECT
@click.option("--force", is_flag=True, help="Do again what is already done: infer, profile and write everything.")
@AS_JSON
def backfill(select: tuple[str, ...], *, force: bool, as_json: bool) -> None:
    """Run the whole pipeline, for all tables or the selected ones, and print counts that add up.

    Runs in this process and is recorded in Dagster like any other run. A second backfill writes only what changed.
    """
    from metadata_assets.cli.shapes import counts_shape
    from metadata_assets.defs import launch
    from metadata_assets.stages.deployment import opened, platform_file, read_platform
    from metadata_assets.stages.selecting import check_selection

    patterns = parse_select(select)
    advise(read_platform(platform_file(os.environ)))
    if patterns:
        with opened(os.environ) as deployment:
            remark(check_selection(deployment, patterns))
    total = launch.phase_count(os.environ)
    with progress(total, "backfill") as tell:
        done = launch.backfill(os.environ, patterns, force=force, tell=lambda step: tell(_step_text(step)))
    if as_json:
        print_json({"run_ids": done.run_ids, "stages": {a: counts_shape(c) for a, c in done.stages.items()}})
    else:
        _print_counts(done.stages, done.failures)
        _print_statements(done.statements)
    for told in done.overlooked:
        say(f"hive_databases: passed over {told}", err=True)
    for failure in done.failures:
        say(failure, err=True)
    if done.failed:
        sys.exit(1)


def _step_text(step: Any) -> str:
    shards = f" ({counted(step.shards, 'shard')})" if step.shards else ""
    return ", ".join(step.assets) + shards


def _print_counts(stages: dict[str, Counts], failures: Collection[str]) -> None:
    """A table, and a line for each thing that failed; `failures` have theirs already."""
    rows = []
    for asset, c in stages.items():
        why = ", ".join(f"{reason}: {n}" for reason, n in sorted(c.skipped.items()))
        rows.append((asset, c.listed, c.written, c.unchanged, sum(c.skipped.values()), c.failed, why))
    print_table(("stage", "listed", "written", "unchanged", "skipped", "failed", "skipped because"), rows)
    for asset, counts in stages.items():
        for subject in sorted(counts.errors.keys() - set(failures)):
            say(f"{asset}: {subject}: {counts.errors[subject]}", err=True)
    if any(reason.endswith("held_back") for c in stages.values() for reason in c.skipped):
        say("something is held back: `metadata-assets status` says why, and how to let it go", err=True)


def _print_statements(tally: "StatementTally") -> None:
    """How statements ended: `written` says only that their outcome was kept, whatever it is."""
    if not tally.by_status:
        return
    say("SQL statements: " + ", ".join(f"{number} {status}" for status, number in tally.statuses))
    for file, number in tally.worst_files[:_WORST_FILES]:
        first = tally.first_of(file)
        say(f"  {file}: {number} with less than full lineage, first {first.place}: {first.reason}")
    if (more := len(tally.worst_files) - _WORST_FILES) > 0:
        say(f"  and {counted(more, 'more file')}; the check statements_resolved of sql_lineage lists them all")


@click.command()
@click.option("--destination", "destinations", multiple=True, metavar="NAME", help="Only this destination; repeatable.")
@SELECT
@AS_JSON
def plan(destinations: tuple[str, ...], select: tuple[str, ...], *, as_json: bool) -> None:
    """Show what a backfill would change at each destination, field by field, and write nothing.

    Metastore, jobs and specs are read as they are now. Each line says which source puts the new value there.
    """
    from metadata_assets.cli.shapes import planned_shape
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.planning import plan_everything
    from metadata_assets.stages.selecting import check_selection

    patterns = parse_select(select)
    with opened(os.environ) as deployment:
        advise(deployment.platform)
        remark(check_selection(deployment, patterns))
        rows = [planned_shape(p) for p in plan_everything(deployment, destinations, patterns)]
    if as_json:
        for row in rows:
            print_json(row)
        return
    header = ("destination", "action", "entity", "field", "old", "new", "source")
    print_table(header, [[_short(row[name]) for name in header] for row in rows])
    differing = len({(r["destination"], r["entity"]) for r in rows})
    differs = "entry differs" if differing == 1 else "entries differ"
    say(f"{differing} {differs}; nothing was written", err=True)


def _short(value: object, limit: int = 60) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


@click.command()
@click.option("--older-than", required=True, metavar="DURATION", help="Age of what may go, such as 90d.")
@AS_JSON
def prune(older_than: str, *, as_json: bool) -> None:
    """Take old history out of the store: superseded facts, finished events, replayed dead letters, old counts; and
    finished runs with their events and logs out of Dagster's own storage.

    The newest version of everything stays, and so do people's decisions and the last run of each asset and partition.
    """
    from metadata_assets.config import parse_duration
    from metadata_assets.defs import launch
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.pruning import prune as prune_store

    try:
        seconds = parse_duration(older_than)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--older-than") from error
    with opened(os.environ) as deployment:
        removed = prune_store(deployment.store.engine, seconds)
    removed["finished runs"] = launch.prune_runs(os.environ, seconds)
    if as_json:
        for name, number in removed.items():
            print_json({"what": name, "removed": number})
    else:
        print_table(("what", "removed"), list(removed.items()))
