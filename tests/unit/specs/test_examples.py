"""Whole files: the valid ones load without a word, the invalid ones say exactly what they announce."""

from pathlib import Path

import pytest

from metadata_assets.specs.collect import load_specs
from tests.unit.specs.files import TODAY, File

FOLDER = Path(__file__).parents[2] / "specs"
VALID = sorted((FOLDER / "valid").glob("*.yaml"))
INVALID = sorted((FOLDER / "invalid").glob("*.yaml"))
WORKING = sorted((Path(__file__).parents[3] / "yaml_specs").rglob("*.yaml"))
_EXPECT = "# expect: "


def test_there_are_examples() -> None:
    assert len(VALID) >= 8
    assert len(INVALID) >= 30


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_valid(path: Path) -> None:
    specs = load_specs([File(path.name, path.read_bytes())], today=TODAY)
    assert specs.findings == ()
    assert specs.dropped == ()
    assert specs.unread == ()


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_invalid(path: Path) -> None:
    content = path.read_bytes()
    found = load_specs([File(path.name, content)], today=TODAY).findings
    assert [
        f"{f.line}:{f.column} {f.severity} {f.message}" + (f" -> {f.hint}" if f.hint else "") for f in found
    ] == _announced(content)


def _announced(content: bytes) -> list[str]:
    text = content.decode("utf-16" if content.startswith(b"\xff\xfe") else "utf-8", "replace")
    lines = [line.removeprefix(_EXPECT) for line in text.splitlines() if line.startswith(_EXPECT)]
    assert lines, "an invalid example announces its findings in leading comments"
    return lines


def test_working_specs_have_no_errors() -> None:
    files = [File(path.name, path.read_bytes()) for path in WORKING]
    assert load_specs(files, today=TODAY).errors == ()


def test_words_are_ours() -> None:
    """No phrase of a parser or of the validation library gets through."""
    files = [File(path.name, path.read_bytes()) for path in INVALID]
    for finding in load_specs(files, today=TODAY).findings:
        for foreign in ("Input should", "errors.pydantic", "while parsing", "while scanning", "token", "did not find"):
            assert foreign not in finding.message + finding.hint
