"""The specs of a deployment as values, each with the place it was written at."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from metadata_assets.model.table import TableName
from metadata_assets.specs.decisions import Decision
from metadata_assets.specs.detectors import Detector
from metadata_assets.specs.documentation import TableDocumentation
from metadata_assets.specs.finding import Place, SpecFinding, errors_of
from metadata_assets.specs.glossary import Category, Term
from metadata_assets.specs.lineage import DeclaredJob
from metadata_assets.specs.loader import Dropped
from metadata_assets.specs.tags import TableTags, TagRule

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Placed(Generic[T_co]):
    """An entry and where it starts. `columns` are the places of `value.columns`, in the same order."""

    value: T_co
    at: Place
    columns: tuple[Place, ...] = ()

    @property
    def place(self) -> str:
        """`file:line`, as sources of facts are written."""
        return str(self.at)


@dataclass(frozen=True, slots=True)
class Glossary:
    """Terms and categories by name without regard to case; the values hold the names as they were written."""

    categories: Mapping[str, Placed[Category]] = field(default_factory=dict)
    terms: Mapping[str, Placed[Term]] = field(default_factory=dict)

    def term(self, name: str) -> Placed[Term] | None:
        return self.terms.get(name.casefold())

    def category(self, name: str) -> Placed[Category] | None:
        return self.categories.get(name.casefold())


@dataclass(frozen=True, slots=True)
class SpecSet:
    """Everything that the specs say.

    What could not be read is never the same as what is not there: `dropped` are entries with errors, `unread` are
    files with parts that nobody could make sense of. Whoever removes what specs no longer say must leave those alone.
    """

    documentation: Mapping[TableName, Placed[TableDocumentation]] = field(default_factory=dict)
    tags: Mapping[TableName, Placed[TableTags]] = field(default_factory=dict)
    tag_rules: tuple[Placed[TagRule], ...] = ()
    jobs: Mapping[str, Placed[DeclaredJob]] = field(default_factory=dict)
    glossary: Glossary = field(default_factory=Glossary)
    decisions: tuple[Placed[Decision], ...] = ()
    detectors: Mapping[str, Placed[Detector]] = field(default_factory=dict)
    others: tuple[Placed[BaseModel], ...] = ()
    findings: tuple[SpecFinding, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    unread: tuple[str, ...] = ()

    def without_glossary(self, section: str, keys: Collection[str]) -> "SpecSet":
        """Without some categories or terms, which count as entries with errors."""
        held: dict[str, Mapping[str, Any]] = {"categories": self.glossary.categories, "terms": self.glossary.terms}
        dropped = [Dropped("glossary", section, e.value.name, e.at) for k, e in held[section].items() if k in keys]
        held[section] = {k: e for k, e in held[section].items() if k not in keys}
        return dataclasses.replace(self, glossary=Glossary(**held), dropped=(*self.dropped, *dropped))

    @property
    def errors(self) -> tuple[SpecFinding, ...]:
        return errors_of(self.findings)

    def with_findings(self, findings: Iterable[SpecFinding]) -> "SpecSet":
        return dataclasses.replace(self, findings=tuple(sorted({*self.findings, *findings})))
