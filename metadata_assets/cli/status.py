"""The command `status`: how each table stands."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.events import EventsStanding
from metadata_assets.cli.output import (
    AS_JSON,
    SELECT,
    advise,
    parse_select,
    print_json,
    print_table,
    remark,
    say,
    to_time,
)
from metadata_assets.errors import SelectionError
from metadata_assets.model.counts import counted
from metadata_assets.model.pattern import Selection

if TYPE_CHECKING:
    from metadata_assets.catalog.deletion import DeletionPlan
    from metadata_assets.model.table import TableName
    from metadata_assets.stages.concerns import Concerns, StageFailure
    from metadata_assets.store.looks import Look
    from metadata_assets.store.published import Standing
    from metadata_assets.store.queries import TableStatus
    from metadata_assets.store.store import Store

_SHARDS = 5  # shown of those that a stage failed for


@click.command()
@click.argument("table", required=False)
@SELECT
@AS_JSON
def status(table: str | None, select: tuple[str, ...], *, as_json: bool) -> None:
    """Say how TABLE, or each table, stands: when it was seen, what each destination holds, and what failed."""
    from metadata_assets.cli.shapes import stage_failure_shape, status_shape
    from metadata_assets.stages.concerns import AllConcerns
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.schemas import plan_missing
    from metadata_assets.stages.specs import held_withdrawals
    from metadata_assets.store.looks import Look, last_look
    from metadata_assets.store.queries import nothing_known

    patterns = parse_select(select)
    with opened(os.environ) as deployment:
        store = deployment.store
        advise(deployment.platform)
        statuses = _chosen(store, table, patterns)
        nothing = "" if store.facts.hashes("schema") else nothing_known(store)
        missing, found = plan_missing(deployment), AllConcerns.of(deployment)
        concerns = {s.name: found.of_table(s.name) for s in statuses}
        withdrawals = held_withdrawals(store)
        events = EventsStanding.of(deployment)
        look = last_look(store) or Look()
    failures = found.of_stages()
    _print_look(look, nothing, failures)
    if as_json:
        shape = status_shape(statuses, concerns, events.numbers, missing)
        failed = {"failed_stages": [stage_failure_shape(f) for f in failures], "last_look": asdict(look)}
        print_json({**shape, "withdrawals": withdrawals, **failed, **events.to_shape()})
        return
    _print_tables(statuses, deployment.destination_names)
    _print_concerns(concerns, [f.error for f in failures] if table is None else [])
    waiting = counted(events.numbers["waiting_events"], "waiting event")
    dead = counted(events.numbers["dead_letters"], "dead letter")
    say(f"{counted(len(statuses), 'table')}, {waiting}, {dead}")
    _print_failures(failures)
    events.print_lines()
    _print_missing(missing)
    _print_withdrawals(withdrawals)


def _chosen(store: "Store", table: str | None, patterns: Sequence[str]) -> "list[TableStatus]":
    """Those of the table, or of the selection.

    Raises:
        SelectionError: there are none; says why.
    """
    from metadata_assets.stages.selecting import compare
    from metadata_assets.store.queries import find_entry, nothing_known, parse_table, table_statuses

    if table is None:
        known = table_statuses(store)
        if patterns and not known:
            raise SelectionError(nothing_known(store))
        remark(compare(patterns, [s.name for s in known]))
        selected = Selection.parse(tuple(patterns))
        return [s for s in known if selected.holds(s.name)]
    name = parse_table(table)
    found = [s for s in table_statuses(store) if s.name == name]
    if not found:
        find_entry(store, table)  # says what is the matter
    return found


def _print_tables(statuses: "Sequence[TableStatus]", names: Sequence[str]) -> None:
    rows = [(s.name, to_time(s.seen), *(_standing(s.standings, n) for n in names)) for s in statuses]
    print_table(("table", "seen (UTC)", *names), rows)


def _print_concerns(concerns: "Mapping[TableName, Concerns]", told: Sequence[str]) -> None:
    """Lines for each table; errors that are told of whole stages are not told again of each of their tables."""
    for name, found in concerns.items():
        own = replace(found, failed={k: t for k, t in found.failed.items() if t.error not in told})
        for line in concern_lines(own):
            say(f"{name}: {line}")


def _print_failures(failures: "Sequence[StageFailure]") -> None:
    for failure in failures:
        more = f" and {len(failure.shards) - _SHARDS} more" if len(failure.shards) > _SHARDS else ""
        place = f" for {', '.join(failure.shards[:_SHARDS])}{more}" if failure.shards else ""
        say(f"{', '.join(failure.stages)} failed{place} at {to_time(failure.at)}: {failure.error}")


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


def _print_look(look: "Look", nothing: str, failures: "Sequence[StageFailure]") -> None:
    """What the last look at the metastore came to, beside tables and what is told of whole stages."""
    for told in look.overlooked:
        say(f"metastore: passed over {told}", err=True)
    if nothing:
        say(nothing, err=True)
    elif look.problem and not any(look.problem in f.error for f in failures):
        say(f"metastore: the last look at it failed: {look.problem}", err=True)


def _print_withdrawals(held: Mapping[str, str]) -> None:
    from metadata_assets.stages.withdrawals import HOW_TO_WITHDRAW

    for reason in held.values():
        say(f"specs: {reason}. {HOW_TO_WITHDRAW[0].upper()}{HOW_TO_WITHDRAW[1:]}")


def _print_missing(missing: "DeletionPlan[TableName]") -> None:
    if missing.waiting:
        waiting = counted(len(missing.waiting), "table")
        say(f"{waiting} missing from the metastore, kept until the grace of deletions ends")
    if missing.held_back:
        say(
            f"{counted(len(missing.held_back), 'missing table')} kept in the catalog: {missing.reason}. If they are to "
            "go, raise policies.deletion in the platform file (`max_share: 1.0` leaves only `max_tables` as limit) "
            "and run a backfill"
        )


def _standing(standings: "Sequence[Standing]", name: str) -> str:
    for standing in standings:
        if standing.destination == name:
            return f"failed: {standing.error}" if standing.error else to_time(standing.written_at)
    return "never"
