"""Commands on one table: show, explain, history, rollback, impact."""

import os
from datetime import UTC, datetime

import click

from metadata_assets.catalog.coverage import shown_text
from metadata_assets.cli.output import AS_JSON, print_exactly, print_json, print_table, say, to_time
from metadata_assets.cli.status import concern_lines
from metadata_assets.errors import SelectionError
from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry
from metadata_assets.model.table import TableName


@click.command()
@click.argument("table")
@AS_JSON
def show(table: str, *, as_json: bool) -> None:
    """Show the merged entry of TABLE: columns, docs, tags with evidence, lineage."""
    from metadata_assets.cli.shapes import concerns_shape, entry_shape
    from metadata_assets.stages.concerns import AllConcerns
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import find_entry

    with opened(os.environ) as deployment:
        entry = find_entry(deployment.store, table)
        concerns = AllConcerns.of(deployment).of_table(entry.name)
    if as_json:
        print_json({**entry_shape(entry), **concerns_shape(concerns)})
        return
    _print_head(entry)
    for line in concern_lines(concerns):
        say(f"  attention: {line}")
    rows = [(c.name, c.type_text, _key(c), shown_text(c), _tags(c.tags), ", ".join(c.terms)) for c in entry.columns]
    print_table(("column", "type", "key", "docs", "tags", "terms"), rows)
    if entry.upstream:
        inputs = [(u.table, ", ".join(u.jobs), "declared" if u.declared else "inferred") for u in entry.upstream]
        print_table(("filled from", "by", "known from"), inputs)
    if entry.column_lineage:
        edges = [(e.target.column, e.source, e.kind, e.transform) for e in entry.column_lineage]
        print_table(("column", "comes from", "kind", "what happens"), edges)


def _print_head(entry: TableEntry) -> None:
    say(f"{entry.name}  ({entry.kind}{', ' + entry.provider if entry.provider else ''})")
    facts = {
        "description": entry.description,
        "comment": entry.comment,
        "owner": entry.owner,
        "location": entry.location,
        "tags": _tags(entry.tags),
        "terms": ", ".join(entry.terms),
        **{f"meta.{k}": v for k, v in entry.meta},
        "schema from": entry.schema_origin if entry.schema_origin != "metastore" else "",
        "note": "; ".join(entry.notes),
    }
    for name, value in facts.items():
        if value not in (None, ""):
            say(f"  {name}: {str(value).strip()}")


def _key(column: ColumnEntry) -> str:
    return "partition" if column.partition_key else ""


def _tags(tags: tuple[TagEntry, ...]) -> str:
    return ", ".join(_tag(t) for t in tags)


def _tag(tag: TagEntry) -> str:
    if tag.inherited_from:
        return f"{tag.name} (from {tag.inherited_from})"
    return tag.name if tag.verdict == "confirmed" else f"{tag.name}? ({tag.band or tag.verdict})"


@click.command()
@click.argument("column")
@AS_JSON
def explain(column: str, *, as_json: bool) -> None:
    """Say why each tag of COLUMN (db.table.column) is there, with the path that an inherited one took.

    Tags that could be expected and are not there have the verdict `absent`, with the reason: masked or aggregated on
    the way, not confirmed upstream, taken away by the specs, or not borne out by the values.
    """
    from metadata_assets.cli.shapes import absence_shape, explanation_shape
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import explain_column

    with opened(os.environ) as deployment:
        explained = explain_column(deployment.store, column)
    answers = [*map(explanation_shape, explained.present), *map(absence_shape, explained.absent)]
    if as_json:
        for answer in answers:
            print_json(answer)
        return
    if not answers:
        say(f"{column} has no tags: none is written for it, found in it, or carried by a column upstream of it")
        return
    header = ("tag", "verdict", "origin", "path", "evidence")
    print_table(header, [[a[name] for name in header] for a in answers])


@click.command()
@click.argument("table")
@AS_JSON
def history(table: str, *, as_json: bool) -> None:
    """List every version of what is known of TABLE: when, in which run, from where, and what changed in the entry."""
    from metadata_assets.cli.shapes import version_shape
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import history_of

    with opened(os.environ) as deployment:
        versions = history_of(deployment.store, table)
    if as_json:
        for v in versions:
            print_json(version_shape(v))
        return
    rows = []
    for v in versions:
        what = "removed" if v.fact.content is None else ", ".join(c.field for c in v.changes[:6])
        more = f" … {len(v.changes) - 6} more" if len(v.changes) > 6 else ""
        former = str(TableName.of_subject(v.fact.subject))
        named = f"as {former}: " if former != table.strip().lower() else ""
        rows.append((to_time(v.fact.recorded_at), v.fact.kind, v.fact.source, v.fact.run_id[:8], named + what + more))
    print_table(("at (UTC)", "kind", "source", "run", "fields"), rows)


@click.command()
@click.argument("table")
@click.option("--to", "moment", required=True, metavar="TIME", help="ISO time, such as 2026-11-30 or 2026-11-30T14:00.")
@AS_JSON
def rollback(table: str, moment: str, *, as_json: bool) -> None:
    """Print a patch of the YAML specs that restores what they said of TABLE at TIME. Apply it with `git apply`.

    Facts are never set back: they follow from the specs, the jobs and the metastore.
    """
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.rollback import rollback_patches

    with opened(os.environ) as deployment:
        patches = rollback_patches(deployment, table, _parse_time(moment))
    for file, patch in patches.items():
        if as_json:
            print_json({"file": file, "patch": patch})
        else:
            print_exactly(patch)
    if not patches:
        say(f"the specs say of {table} what they said at {moment}", err=True)


def _parse_time(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).timestamp()
    except (ValueError, OverflowError) as error:  # a zone can carry the first and the last day out of the calendar
        raise SelectionError(f"{text!r} is no ISO time: write 2026-11-30 or 2026-11-30T14:00 (UTC)") from error


@click.command()
@click.argument("name", metavar="DB.TABLE[.COLUMN]")
@click.option("--upstream", is_flag=True, help="Where it comes from, instead of what it reaches.")
@AS_JSON
def impact(name: str, *, upstream: bool, as_json: bool) -> None:
    """List everything that a change of a table or column reaches: edge kinds, jobs, owners, destinations."""
    from metadata_assets.cli.shapes import impact_shape
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import impact_of

    with opened(os.environ) as deployment:
        impacts = impact_of(deployment.store, name, upstream=upstream)
    if as_json:
        for i in impacts:
            print_json(impact_shape(i))
        return
    rows = [
        (r.distance, r.name, r.through, r.kind, ", ".join(r.jobs), i.owner, ", ".join(i.destinations))
        for i in impacts
        for r in [i.reached]
    ]
    ends = ("comes from", "into") if upstream else ("reaches", "through")
    print_table(("steps", *ends, "kind", "jobs", "owner", "shown at"), rows)
    if not impacts:
        say(f"nothing {'feeds' if upstream else 'is filled from'} {name}")
