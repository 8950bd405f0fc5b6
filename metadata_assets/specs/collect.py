"""All files together: what they say of each table, and where two of them disagree."""

import datetime
from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Protocol

from pydantic import BaseModel

from metadata_assets.specs.gathering import Gathering
from metadata_assets.specs.kinds import OTHER_KINDS, SPEC_KINDS
from metadata_assets.specs.loader import LIMITS, LoadedFile, load_file, unread_file
from metadata_assets.specs.references import check_glossary, check_references
from metadata_assets.specs.specset import SpecSet
from metadata_assets.specs.text import Limits


class SpecFile(Protocol):
    """A file as a source hands it over."""

    @property
    def path(self) -> str: ...

    @property
    def content(self) -> bytes: ...


def load_specs(
    files: Iterable[SpecFile],
    *,
    unreadable: Mapping[str, str] = MappingProxyType({}),
    kinds: Mapping[str, type[BaseModel]] = SPEC_KINDS,
    today: datetime.date | None = None,
    limits: Limits = LIMITS,
) -> SpecSet:
    """Load and cross-check all specs. Never raises for what the files hold; the order of the files does not matter.

    `unreadable`: path → why, of files that are there and could not be read: nobody knows what they say.
    `kinds` may hold further kinds than ours; their documents are checked and kept in `SpecSet.others`. `today` decides
    which decisions have expired.
    """
    ordered = sorted(files, key=lambda file: (file.path, file.content))
    # One at a time: the nodes of a file take fifty times its size, and are needed only until it is gathered.
    loaded = (load_file(file.content, file.path, kinds, OTHER_KINDS, limits) for file in ordered)
    unread = (unread_file(path, problem) for path, problem in sorted(unreadable.items()))
    return collect(chain(loaded, unread), today or datetime.datetime.now(datetime.UTC).date())


def collect(files: Iterable[LoadedFile], today: datetime.date) -> SpecSet:
    """Join loaded files, in their order: of two entries that say the same the first stays, the other is a finding.

    Glossary entries that refer to what is not there are findings too, and are left out.
    """
    gathering = Gathering()
    for file in files:
        gathering.add_file(file)
    specs = gathering.to_specs()
    refused = check_glossary(specs.glossary)
    references = check_references(specs, gathering.assigned_terms, today)
    findings = [*gathering.findings, *references, *(r.finding for r in refused)]
    for section in ("categories", "terms"):
        specs = specs.without_glossary(section, {r.key for r in refused if r.section == section})
    return specs.with_findings(findings)
