"""The command `status`: how each table stands."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.output import AS_JSON, SELECT, parse_select, print_json, print_table, to_time

if TYPE_CHECKING:
    from metadata_assets.catalog.deletion import DeletionPlan
    from metadata_assets.store.published import Standing


@click.command()
@click.argument("table", required=False)
@SELECT
@AS_JSON
def status(table: str | None, select: tuple[str, ...], *, as_json: bool) -> None:
    """Say how TABLE, or each table, stands: when it was seen, what each destination holds, and what failed."""
    from metadata_assets.cli.shapes import status_shape
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.schemas import plan_missing
    from metadata_assets.store.queries import find_entry, table_statuses

    patterns = parse_select(select)
    with opened(os.environ) as deployment:
        store = deployment.store
        if table is not None:
            patterns = (str(find_entry(store, table).name),)
        statuses = table_statuses(store, patterns)
        numbers = {"dead_letters": len(store.inbox.dead()), "waiting_events": store.inbox.count_waiting()}
        missing = plan_missing(deployment)
    if as_json:
        print_json(status_shape(statuses, numbers, missing))
        return
    names = deployment.destination_names
    rows = [(s.name, to_time(s.seen), *(_standing(s.standings, n) for n in names)) for s in statuses]
    print_table(("table", "seen (UTC)", *names), rows)
    click.echo(
        f"{len(rows)} tables, {numbers['waiting_events']} waiting events, {numbers['dead_letters']} dead letters"
    )
    _print_missing(missing)


def _print_missing(missing: "DeletionPlan") -> None:
    if missing.waiting:
        click.echo(f"{len(missing.waiting)} tables are missing from the metastore and wait for their grace to end")
    if missing.held_back:
        click.echo(
            f"{len(missing.held_back)} missing tables stay in the catalog: {missing.reason}. To let them go, raise "
            "policies.deletion in the platform file and run a backfill"
        )


def _standing(standings: "Sequence[Standing]", name: str) -> str:
    for standing in standings:
        if standing.destination == name:
            return f"failed: {standing.error}" if standing.error else to_time(standing.written_at)
    return "never"
