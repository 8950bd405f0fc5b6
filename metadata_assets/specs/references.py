"""What one spec says of another: terms, categories, and decisions whose time is over."""

import datetime
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from metadata_assets.model.suggestions import did_you_mean
from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.glossary import Category, Term
from metadata_assets.specs.specset import Glossary, Placed, SpecSet

Section = Literal["categories", "terms"]


@dataclass(frozen=True, slots=True)
class Refused:
    """A glossary entry that is not taken, since what it belongs to is not there: its section and key there, and why."""

    section: Section
    key: str
    finding: SpecFinding


def check_references(
    specs: SpecSet, assigned_terms: Iterable[tuple[str, Place]], today: datetime.date
) -> Iterator[SpecFinding]:
    """Findings about terms that the glossary does not define, and about expired decisions."""
    yield from _undefined_terms(specs.glossary, assigned_terms)
    for decision in specs.decisions:
        until = decision.value.until
        if until is not None and until < today:
            message = f"the decision on {decision.value.tag!r} expired on {until.isoformat()}"
            yield SpecFinding.at(decision.at, message, "renew it with a later `until`, or remove it", "warning")


def check_glossary(glossary: Glossary) -> tuple[Refused, ...]:
    """Entries that would hang in the air: in a circle of categories, in a category that nobody defines, or in one that
    is refused itself. Whoever checks and whoever publishes leave out the same."""
    refused: dict[tuple[Section, str], Refused] = {(r.section, r.key): r for r in _circles(glossary)}
    while new := {(r.section, r.key): r for r in _homeless(glossary, refused) if (r.section, r.key) not in refused}:
        refused |= new
    return tuple(refused.values())


def _undefined_terms(glossary: Glossary, assigned: Iterable[tuple[str, Place]]) -> Iterator[SpecFinding]:
    known = [term.value.name for term in glossary.terms.values() if not term.value.absent]
    for name, place in assigned:
        term = glossary.term(name)
        if term is None or term.value.absent:
            hint = did_you_mean(name, known, "define it in a spec of kind glossary")
            yield SpecFinding.at(place, f"the term {name!r} is not defined", hint, "warning")


def _homeless(glossary: Glossary, refused: Container[tuple[Section, str]]) -> Iterator[Refused]:
    known = [category.value.name for category in glossary.categories.values() if not category.value.absent]
    belongs: list[tuple[Section, str, Placed[Category] | Placed[Term], str | None]] = []
    belongs += [("terms", key, term, term.value.category) for key, term in glossary.terms.items()]
    belongs += [("categories", key, category, category.value.parent) for key, category in glossary.categories.items()]
    for section, key, entry, name in belongs:
        if name is None:
            continue
        category = glossary.category(name)
        if category is None or category.value.absent:
            hint = did_you_mean(name, known, "define it under `categories` in a spec of kind glossary")
            yield Refused(section, key, SpecFinding.at(entry.at, f"the category {name!r} is not defined", hint))
        elif ("categories", name.casefold()) in refused:
            message = f"the category {name!r}, which it belongs to, has an error of its own"
            yield Refused(section, key, SpecFinding.at(entry.at, message, f"mend that first, in {category.at}"))


def _circles(glossary: Glossary) -> Iterator[Refused]:
    for key, start in glossary.categories.items():
        seen = {start.value.name.casefold()}
        parent = start.value.parent
        while parent is not None and parent.casefold() not in seen:
            seen.add(parent.casefold())
            above = glossary.category(parent)
            parent = above.value.parent if above is not None else None
        if parent is not None and parent.casefold() == start.value.name.casefold():
            message = f"the category {start.value.name!r} is a part of itself"
            hint = "take `parent` from one of the categories in the circle"
            yield Refused("categories", key, SpecFinding.at(start.at, message, hint))
