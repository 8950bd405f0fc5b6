"""Sizes are held from the first commit on: small files and functions, no broad except outside the two boundaries."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
BOUNDARIES = {"metadata_assets/isolation.py", "metadata_assets/defs/boundary.py"}


def _python_files() -> Iterator[Path]:
    for folder in ("metadata_assets", "examples/services", "examples/lakehouse", "tests"):
        yield from sorted(p for p in (ROOT / folder).rglob("*.py") if "golden" not in p.parts)


FILES = list(_python_files())


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_file_is_within_its_budget(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_FILE_LINES
    too_long = [
        f"{node.name}: {length} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (length := _length(node)) > MAX_FUNCTION_LINES
    ]
    assert not too_long


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is not None:
        first = node.body[0]
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def test_broad_excepts_stay_at_the_boundaries() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        if str(path.relative_to(ROOT)) not in BOUNDARIES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    ]
    assert not found


def _is_broad(caught: ast.expr | None) -> bool:
    return caught is None or (isinstance(caught, ast.Name) and caught.id in ("Exception", "BaseException"))
