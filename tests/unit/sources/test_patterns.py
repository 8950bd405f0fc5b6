"""Which names the patterns of a source let through."""

import pytest
from pydantic import ValidationError

from metadata_assets.model.table import TableName
from metadata_assets.sources.patterns import NamePatterns


@pytest.mark.parametrize(
    ("include", "exclude", "name", "admitted"),
    [
        (("*",), (), "sales.orders", True),
        (("sales",), (), "sales.orders", True),
        (("SALES",), (), "sales.orders", True),
        (("sales",), (), "sales_eu.orders", False),
        (("sales*",), (), "sales_eu.orders", True),
        (("sales.ord*",), (), "sales.orders", True),
        (("sales.ord*",), (), "sales.customers", False),
        (("*.orders",), (), "sales.orders", True),
        (("*",), ("tmp_*",), "tmp_1.orders", False),
        (("*",), ("tmp_*",), "tmp.orders", True),
        (("*",), ("sales.tmp_*",), "sales.tmp_1", False),
        (("*",), ("sales.tmp_*",), "sales.orders", True),
        ((), (), "sales.orders", False),
        (("s[a]les",), (), "sales.orders", False),
        (("a", "sales"), (), "sales.orders", True),
    ],
)
def test_tables(include: tuple[str, ...], exclude: tuple[str, ...], name: str, admitted: bool) -> None:
    patterns = NamePatterns(include=include, exclude=exclude)
    assert patterns.admits_table(TableName.parse(name)) is admitted


@pytest.mark.parametrize(
    ("include", "exclude", "database", "admitted"),
    [
        (("*",), (), "sales", True),
        (("sales.orders",), (), "Sales", True),
        (("sales.orders",), (), "crm", False),
        (("*",), ("sales",), "sales", False),
        (("*",), ("sales.*",), "sales", True),
    ],
)
def test_databases(include: tuple[str, ...], exclude: tuple[str, ...], database: str, admitted: bool) -> None:
    assert NamePatterns(include=include, exclude=exclude).admits_database(database) is admitted


@pytest.mark.parametrize("pattern", ["", ".", "a.", ".b", "a.b.c"])
def test_malformed_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(ValidationError, match=r"has to be DATABASE or DATABASE\.TABLE"):
        NamePatterns(include=(pattern,))
