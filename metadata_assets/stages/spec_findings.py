"""What is wrong with specs, as far as only the deployment knows it, and as failures to be counted."""

import re
from collections.abc import Iterable, Iterator, Mapping

from metadata_assets.model.table import tables_among
from metadata_assets.sources.base import FileSource, Straying, TextFile
from metadata_assets.specs.against import check_rules
from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.loader import Dropped
from metadata_assets.specs.specset import SpecSet
from metadata_assets.store.facts import Fact, Facts

_KIND = re.compile(rb"^\s*[\"']?kind[\"']?\s*:\s*[\"']?([a-z]+)", re.MULTILINE)


def findings_here(source: FileSource, specs: SpecSet, facts: Facts) -> Iterator[SpecFinding]:
    """Warnings about links that are left out, and about rules that match no table of the catalog, if it has some."""
    if isinstance(source, Straying):
        yield from stray_findings(source.read_strays())
    names = set(tables_among(facts.hashes("schema")))
    of_columns = [r.value.match for r in specs.tag_rules if r.value.match.column is not None]
    spoken_of = [t.subject for t in names if any(p.matches_table(t) for p in of_columns)]
    tables = {t.name: t for t in facts.contents("schema", spoken_of).values()}
    if names:
        yield from check_rules(specs.tag_rules, names, tables)


def stray_findings(strays: Mapping[str, str]) -> Iterator[SpecFinding]:
    """A warning for each link that is left out; `strays`: path → why."""
    for path, why in strays.items():
        yield SpecFinding.at(Place(path, 1, 1), f"{why}: it is left out", "repair or remove it", "warning")


def to_failure(specs: SpecSet, file: str, entry: Dropped | None = None) -> tuple[str, str]:
    """The place and the text of what is wrong with an entry, or with a file that cannot be read, as `check` says it."""
    start = (1, 1) if entry is None else (entry.place.line, entry.place.column)
    found = next((f for f in specs.errors if f.file == file and (f.line, f.column) >= start), None)
    line, column = start if found is None else (found.line, found.column)
    text = "has errors" if found is None else found.message + (f" ({found.hint})" if found.hint else "")
    # A name or place of its own keeps two entries apart of which one has no error of its own.
    name = "" if entry is None else f" {entry.name or f'entry at {start[0]}:{start[1]}'}"
    return f"{file}:{line}:{column}{name}", text


def kinds_in(file: TextFile, before: Iterable[Fact], kinds: Mapping[str, str]) -> set[str]:
    """Which kinds of specs a file probably holds that cannot be read: those that it says, those that it held before,
    and where that is none the one that a folder on its path is called by.

    Args:
        file: as it was read.
        before: facts that came from it.
        kinds: kind of fact to kind of spec.
    """
    known = set(kinds.values())
    said = {kind.decode() for kind in _KIND.findall(file.content)} | {kinds[fact.kind] for fact in before}
    return said & known or set(file.path.split("/")[:-1]) & known
