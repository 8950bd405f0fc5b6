"""Random edits of random documents read back as wanted, and leave every other line as it was."""

from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.model.table import TableName
from metadata_assets.specs.editing.entries import Entry, new_text, read_entry, set_entry
from metadata_assets.specs.editing.rewriting import same
from metadata_assets.specs.editing.values import to_flow, to_item
from metadata_assets.specs.text import SourceText
from tests.unit.specs.files import load, told

TRICKY = st.sampled_from([
    "yes", "No", "~", "null", "1_000", "012", "1:30", "2024-01-01", "1e3", "=", "<<", "- a", "a: b", "a #b", "{a}", "[",
    "*a", "&a", "!a", "%a", "@a", "`a`", "'", '"', "\\", "a\nb", "a\n\n b\n", "\n", "a\n\n", " a", "a ", "a\tb", "\r",
    "\x85", "\u2028", "\ufeff", "a\x00", "---", "...", "a\n---\nb", "é", "🚀", ".inf", "0x1F", "? a", "a:", "|", ">",
    "",
])  # fmt: skip
TEXTS = st.one_of(TRICKY, st.text(max_size=30))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18) + 1, 10**18 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
WORDS = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
TERMS = st.lists(WORDS, max_size=4)
COLUMN_NAMES = st.one_of(WORDS, st.sampled_from(["address.street", "items[].price", "attrs{}.value", "nº doc", "y"]))


@st.composite
def entries(draw: st.DrawFn, name: str) -> Entry:
    optional: dict[str, st.SearchStrategy[object]] = {
        "description": st.none() | TEXTS,
        "owner": st.none() | TEXTS,
        "terms": TERMS,
        "meta": st.dictionaries(TEXTS, SCALARS, max_size=3),
        "columns": st.lists(columns(), max_size=4, unique_by=lambda c: c["name"]),
    }
    return {"name": name, **draw(st.fixed_dictionaries({}, optional=optional))}


def columns() -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({"name": COLUMN_NAMES}, optional={"description": st.none() | TEXTS, "terms": TERMS})


@st.composite
def chunks(draw: st.DrawFn, name: str) -> str:
    """One entry as people write them: in block or flow style, with comments and blank lines around it."""
    comment = draw(st.sampled_from(["", "  # about it\n", "\n", "# at the margin - really\n\n"]))
    style = draw(st.sampled_from(["block", "flow", "next line"]))
    entry = draw(entries(name))
    if style == "flow":
        return f"{comment}  - {to_flow(entry)}{draw(st.sampled_from(['', '   # why', ' ']))}\n"
    text = to_item(entry, 2, block=True)
    return f"{comment}  {'- # it - is' + chr(10) + '   ' + text[1:] if style == 'next line' else text}\n"


HEAD = "version: 1\nkind: documentation\ntables:\n"
TAIL = "---\nversion: 1\nkind: tags\nrules: []\n# end\n"


def source(text: str) -> SourceText:
    return SourceText("a.yaml", text)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_an_edit_reads_back_and_touches_no_other_entry(data: st.DataObject) -> None:
    names = ["raw.a", "raw.b", "raw.c"]
    parts = [data.draw(chunks(name)) for name in names]
    at = data.draw(st.integers(0, 2))
    table = TableName.parse(names[at])
    wanted = data.draw(entries(names[at]))
    edited = set_entry(source(HEAD + "".join(parts) + TAIL), "documentation", table, wanted)
    found = read_entry(source(edited), "documentation", table)
    assert found is not None
    assert same(found, wanted)
    assert edited.startswith(HEAD + "".join(parts[:at]))
    assert edited.endswith("".join(parts[at + 1 :]) + TAIL)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_entries_come_and_go_without_touching_others(data: st.DataObject) -> None:
    first, second, third = (data.draw(chunks(name)) for name in ("raw.a", "raw.b", "raw.c"))
    edited = set_entry(source(HEAD + first + second + third), "documentation", TableName("raw", "b"), None)
    assert edited.startswith(HEAD + first)
    assert edited.endswith(third)
    wanted = data.draw(entries("raw.b"))
    again = set_entry(source(edited), "documentation", TableName("raw", "b"), wanted)
    assert again.startswith(edited.removesuffix("\n"))


FLOW_GAPS = st.sampled_from([", ", ",", ",\n  ", " ,  ", ",  # why - not\n\n    "])


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_lists_in_brackets_are_edited_in_place(data: st.DataObject) -> None:
    names = ["raw.a", "raw.b", "raw.c"]
    parts = [to_flow(data.draw(entries(n))) for n in names]
    gaps = [data.draw(FLOW_GAPS) for _ in range(2)] + [data.draw(st.sampled_from(["", " ", ",", "\n"]))]
    start = "version: 1\nkind: documentation\ntables: ["
    text = start + "".join(part + gap for part, gap in zip(parts, gaps, strict=True)) + "]   # end\n"
    at = data.draw(st.integers(0, 2))
    wanted = data.draw(st.none() | entries(names[at]))
    edited = set_entry(source(text), "documentation", TableName.parse(names[at]), wanted)
    found = read_entry(source(edited), "documentation", TableName.parse(names[at]))
    assert same(found, wanted)
    assert all(part in edited for part in parts[:at] + parts[at + 1 :])
    assert edited.startswith(start)
    assert edited.endswith("]   # end\n")


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_line_feeds_of_windows_stay(data: st.DataObject) -> None:
    parts = [data.draw(chunks(n)).replace("\n", "\r\n") for n in ("raw.a", "raw.b")]
    head = HEAD.replace("\n", "\r\n")
    wanted = data.draw(entries("raw.b"))
    edited = set_entry(source(head + "".join(parts)), "documentation", TableName("raw", "b"), wanted)
    assert same(read_entry(source(edited), "documentation", TableName("raw", "b")), wanted)
    assert edited.startswith(head + parts[0])
    assert edited.count("\n") == edited.count("\r\n")


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_new_file_says_what_it_was_made_for(data: st.DataObject) -> None:
    wanted = data.draw(entries("raw.a"))
    text = new_text("documentation", wanted)
    found = read_entry(source(text), "documentation", TableName("raw", "a"))
    assert found is not None
    assert same(found, wanted)
    assert [line for line in told(load(text)) if "is not defined" not in line] == []
