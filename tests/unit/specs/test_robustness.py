"""Whatever the files hold, loading ends with documents and findings, never with an exception."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from metadata_assets.specs.collect import load_specs
from tests.unit.specs.files import TODAY, File
from tests.unit.specs.test_examples import INVALID, VALID

SEEDS = [path.read_bytes() for path in [*VALID, *INVALID]]
PIECES = [
    "version: 1\n", "kind: documentation\n", "kind: tags\n", "tables:\n", "  - name: a.b\n", "    columns:\n",
    "---\n", "...\n", "&a ", "*a", "<<: *a\n", "{", "}", "[", "]", ": ", "- ", "? ", "!x ", "!!int ", "|\n", ">-\n",
    '"', "'", "\t", "\n", "  ", "#", "%YAML 1.1\n", "yes", "1_0", "2024-99-01", "null", "~", "é", "🚀", "\x85",
    "\u2028",
]  # fmt: skip


def check(content: bytes) -> None:
    specs = load_specs([File("a.yaml", content)], today=TODAY)
    for finding in specs.findings:
        assert finding.line >= 1
        assert finding.column >= 1
        assert finding.message
    assert bool(specs.unread) <= bool(specs.findings), "nothing is left unread without a word"
    assert bool(specs.dropped) <= bool(specs.findings), "nothing is dropped without a word"


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_bytes(content: bytes) -> None:
    check(content)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text(text: str) -> None:
    check(text.encode("utf-8", "surrogatepass"))


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=500, deadline=None)
def test_any_yaml_like_text(text: str) -> None:
    check(text.encode())


@given(st.sampled_from(SEEDS), st.integers(0, 2**32), st.integers(1, 6))
@settings(max_examples=300, deadline=None)
def test_damaged_specs(seed: bytes, number: int, cuts: int) -> None:
    chance = random.Random(number)
    content = bytearray(seed)
    for _ in range(cuts if content else 0):
        at = chance.randrange(len(content) + 1)
        content[at : at + chance.randrange(3)] = chance.choice(PIECES).encode()
    check(bytes(content))


@given(st.permutations(range(len(SEEDS))))
@settings(max_examples=15, deadline=None)
def test_the_order_of_files_does_not_matter(order: list[int]) -> None:
    files = [File(f"{index:03}.yaml", SEEDS[index]) for index in range(len(SEEDS))]
    assert load_specs([files[index] for index in order], today=TODAY) == load_specs(files, today=TODAY)
