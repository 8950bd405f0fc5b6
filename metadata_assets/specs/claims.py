"""Specs as facts of the store: what each file says of each table, as claims on single fields with their places."""

from collections.abc import Iterator

from metadata_assets.model.claims import (
    Claim,
    DeclaredJob,
    Documentation,
    TagClaim,
    TagRule,
    TagRules,
    Tags,
    TermClaim,
)
from metadata_assets.model.entity import CategoryEntry, TermEntry
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.table import TableName
from metadata_assets.specs.documentation import ColumnDocumentation, TableDocumentation
from metadata_assets.specs.glossary import Category, Term
from metadata_assets.specs.lineage import DeclaredJob as DeclaredJobSpec
from metadata_assets.specs.specset import Placed, SpecSet
from metadata_assets.specs.tags import TableTags


def to_documentation(placed: Placed[TableDocumentation]) -> Documentation | None:
    """The claims of one table; None for `state: absent`: what was there is taken away."""
    spec = placed.value
    if spec.absent:
        return None
    claims = [Claim(name, getattr(spec, name), placed.place) for name in ("description", "owner") if spec.claims(name)]
    claims += [Claim(f"meta.{key}", value, placed.place) for key, value in sorted((spec.meta or {}).items())]
    terms = [TermClaim(term, None, placed.place) for term in spec.terms]
    for column, place in zip(spec.columns, placed.columns, strict=True):
        claims += _column_claims(column, str(place))
        terms += [TermClaim(term, column.name, str(place)) for term in column.terms]
    return Documentation(tuple(claims), tuple(terms), placed.place)


def _column_claims(column: ColumnDocumentation, place: str) -> Iterator[Claim]:
    if not column.absent and column.claims("description"):
        yield Claim(f"columns.{column.name}.description", column.description, place)


def to_tags(placed: Placed[TableTags]) -> Tags | None:
    """The tags that a file puts on one table and its columns; None for `state: absent`."""
    spec = placed.value
    if spec.absent:
        return None
    claims = [TagClaim(t.name, None, t.propagate, placed.place) for t in spec.tags]
    for column, place in zip(spec.columns, placed.columns, strict=True):
        if not column.absent:
            claims += [TagClaim(t.name, column.name, t.propagate, str(place)) for t in column.tags]
    return Tags(tuple(claims))


def to_tag_rules(specs: SpecSet) -> TagRules:
    rules = [
        TagRule(str(placed.value.match), tag.name, tag.propagate, placed.place)
        for placed in specs.tag_rules
        for tag in placed.value.tags
    ]
    return TagRules(tuple(rules))


def to_declared_job(placed: Placed[DeclaredJobSpec]) -> DeclaredJob:
    """A declared job; tables that only its columns name count as its inputs and outputs."""
    spec = placed.value
    edges = []
    for column in spec.columns:
        target = ColumnRef.parse(str(column.to))
        for source in column.sources:
            edges.append(ColumnEdge.declared(ColumnRef.parse(str(source)), target, column.transform))
    inputs = {TableName.parse(str(t)) for t in spec.inputs} | {e.source.table for e in edges}
    outputs = {TableName.parse(str(t)) for t in spec.outputs} | {e.target.table for e in edges}
    return DeclaredJob(spec.name, tuple(sorted(inputs)), tuple(sorted(outputs)), tuple(sorted(edges)), placed.place)


def to_category(placed: Placed[Category]) -> CategoryEntry | None:
    spec = placed.value
    if spec.absent:
        return None
    return CategoryEntry(spec.name, spec.description, spec.parent, {"description": placed.place})


def to_term(placed: Placed[Term]) -> TermEntry | None:
    spec = placed.value
    if spec.absent:
        return None
    return TermEntry(spec.name, spec.description, spec.category, spec.owner, sources={"description": placed.place})
