"""The profile of one table: aggregates and a bounded sample of its data, judged by the detectors."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from metadata_assets.errors import ForeignCodeError
from metadata_assets.model.finding import ColumnProfile, TableProfile
from metadata_assets.model.table import Table
from metadata_assets.profiling.data import Kind, Relation, TableData
from metadata_assets.profiling.detectors import judge

# Part of what a profile depends on: a change of rules judges again.
RULES_VERSION = "3"
_KEPT = "no data any more: figures and findings are those of the last data"


def profile_table(table: Table, data: TableData | None, sample_rows: int) -> TableProfile:
    """Profile a table by its data; without any its column names are judged alone.

    Args:
        table: the schema. Letter case does not count where its columns are looked for in the data.
        data: where its rows are.
        sample_rows: how many rows are sampled for the values that columns are judged by, at most.
    """
    if data is None:
        return profile_without_data(table, None)

    def run(relation: Relation) -> TableProfile:
        kinds = {name.lower(): kind for name, kind in relation.kinds().items()}
        present = [c for c in table.all_columns if c.name.lower() in kinds]
        absent = [c.name for c in table.all_columns if c.name.lower() not in kinds]
        notes = (f"not in the data: {', '.join(absent)}",) if absent else ()
        return _profile(relation, {c.name: kinds[c.name.lower()] for c in present}, sample_rows, notes)

    return _of_what_is_sound(data, run)


def profile_without_data(table: Table, before: TableProfile | None) -> TableProfile:
    """The profile of a table that has no data now: what its last data showed stays true until there is other data.

    Columns that no data was ever seen of are judged by their names alone.
    """
    seen = {c.column.lower() for c in before.columns} if before is not None else set()
    named = [f for c in table.all_columns if c.name.lower() not in seen for f in judge(c.name, ())]
    if before is None or not seen:
        return TableProfile(findings=tuple(named), notes=("judged by names alone: no data",))
    findings = [f for f in before.findings if f.column.lower() in seen]
    notes = (*(n for n in before.notes if n != _KEPT), _KEPT)
    return TableProfile(before.columns, (*findings, *named), before.rows_read, notes)


def profile_data(data: TableData, sample_rows: int) -> TableProfile:
    """Profile data without a schema."""
    return _of_what_is_sound(data, lambda relation: _profile(relation, relation.kinds(), sample_rows, ()))


def _of_what_is_sound(data: TableData, run: Callable[[Relation], TableProfile]) -> TableProfile:
    """The profile of all data, or where that cannot be read of the part that can: one bad file hides no good one.

    Raises:
        ForeignCodeError: nothing can be read, or all parts can and do not go together.
    """
    try:
        with data.opened() as relation:
            return run(relation)
    except ForeignCodeError:
        rest, unread = data.sound()
        if rest is None:
            raise ForeignCodeError("; ".join(unread)) from None
        if not unread:
            raise
        with rest.opened() as relation:
            return replace(run(relation), unread=unread)


def _profile(relation: Relation, kinds: Mapping[str, Kind], sample_rows: int, notes: tuple[str, ...]) -> TableProfile:
    rows, profiles = relation.aggregate(kinds)
    judged = [name for name, kind in kinds.items() if kind != "other"]
    values = relation.sample(judged, sample_rows)
    findings = [f for name in judged for f in judge(name, values[name])]
    return TableProfile(
        tuple(_bounded(p, len(values.get(p.column, ()))) for p in profiles), tuple(findings), rows, notes
    )


def _bounded(profile: ColumnProfile, sampled: int) -> ColumnProfile:
    """With an estimate that contradicts nothing else that is known: there are no more distinct values than values, and
    no fewer than those that were sampled."""
    return replace(profile, distinct=min(max(profile.distinct, sampled), profile.rows - profile.nulls))
