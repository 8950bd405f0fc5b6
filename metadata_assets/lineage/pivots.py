"""Columns of PIVOT and UNPIVOT."""

from sqlglot import exp

from metadata_assets.lineage.flows import AGGREGATED, BRANCH, COPY, Flow


def pivoted_columns(pivot: exp.Pivot, name: str) -> tuple[Flow, list[str]]:
    """The columns before the operator that one column after it is made of; others pass through."""
    made = _unpivoted(pivot, name) if pivot.unpivot else _aggregated(pivot, name)
    if made is None:
        return COPY, [name]
    return BRANCH if pivot.unpivot else AGGREGATED, [column.name.lower() for column in made]


def _aggregated(pivot: exp.Pivot, name: str) -> list[exp.Column] | None:
    """Values and aggregates alternate: first all aggregates of the first value, then those of the second."""
    names = [column.name.lower() for column in pivot.args.get("columns") or ()]
    if name not in names:
        return None
    aggregate = pivot.expressions[names.index(name) % len(pivot.expressions)]
    return list(aggregate.find_all(exp.Column))


def _unpivoted(pivot: exp.Pivot, name: str) -> list[exp.Column] | None:
    values = [identifier.name.lower() for e in pivot.expressions for identifier in e.find_all(exp.Identifier)]
    for field in pivot.args.get("fields") or ():
        if not isinstance(field, exp.In):
            continue
        if field.this.name.lower() == name:
            return []  # it holds the names of columns, no values
        if name in values:
            entries = [list(entry.find_all(exp.Column)) for entry in field.expressions]
            at = values.index(name)
            return [entry[at] if len(entry) == len(values) else entry[0] for entry in entries if entry]
    return None
