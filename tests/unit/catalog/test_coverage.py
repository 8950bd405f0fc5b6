"""Coverage counts tables and columns apart."""

import pytest

from metadata_assets.catalog.coverage import Coverage, coverage_by_database, shown_text, whole_columns
from metadata_assets.model.entity import ColumnEntry, TableEntry, TagEntry
from metadata_assets.model.finding import Verdict
from metadata_assets.model.table import TableName


def table(*columns: ColumnEntry, name: str = "raw.t", tags: tuple[TagEntry, ...] = (), **texts: str) -> TableEntry:
    return TableEntry(TableName.parse(name), "managed", columns, tags=tags, **texts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("description", "comment", "shown"),
    [(None, None, ""), (None, "c", "c"), ("d", "c", "d"), ("", "c", ""), ("d", None, "d")],
)
def test_shown_text(description: str | None, comment: str | None, shown: str) -> None:
    assert shown_text(ColumnEntry("c", "int", comment=comment, description=description)) == shown


def test_a_described_table_without_described_columns_is_two_numbers() -> None:
    columns = [ColumnEntry(f"c{n}", "int") for n in range(50)]
    assert coverage_by_database([table(*columns, description="d", owner="o")]) == {"raw": Coverage(1, 1, 1, 50, 0)}


def test_databases_are_counted_apart() -> None:
    described = ColumnEntry("c", "int", comment="c")
    found = coverage_by_database([table(described), table(name="raw.u"), table(described, name="mart.t", comment="c")])
    assert found == {"raw": Coverage(tables=2, columns=1, described_columns=1), "mart": Coverage(1, 1, 0, 1, 1)}


@pytest.mark.parametrize(
    ("verdicts", "with_pii", "suspected"),
    [
        ((), 0, 0),
        (("confirmed",), 1, 0),
        (("suggested",), 0, 1),
        (("rejected",), 0, 0),
        (("suggested", "confirmed"), 1, 0),
        (("suggested", "rejected"), 0, 1),
    ],
)
@pytest.mark.parametrize("on_table", [True, False])
def test_only_confirmed_pii_is_pii(
    verdicts: tuple[Verdict, ...], with_pii: int, suspected: int, on_table: bool
) -> None:
    tags = (TagEntry("tier_1"), *(TagEntry("PII_CPF", v) for v in verdicts))
    entry = table(tags=tags) if on_table else table(ColumnEntry("c", "int", tags=tags))
    found = coverage_by_database([entry])["raw"]
    assert (found.tables_with_pii, found.tables_with_suspected_pii) == (with_pii, suspected)


@pytest.mark.parametrize(
    ("names", "whole"),
    [
        (["a", "a.b", "a.b.c"], ["a"]),
        (["items", "items[].price", "attrs", "attrs{}.value"], ["items", "attrs"]),
        (["Address", "address.street"], ["Address"]),
        (["a.b", "c"], ["a.b", "c"]),
        ([], []),
    ],
)
def test_nested_fields_are_not_columns_of_their_own(names: list[str], whole: list[str]) -> None:
    entry = table(*(ColumnEntry(n, "int") for n in names))
    assert [c.name for c in whole_columns(entry)] == whole
