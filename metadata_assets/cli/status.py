"""The command `status`: how each table stands."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.events import EventsStanding
from metadata_assets.cli.output import AS_JSON, SELECT, clean, parse_select, print_json, print_table, to_time
from metadata_assets.model.counts import counted

if TYPE_CHECKING:
    from metadata_assets.catalog.deletion import DeletionPlan
    from metadata_assets.model.table import TableName
    from metadata_assets.stages.concerns import Concerns
    from metadata_assets.store.looks import Look
    from metadata_assets.store.published import Standing


@click.command()
@click.argument("table", required=False)
@SELECT
@AS_JSON
def status(table: str | None, select: tuple[str, ...], *, as_json: bool) -> None:
    """Say how TABLE, or each table, stands: when it was seen, what each destination holds, and what failed."""
    from metadata_assets.cli.shapes import status_shape
    from metadata_assets.stages.concerns import all_concerns, concerns_of
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.schemas import plan_missing
    from metadata_assets.stages.specs import held_withdrawals
    from metadata_assets.store.looks import Look, last_look
    from metadata_assets.store.queries import find_entry, nothing_known, parse_table, table_statuses

    patterns = parse_select(select)
    with opened(os.environ) as deployment:
        store = deployment.store
        if table is not None:
            patterns = (str(parse_table(table)),)
        statuses = table_statuses(store, patterns)
        if table is not None and not statuses:
            find_entry(store, table)  # says what is the matter
        missing, found = plan_missing(deployment), all_concerns(deployment)
        concerns = {s.name: concerns_of(s.name, found) for s in statuses}
        withdrawals = held_withdrawals(store)
        events = EventsStanding.of(deployment)
        nothing = "" if store.facts.hashes("schema") else nothing_known(store)
        look = last_look(store) or Look()
    _print_look(look, nothing)
    if as_json:
        shape = status_shape(statuses, concerns, events.numbers, missing)
        print_json({**shape, "withdrawals": withdrawals, "last_look": asdict(look), **events.to_shape()})
        return
    names = deployment.destination_names
    rows = [(s.name, to_time(s.seen), *(_standing(s.standings, n) for n in names)) for s in statuses]
    print_table(("table", "seen (UTC)", *names), rows)
    for status in statuses:
        for line in concern_lines(concerns[status.name]):
            click.echo(clean(f"{status.name}: {line}"))
    waiting = counted(events.numbers["waiting_events"], "waiting event")
    dead = counted(events.numbers["dead_letters"], "dead letter")
    click.echo(f"{counted(len(rows), 'table')}, {waiting}, {dead}")
    events.print_lines()
    _print_missing(missing)
    _print_withdrawals(withdrawals)


def concern_lines(concerns: "Concerns") -> list[str]:
    """What stands in the way of a table, for people."""
    lines = [f"{stage} failed at {to_time(t.at)}: {t.error}" for stage, t in concerns.failed.items()]
    if (missing := concerns.missing) is not None:
        told = f"missing from the metastore since {to_time(missing.since)}"
        ends = {
            "in_grace": f"kept until {to_time(missing.until)}",
            "held_back": f"kept by the cap on deletions: {missing.reason}",
            "due": "leaves the catalog with the next run",
        }
        lines.append(f"{told}, {ends[missing.state]}")
    return lines


def _print_look(look: "Look", nothing: str) -> None:
    """What the last look at the metastore came to, where it is not only tables."""
    for told in look.overlooked:
        click.echo(clean(f"metastore: passed over {told}"), err=True)
    if nothing:
        click.echo(clean(nothing), err=True)
    elif look.problem:
        click.echo(clean(f"metastore: the last look at it failed: {look.problem}"), err=True)


def _print_withdrawals(held: Mapping[str, str]) -> None:
    from metadata_assets.stages.withdrawals import HOW_TO_WITHDRAW

    for reason in held.values():
        click.echo(f"specs: {reason}. {HOW_TO_WITHDRAW[0].upper()}{HOW_TO_WITHDRAW[1:]}")


def _print_missing(missing: "DeletionPlan[TableName]") -> None:
    if missing.waiting:
        waiting = counted(len(missing.waiting), "table")
        click.echo(f"{waiting} missing from the metastore, kept until the grace of deletions ends")
    if missing.held_back:
        click.echo(
            f"{counted(len(missing.held_back), 'missing table')} kept in the catalog: {missing.reason}. If they are to "
            "go, raise policies.deletion in the platform file (`max_share: 1.0` leaves only `max_tables` as limit) "
            "and run a backfill"
        )


def _standing(standings: "Sequence[Standing]", name: str) -> str:
    for standing in standings:
        if standing.destination == name:
            return f"failed: {standing.error}" if standing.error else to_time(standing.written_at)
    return "never"
