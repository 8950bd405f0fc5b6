"""Reading: what is kept beside what is wrong, limits, and the single document of a platform file."""

from typing import Annotated, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

from metadata_assets.errors import SpecError
from metadata_assets.model.table import TableName
from metadata_assets.specs import nodes
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.loader import load_document
from metadata_assets.specs.text import Limits
from tests.unit.specs.files import TODAY, File, load, told

HEAD = "version: 1\nkind: documentation\ntables:\n"


class Door(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: Literal["door"]
    wide: int = Field(ge=1)


class Window(BaseModel):
    model_config = ConfigDict(extra="forbid")
    type: Literal["window"]
    height: int


class House(BaseModel):
    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    kind: Literal["house"]
    doors: tuple[Door, ...] = ()
    heated: bool = False
    way_in: Annotated[Door | Window, Field(discriminator="type")] | None = None
    size: int = 1
    rooms: tuple[Annotated[str, Field(min_length=2)], ...] = Field(("hall",), min_length=1)

    @field_validator("size")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value > 1 and value % 2:
            raise ValueError(f"{value} is odd: choose an even size")
        return value


def test_a_missing_key_is_not_null() -> None:
    specs = load(HEAD + "  - {name: a.b, description: null}\n")
    table = specs.documentation[TableName("a", "b")].value
    assert table.claims("description")
    assert table.description is None
    assert not table.claims("owner")
    assert table.claimed() == {"name": TableName("a", "b"), "description": None}


def test_names_are_lower_case_and_places_are_kept() -> None:
    specs = load(HEAD + "  - name: A.B\n    columns:\n      - {name: Address.Street}\n      - name: id\n")
    entry = specs.documentation[TableName("a", "b")]
    assert entry.place == "a.yaml:4"
    assert [column.name for column in entry.value.columns] == ["address.street", "id"]
    assert [str(place) for place in entry.columns] == ["a.yaml:6", "a.yaml:7"]


def test_places_skip_dropped_entries() -> None:
    specs = load(HEAD + "  - {name: wrong}\n  - {name: a.b}\n  - {name: a.c, colums: []}\n  - {name: A.d}\n")
    assert {str(name): entry.place for name, entry in specs.documentation.items()} == {
        "a.b": "a.yaml:5",
        "a.d": "a.yaml:7",
    }
    assert [(d.kind, d.section, d.name, str(d.place), d.table) for d in specs.dropped] == [
        ("documentation", "tables", "wrong", "a.yaml:4", None),
        ("documentation", "tables", "a.c", "a.yaml:6", TableName("a", "c")),
    ]
    assert specs.unread == ()


def test_a_broken_document_leaves_its_neighbours() -> None:
    specs = load(HEAD + "  - {name: a.b}\n---\n" + HEAD + "  - {name: [\n---\n" + HEAD + "  - {name: a.c}\n")
    assert sorted(map(str, specs.documentation)) == ["a.b", "a.c"]
    assert specs.unread == ("a.yaml",)
    assert specs.documentation[TableName("a", "c")].place == "a.yaml:14"


def test_document_marks_inside_texts_do_not_cut() -> None:
    specs = load(
        HEAD + '  - name: a.b\n    description: |\n      one\n      ---\n      two\n  - {name: a.c, owner: "--- x"}\n'
    )
    assert specs.findings == ()
    assert specs.documentation[TableName("a", "b")].value.description == "one\n---\ntwo\n"


def test_platform_documents_are_passed_over() -> None:
    assert load("version: 1\nkind: platform\nwhatever: [1, 2]\n").findings == ()


def test_limits() -> None:
    text = (HEAD + "  - {name: a.b, terms: [a, b, c, d, e, f, g]}\n").encode()
    for limits, words in ((Limits(file_bytes=20), "bytes, more than"), (Limits(nodes=9), "more than 9 values")):
        specs = load_specs([File("a.yaml", text)], today=TODAY, limits=limits)
        assert words in specs.findings[0].message
        assert specs.unread == ("a.yaml",)


def test_aliases_grow_no_further_than_the_limit() -> None:
    text = HEAD + "  - {name: a.b, terms: &t [a, b, c, d, e, f, g]}\n  - {name: a.c, terms: *t}\n"
    assert load(text).errors == ()
    specs = load_specs([File("a.yaml", text.encode())], today=TODAY, limits=Limits(nodes=23))
    assert specs.findings[0].message == "aliases make this document grow beyond 23 values"


def test_merge_keys_keep_own_values() -> None:
    base = "  - &x\n    name: a.b\n    owner: one\n    meta: {k: 1}\n"
    specs = load(HEAD + base + "  - {<<: *x, name: a.c, owner: two}\n")
    other = specs.documentation[TableName("a", "c")].value
    assert (other.owner, other.meta) == ("two", {"k": 1})


def test_pure_python_parser_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        HEAD + "  - name: a.b\n    owner: @x\n", HEAD + "\t- name: a.b\n", HEAD + '  - {name: "a.b\n',
        HEAD + "  - {name: a.b, tags: [x}\n", HEAD + "  - name: a: b\n", HEAD + "  - name: a.b\n   owner: x\n",
        HEAD + "  - {name: *x}\n", HEAD + "  - {name: a.b}\n  x: y\n", HEAD + "  - a.b: *\n",
        HEAD + "  - {name: a.c}\n",
    ]  # fmt: skip
    fast = [told(load(text)) for text in texts]
    monkeypatch.setattr(nodes, "_GuardedLoader", type("Slow", (nodes._Guard, yaml.SafeLoader), {}))
    assert [told(load(text)) for text in texts] == fast


