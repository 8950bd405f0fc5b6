"""Merging: each field has one owner, and no claim is ever lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.catalog.merge import Merged, TableFacts, merge_table
from metadata_assets.catalog.tagging import direct_tags
from metadata_assets.model.claims import Claim, Documentation, TagClaim, TagRules, Tags, TermClaim
from metadata_assets.model.entity import ColumnEntry, TagEntry
from metadata_assets.model.table import Column, Table, TableName, ViewText
from tests.lake import table

A = table("raw.a", "ID bigint", "address struct<street:string,zip:string>", comment="metastore", owner="hive")


def merge(*claims: Claim | TermClaim, of: Table = A) -> Merged:
    documentation = Documentation(
        tuple(c for c in claims if isinstance(c, Claim)), tuple(c for c in claims if isinstance(c, TermClaim))
    )
    return merge_table(TableFacts(of, "metastore", documentation))


def column(merged: Merged, name: str) -> ColumnEntry:
    return next(c for c in merged.entry.columns if c.name == name)


def test_without_claims_the_metastore_alone_speaks() -> None:
    entry = merge_table(TableFacts(A, "metastore (spark)")).entry
    assert (entry.comment, entry.description, entry.owner, entry.terms, entry.meta) == (
        "metastore",
        None,
        "hive",
        (),
        (),
    )
    assert [c.name for c in entry.columns] == ["ID", "address"]
    assert entry.sources == {"schema": "metastore (spark)"}


def test_people_say_what_a_table_is_and_the_metastore_keeps_its_comment() -> None:
    entry = merge(Claim("description", "D", "p:1"), Claim("owner", "ana", "p:2")).entry
    assert (entry.comment, entry.description, entry.owner) == ("metastore", "D", "ana")
    assert (entry.sources["description"], entry.sources["owner"]) == ("p:1", "p:2")


def test_null_is_empty_on_purpose() -> None:
    merged = merge(
        Claim("description", None), Claim("owner", None), Claim("meta.a", None), Claim("columns.id.description", None)
    )
    entry = merged.entry
    assert (entry.description, entry.owner, entry.meta) == ("", None, (("a", None),))
    assert column(merged, "ID").description == ""
    assert entry.sources.keys() == {"schema", "description", "owner", "meta.a", "columns.id.description"}


def test_nested_fields_that_somebody_speaks_of_follow_their_column() -> None:
    merged = merge(Claim("columns.address.zip.description", "Code", "p:3"), TermClaim("t", "address.street"))
    assert [(c.name, c.type_text, c.description, c.terms) for c in merged.entry.columns] == [
        ("ID", "bigint", None, ()),
        ("address", "struct<street:string,zip:string>", None, ()),
        ("address.street", "string", None, ("t",)),
        ("address.zip", "string", "Code", ()),
    ]


def test_terms_are_given_once_and_in_order() -> None:
    merged = merge(TermClaim("b"), TermClaim("a"), TermClaim("b"), TermClaim("y", "ID"), TermClaim("x", "id"))
    assert merged.entry.terms == ("a", "b")
    assert column(merged, "ID").terms == ("x", "y")


def test_a_confirmed_tag_that_is_inherited_outranks_a_suggestion() -> None:
    own = direct_tags(A, Tags((TagClaim("b", "id", place="p"),)), TagRules(), None)
    suggested, inherited = TagEntry("a", "suggested", "rule"), TagEntry("a", "confirmed", "p", "raw.z.id")
    tags = type(own)({"id": (suggested, *own.by_column["id"])})
    other = TagEntry("b", "confirmed", "p", "raw.z.id")
    entry = merge_table(TableFacts(A, "m", tags=tags, inherited={"id": (inherited, other)})).entry
    assert entry.columns[0].tags == (inherited, TagEntry("b", "confirmed"))


def test_a_view_and_partition_keys_keep_what_they_are() -> None:
    made = Table(
        TableName("raw", "v"),
        "view",
        (Column("a", "int", "c"),),
        (Column("ds", "string"),),
        view=ViewText("select 1", "x"),
    )
    entry = merge(of=made).entry
    assert (entry.view_text, [(c.name, c.partition_key, c.comment) for c in entry.columns]) == (
        "select 1",
        [("a", False, "c"), ("ds", True, None)],
    )


def test_orphans_are_named_with_their_place() -> None:
    merged = merge(
        Claim("columns.gone.description", "x", "p:1"),
        TermClaim("t", "Lost", "p:2"),
        Claim("columns.id.description", "i"),
    )
    assert merged.orphans == (("gone", "p:1"), ("lost", "p:2"))
    assert [c.name for c in merged.entry.columns] == ["ID", "address"]


PATHS = st.sampled_from(
    ["id", "address", "address.street", "address.zip", "gone", "address.gone", "id.x", "description"]
)
VALUES = st.one_of(st.none(), st.text(max_size=5), st.integers(), st.booleans())
FIELDS = st.one_of(
    st.sampled_from(["description", "owner"]),
    st.from_regex(r"meta\.[a-z.]{1,6}", fullmatch=True),
    PATHS.map(lambda path: f"columns.{path}.description"),
)


@given(st.dictionaries(FIELDS, VALUES, max_size=8), st.lists(st.tuples(st.none() | PATHS, st.sampled_from("tu"))))
@settings(max_examples=300, deadline=None)
def test_every_claim_is_in_the_entry_or_among_the_orphans(
    fields: dict[str, str | int | bool | None], words: list[tuple[str | None, str]]
) -> None:
    claims = [Claim(path, value, f"p:{i}") for i, (path, value) in enumerate(fields.items())]
    terms = [TermClaim(term, path, f"t:{i}") for i, (path, term) in enumerate(words)]
    tagged = Tags(tuple(TagClaim(term, path, place=f"g:{i}") for i, (path, term) in enumerate(words)))
    direct = direct_tags(A, tagged, TagRules(), None)
    merged = merge_table(TableFacts(A, "m", Documentation(tuple(claims), tuple(terms)), direct))
    columns = {c.name.lower(): c for c in merged.entry.columns}
    orphaned = {place for _, place in merged.orphans}
    for claim in claims:
        assert (claim.path in merged.entry.sources) != (claim.place in orphaned)
    for term, tag in zip(terms, tagged.claims, strict=True):
        terms_there = (
            merged.entry.terms if term.column is None else columns[term.column].terms if term.column in columns else ()
        )
        tags_there = (
            merged.entry.tags if tag.column is None else columns[tag.column].tags if tag.column in columns else ()
        )
        assert (term.term in terms_there) != (term.place in orphaned)
        assert (tag.tag in [t.name for t in tags_there]) != (tag.place in orphaned)


def test_columns_that_differ_in_case_only_are_not_folded_in_silence() -> None:
    entry = merge_table(TableFacts(table("a.b", "id bigint", "x int", "ID string"), "metastore")).entry
    assert [(c.name, c.type_text) for c in entry.columns] == [("ID", "string"), ("x", "int")]
    assert entry.notes == ("column id is there 2 times, the last is shown",)
