"""Spec files in memory, and what loading them gives."""

import datetime
from dataclasses import dataclass

from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.specset import SpecSet

TODAY = datetime.date(2026, 1, 1)


@dataclass(frozen=True)
class File:
    path: str
    content: bytes


def load(*texts: str) -> SpecSet:
    """Load texts as the files a.yaml, b.yaml …, in this order."""
    return load_specs([File(f"{chr(97 + i)}.yaml", text.encode()) for i, text in enumerate(texts)], today=TODAY)


def told(specs: SpecSet) -> list[str]:
    return [str(finding) for finding in specs.findings]
