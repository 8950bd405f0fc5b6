"""Loaded documents to one set of specs; of two entries about the same thing the second is a finding."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel

from metadata_assets.model.table import TableName
from metadata_assets.specs.decisions import Decision, DecisionsDocument
from metadata_assets.specs.detectors import Detector, DetectorsDocument
from metadata_assets.specs.documentation import ColumnDocumentation, DocumentationDocument, TableDocumentation
from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.glossary import Category, GlossaryDocument, Term
from metadata_assets.specs.lineage import DeclaredJob, LineageDocument
from metadata_assets.specs.loader import Dropped, LoadedDocument, LoadedFile
from metadata_assets.specs.specset import Glossary, Placed, SpecSet
from metadata_assets.specs.tags import ColumnTags, TableTags, TagRule, TagsDocument
from metadata_assets.specs.values import Path

Document = LoadedDocument[BaseModel]
_DOCUMENTED, _TAGGED = ("documentation", "tables"), ("tags", "tables")


K = TypeVar("K", bound=Hashable)
E = TypeVar("E", bound=BaseModel)
Tabled = TypeVar("Tabled", TableDocumentation, TableTags)


@dataclass(slots=True)
class Gathering:
    """Fills up with files, then gives the set. `assigned_terms` are the terms that entries use, with their places."""

    findings: list[SpecFinding] = field(default_factory=list)
    assigned_terms: list[tuple[str, Place]] = field(default_factory=list)
    _dropped: list[Dropped] = field(default_factory=list)
    _unread: list[str] = field(default_factory=list)
    _documentation: dict[TableName, Placed[TableDocumentation]] = field(default_factory=dict)
    _tags: dict[TableName, Placed[TableTags]] = field(default_factory=dict)
    _rules: list[Placed[TagRule]] = field(default_factory=list)
    _jobs: dict[str, Placed[DeclaredJob]] = field(default_factory=dict)
    _categories: dict[str, Placed[Category]] = field(default_factory=dict)
    _terms: dict[str, Placed[Term]] = field(default_factory=dict)
    _decisions: dict[str, Placed[Decision]] = field(default_factory=dict)
    _detectors: dict[str, Placed[Detector]] = field(default_factory=dict)
    _others: list[Placed[BaseModel]] = field(default_factory=list)

    def add_file(self, file: LoadedFile) -> None:
        self.findings.extend(file.findings)
        self._dropped.extend(file.dropped)
        if file.partly_unread:
            self._unread.append(file.file)
        for document in file.documents:
            self._add(document)

    def to_specs(self) -> SpecSet:
        return SpecSet(
            documentation=self._documentation,
            tags=self._tags,
            tag_rules=tuple(self._rules),
            jobs=self._jobs,
            glossary=Glossary(self._categories, self._terms),
            decisions=tuple(self._decisions.values()),
            detectors=self._detectors,
            others=tuple(self._others),
            dropped=tuple(self._dropped),
            unread=tuple(self._unread),
        )

    def _add(self, document: Document) -> None:
        match document.model:
            case DocumentationDocument(tables=documented):
                self._add_documentation(document, documented)
            case TagsDocument(tables=tagged, rules=rules):
                self._add_tags(document, tagged)
                self._rules.extend(_placed(document, "rules", index, rule) for index, rule in enumerate(rules))
            case LineageDocument(jobs=jobs):
                self._add_jobs(document, jobs)
            case GlossaryDocument() as glossary:
                self._add_glossary(document, glossary)
            case DecisionsDocument(decisions=decisions):
                self._add_decisions(document, decisions)
            case DetectorsDocument(detectors=detectors):
                self._add_detectors(document, detectors)
            case other:
                self._others.append(Placed(other, document.tree.place()))

    def _add_documentation(self, document: Document, tables: Sequence[TableDocumentation]) -> None:
        for index, table in enumerate(tables):
            path = document.path("tables", index)
            kept = self._unique_columns(document, path, table)
            placed = _placed_table(document, path, table, kept)
            if self._put(self._documentation, table.name, placed, f"the table {table.name} is documented", _DOCUMENTED):
                self._assign(document, path, table.terms)
                for position in kept:
                    self._assign(document, (*path, "columns", position), table.columns[position].terms)

    def _add_tags(self, document: Document, tables: Sequence[TableTags]) -> None:
        for index, table in enumerate(tables):
            path = document.path("tables", index)
            placed = _placed_table(document, path, table, self._unique_columns(document, path, table))
            self._put(self._tags, table.name, placed, f"the table {table.name} is tagged", _TAGGED)

    def _add_jobs(self, document: Document, jobs: Sequence[DeclaredJob]) -> None:
        for index, job in enumerate(jobs):
            placed = _placed(document, "jobs", index, job, len(job.columns))
            self._put(self._jobs, job.name.casefold(), placed, f"the job {job.name!r} is declared", ("lineage", "jobs"))

    def _add_decisions(self, document: Document, decisions: Sequence[Decision]) -> None:
        for index, decision in enumerate(decisions):
            what = f"the tag {decision.tag!r} on {decision.scope} is decided on"
            placed = _placed(document, "decisions", index, decision)
            self._put(self._decisions, f"{decision.scope} {decision.tag}", placed, what, ("decisions", "decisions"))

    def _add_detectors(self, document: Document, detectors: Sequence[Detector]) -> None:
        for index, detector in enumerate(detectors):
            what = f"the detector {detector.name!r} is defined"
            found = _placed(document, "detectors", index, detector)
            self._put(self._detectors, detector.name.casefold(), found, what, ("detectors", "detectors"))

    def _add_glossary(self, document: Document, glossary: GlossaryDocument) -> None:
        for index, category in enumerate(glossary.categories):
            what = f"the category {category.name!r} is defined"
            found = _placed(document, "categories", index, category)
            self._put(self._categories, category.name.casefold(), found, what, ("glossary", "categories"))
        for index, term in enumerate(glossary.terms):
            what = f"the term {term.name!r} is defined"
            found_term = _placed(document, "terms", index, term)
            self._put(self._terms, term.name.casefold(), found_term, what, ("glossary", "terms"))

    def _unique_columns(self, document: Document, path: Path, table: TableDocumentation | TableTags) -> list[int]:
        first: dict[str, int] = {}
        columns: Sequence[ColumnDocumentation | ColumnTags] = table.columns
        for position, column in enumerate(columns):
            if column.name in first:
                before = document.tree.place((*path, "columns", first[column.name]))
                here = document.tree.place((*path, "columns", position))
                self._report_twice(f"the column {table.name}.{column.name} is given", before, here)
            else:
                first[column.name] = position
        return list(first.values())

    def _assign(self, document: Document, path: Path, terms: Sequence[str]) -> None:
        self.assigned_terms.extend(
            (term, document.tree.place((*path, "terms", index))) for index, term in enumerate(terms)
        )

    def _put(self, known: dict[K, Placed[E]], key: K, entry: Placed[E], what: str, section: tuple[str, str]) -> bool:
        """Take an entry, unless there is one with its key: then it is dropped."""
        first = known.setdefault(key, entry)
        if first is not entry:
            self._report_twice(what, first.at, entry.at)
            self._dropped.append(Dropped(*section, str(key), entry.at))
        return first is entry

    def _report_twice(self, what: str, first: Place, second: Place) -> None:
        message = f"{what} twice, first in {first}"
        self.findings.append(SpecFinding.at(second, message, "keep one of the two entries, and join what they say"))


def _placed_table(document: Document, path: Path, table: Tabled, kept: Sequence[int]) -> Placed[Tabled]:
    """The table with the columns at the kept positions only."""
    columns = tuple(table.columns[position] for position in kept)
    value = table if len(kept) == len(table.columns) else table.model_copy(update={"columns": columns})
    return Placed(value, document.tree.place(path), _places(document, (*path, "columns"), kept))


def _placed(document: Document, section: str, index: int, entry: E, columns: int = 0) -> Placed[E]:
    path = document.path(section, index)
    return Placed(entry, document.tree.place(path), _places(document, (*path, "columns"), range(columns)))


def _places(document: Document, path: Path, positions: Sequence[int]) -> tuple[Place, ...]:
    return tuple(document.tree.place((*path, position)) for position in positions)