def test_deep_nesting_in_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_GuardedLoader", type("Slow", (nodes._Guard, yaml.SafeLoader), {}))
    assert "nested" in told(load(HEAD + "  [\n" * 3000))[0]


def test_one_document_as_a_whole() -> None:
    single = load_document("version: 1\nkind: house\ndoors: [{type: door, wide: 2}]\n", "h.yaml", House)
    assert single.findings == ()
    assert single.unwrap().doors[0].wide == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("version: 1\nkind: house\ndoors: [{type: door, wide: 0}]\n", ["h.yaml:3:28: the value must be at least 1"]),
        ("version: 1\nkind: house\ndoors: [{type: dor, wide: 1, x: 2}]\n",
         ["h.yaml:3:16: 'dor' is not one of door (did you mean 'door'?)",
          "h.yaml:3:30: unknown key 'x' (known are type, wide)"]),
        ("version: 1\nkind: house\nheated: yes\n",
         ["h.yaml:3:9: 'yes' without quotes is read as true (put quotes around it: \"yes\", or write true)"]),
        ("version: 1\nkind: house\nway_in: {type: windw, hight: 1}\n",
         ["h.yaml:3:16: type 'windw' is not known (did you mean 'window'?)"]),
        ("version: 1\nkind: house\nway_in: {type: window, hight: 1}\n",
         ["h.yaml:3:9: missing key 'height' (add `height: …`)",
          "h.yaml:3:24: unknown key 'hight' (did you mean 'height'?)"]),
        ("version: 1\nkind: house\nway_in: {height: 1}\n",
         ["h.yaml:3:9: missing key 'type' (add `type: …`, it says what this is)"]),
        ("version: 1\nkind: house\nsize: 3\n", ["h.yaml:3:7: 3 is odd: choose an even size"]),
        ("version: 1\nkind: huose\n", ["h.yaml:2:7: kind 'huose' is not known (did you mean 'house'?)"]),
        ("kind: house\nheated: 3\n",
         ["h.yaml:1:1: missing key 'version' (write `version: 1`)",
          "h.yaml:2:9: true or false is wanted here (write one of them without quotes)"]),
        ("", ["h.yaml:1:1: the file is empty (write `version: 1`, `kind: …` and what belongs to it)"]),
        ("version: 1\nkind: house\n---\nversion: 1\nkind: house\n",
         ["h.yaml:4:1: only one document can stand in this file (remove `---` and what follows)"]),
        ("version: [\n",
         ["h.yaml:2:1: the document ends inside a bracket that is not closed (close it with ']' or '}')"]),
        ("- a\n",
         ["h.yaml:1:1: a document is a mapping, this one is not"
          " (write `version: 1` and `kind: …` first, then what belongs to that kind)"]),
    ],
)  # fmt: skip
def test_one_document_with_errors(text: str, words: list[str]) -> None:
    single = load_document(text, "h.yaml", House)
    assert single.value is None
    assert [str(finding) for finding in single.findings] == words
    with pytest.raises(SpecError) as caught:
        single.unwrap()
    assert str(caught.value) == words[0]


def test_further_kinds_are_checked_and_kept() -> None:
    text = b"version: 1\nkind: house\nheated: true\n---\nversion: 1\nkind: house\nheatd: true\n"
    specs = load_specs([File("h.yaml", text)], kinds={"house": House}, today=TODAY)
    assert [entry.place for entry in specs.others] == ["h.yaml:1", "h.yaml:5"]
    assert told(specs) == ["h.yaml:7:1: unknown key 'heatd' (did you mean 'heated'?)"]


def test_what_follows_from_another_error_is_not_an_error_of_its_own() -> None:
    (finding,) = load_document("version: 1\nkind: house\nrooms: [x]\n", "h.yaml", House).findings
    assert (finding.line, finding.column) == (3, 9)
    (empty,) = load_document("version: 1\nkind: house\nrooms: []\n", "h.yaml", House).findings
    assert (empty.column, empty.message) == (8, "this must not be empty")


def test_a_wrong_value_is_not_a_missing_key_too() -> None:
    text = "version: 1\nkind: glossary\nterms: [{name: a}]\ncategories: x\n"
    assert len(load(text).errors) == 1
