"""A small catalog with everything that a destination can be asked to hold."""

from metadata_assets.model.entity import (
    CategoryEntry,
    ColumnEntry,
    DatabaseEntry,
    Entry,
    ProcessEntry,
    TableEntry,
    TagEntry,
    TermEntry,
    Upstream,
)
from metadata_assets.model.lineage import ColumnEdge, ColumnRef
from metadata_assets.model.publication import Wanted
from metadata_assets.model.table import TableName

RAW, CLEAN = TableName("raw", "users"), TableName("clean", "user_clean")
SPEC = "documentation/users.yaml:3"


def edge(source: str, target: str) -> ColumnEdge:
    return ColumnEdge(ColumnRef.parse(source), ColumnRef.parse(target))


def raw_users(description: str = "One row a user.", columns: tuple[ColumnEntry, ...] | None = None) -> TableEntry:
    shown = (
        ColumnEntry("id", "bigint"),
        ColumnEntry("cpf", "string", comment="tax number", tags=(TagEntry("PII_CPF", source="tags.yaml:4"),)),
        ColumnEntry("name", "string", description="Full name."),
        ColumnEntry("day", "date", partition_key=True),
    )
    return TableEntry(
        RAW,
        "external",
        shown if columns is None else columns,
        description=description,
        owner="growth",
        location="s3://lake/raw/users",
        tags=(TagEntry("tier_1"),),
        terms=("customer",),
        meta=(("sla_hours", 6),),
        sources={"description": SPEC, "schema": "metastore", "columns.name.description": SPEC},
    )


def clean_users() -> TableEntry:
    return TableEntry(
        CLEAN,
        "managed",
        (
            ColumnEntry("cpf", "string", tags=(TagEntry("PII_CPF", inherited_from="raw.users.cpf"),)),
            ColumnEntry("age", "int", tags=(TagEntry("PII_AGE", "suggested", band="likely"),)),
        ),
        comment="Deduplicated.",
        upstream=(Upstream(RAW, ("build_user_clean",)),),
        column_lineage=(edge("raw.users.cpf", "clean.user_clean.cpf"),),
    )


def everything() -> tuple[Entry, ...]:
    return (
        CategoryEntry("party"),
        CategoryEntry("person", "Anything about a natural person.", "party"),
        DatabaseEntry("clean", "Cleaned."),
        DatabaseEntry("raw", "As it comes.", "ingestion", "s3://lake/raw"),
        ProcessEntry("build_user_clean", CLEAN, (RAW,), (edge("raw.users.cpf", "clean.user_clean.cpf"),)),
        clean_users(),
        raw_users(),
        TermEntry("customer", "Somebody who buys.", "person", "growth"),
    )


def wanted(*entries: Entry, removed: frozenset[str] = frozenset(), force: bool = False) -> Wanted:
    return Wanted(entries, removed, force)
