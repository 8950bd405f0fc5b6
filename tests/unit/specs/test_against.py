"""Specs against tables that exist."""

from metadata_assets.model.table import Column, Table, TableName
from metadata_assets.specs.against import check_against
from tests.unit.specs.files import load

USERS = Table(
    TableName("raw", "users"),
    "managed",
    columns=(
        Column("Id", "bigint"),
        Column("id", "bigint"),
        Column("Address", "struct<Street:string,Geo:struct<lat:double>>"),
        Column("items", "array<struct<price:decimal(10,2)>>"),
        Column("attrs", "map<string,string>"),
    ),
    partition_keys=(Column("ds", "string"),),
)
TABLES = {USERS.name: USERS, TableName("clean", "orders"): Table(TableName("clean", "orders"), "view")}


def against(text: str) -> list[str]:
    return [f"{f.severity[0]} {f}" for f in check_against(load(text), TABLES)]


def documented(*lines: str) -> str:
    return "version: 1\nkind: documentation\ntables:\n" + "\n".join(lines) + "\n"


def test_everything_there() -> None:
    columns = ["address", "ADDRESS.street", "address.geo.lat", "items[].price", "attrs{}.value", "ds"]
    lines = ["  - name: Raw.Users", "    columns:", *(f'      - {{name: "{column}"}}' for column in columns)]
    assert against(documented(*lines)) == []


def test_orphan_tables() -> None:
    names = ["raw.user", "mart.orders", "row.x", "clean.zz", "clean.gone, state: absent"]
    assert against(documented(*(f"  - {{name: {name}}}" for name in names))) == [
        "e a.yaml:4:5: the table raw.user is documented and does not exist"
        " (did you mean 'raw.users'? If it was renamed, rename it here too)",
        "e a.yaml:5:5: the table mart.orders is documented and does not exist"
        " (did you mean 'clean.orders'? If it was moved, move it here too)",
        "e a.yaml:6:5: the table row.x is documented and does not exist"
        " (there is no database 'row'; did you mean 'raw'?)",
        "e a.yaml:7:5: the table clean.zz is documented and does not exist"
        " (remove the entry, or write `state: absent` to take its documentation away)",
    ]


def test_orphan_columns() -> None:
    lines = ["  - name: raw.users", "    columns:", "      - {name: addres}", "      - {name: address.stret}",
             "      - {name: zzzzzz}", "      - {name: zzzzzy, state: absent}"]  # fmt: skip
    assert against(documented(*lines)) == [
        "e a.yaml:6:9: the column raw.users.addres is documented and does not exist (did you mean 'address'?)",
        "e a.yaml:7:9: the column raw.users.address.stret is documented and does not exist"
        " (did you mean 'address.street'?)",
        "e a.yaml:8:9: the column raw.users.zzzzzz is documented and does not exist"
        " (remove it, or look for its new name)",
    ]


def test_columns_that_differ_in_case_only() -> None:
    found = against(documented("  - {name: raw.users, columns: [{name: id}]}"))
    assert found == [
        "w a.yaml:4:33: 'id' means 2 columns that differ in case only: Id, id (rename one of them in the table)"
    ]


def test_lineage_and_rules() -> None:
    jobs = "version: 1\nkind: lineage\njobs:\n  - name: j\n    inputs: [raw.usrs]\n    outputs: [raw.users]\n"
    edge = "    columns:\n      - {to: raw.users.dss, from: [raw.users.id]}\n"
    rules = (
        '---\nversion: 1\nkind: tags\nrules:\n  - {match: "raw.*.ds", tags: [a]}\n  - {match: "raw.x*", tags: [a]}\n'
    )
    more = '  - {match: "*.*.items[].pr*", tags: [a]}\n  - {match: "clean.*.ds", tags: [a]}\n'
    assert against(jobs + edge + rules + more) == [
        "w a.yaml:4:5: the job 'j' names the table raw.usrs, which does not exist here"
        " (did you mean 'raw.users'? If it was renamed, rename it here too)",
        "e a.yaml:8:9: the column raw.users.dss is part of declared lineage and does not exist (did you mean 'ds'?)",
        "w a.yaml:14:5: the rule 'raw.x*' matches nothing (correct the pattern, or remove the rule)",
        "w a.yaml:16:5: the rule 'clean.*.ds' matches nothing (correct the pattern, or remove the rule)",
    ]
