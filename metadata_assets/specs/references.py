"""What one spec says of another: terms, categories, and decisions whose time is over."""

import datetime
from collections.abc import Iterable, Iterator

from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.specset import Glossary, SpecSet
from metadata_assets.specs.suggestions import did_you_mean


def check_references(
    specs: SpecSet, assigned_terms: Iterable[tuple[str, Place]], today: datetime.date
) -> Iterator[SpecFinding]:
    """Findings about names that the glossary does not define, and about expired decisions."""
    yield from _undefined_terms(specs.glossary, assigned_terms)
    yield from _undefined_categories(specs.glossary)
    yield from _circles(specs.glossary)
    for decision in specs.decisions:
        until = decision.value.until
        if until is not None and until < today:
            message = f"the decision on {decision.value.tag!r} expired on {until.isoformat()}"
            yield SpecFinding.at(decision.at, message, "renew it with a later `until`, or remove it", "warning")


def _undefined_terms(glossary: Glossary, assigned: Iterable[tuple[str, Place]]) -> Iterator[SpecFinding]:
    known = [term.value.name for term in glossary.terms.values() if not term.value.absent]
    for name, place in assigned:
        term = glossary.term(name)
        if term is None or term.value.absent:
            hint = did_you_mean(name, known, "define it in a spec of kind glossary")
            yield SpecFinding.at(place, f"the term {name!r} is not defined", hint, "warning")


def _undefined_categories(glossary: Glossary) -> Iterator[SpecFinding]:
    known = [category.value.name for category in glossary.categories.values() if not category.value.absent]
    wanted = [(term.value.category, term.at) for term in glossary.terms.values()]
    wanted += [(category.value.parent, category.at) for category in glossary.categories.values()]
    for name, place in wanted:
        category = glossary.category(name) if name is not None else None
        if name is not None and (category is None or category.value.absent):
            hint = did_you_mean(name, known, "define it under `categories` in a spec of kind glossary")
            yield SpecFinding.at(place, f"the category {name!r} is not defined", hint)


def _circles(glossary: Glossary) -> Iterator[SpecFinding]:
    for start in glossary.categories.values():
        seen = {start.value.name.casefold()}
        parent = start.value.parent
        while parent is not None and parent.casefold() not in seen:
            seen.add(parent.casefold())
            above = glossary.category(parent)
            parent = above.value.parent if above is not None else None
        if parent is not None and parent.casefold() == start.value.name.casefold():
            message = f"the category {start.value.name!r} is a part of itself"
            yield SpecFinding.at(start.at, message, "take `parent` from one of the categories in the circle")
