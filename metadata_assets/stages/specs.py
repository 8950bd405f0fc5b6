"""YAML specs become facts: one reading of the files serves documentation, tags, declared lineage and glossary."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from metadata_assets.model.claims import DeclaredJob, TagRule, TagRules
from metadata_assets.model.counts import Counts
from metadata_assets.model.subject import Subject
from metadata_assets.sources.base import TextFile
from metadata_assets.specs import claims
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.specset import SpecSet
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.ingested import SPEC_FILES, known_files, refuse_sudden_emptiness, remember_files
from metadata_assets.stages.renaming import renaming_marks
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.spec_findings import findings_here, kinds_in, to_failure
from metadata_assets.stages.withdrawals import Withdrawn, plan_withdrawals, tables_matched
from metadata_assets.store.facts import Fact, Facts, Marks, Reading
from metadata_assets.store.lineage_facts import LineageFacts, reached_by
from metadata_assets.store.store import Store

# Asset → the kinds of facts that it writes, each with the section of the files that it comes from.
_SECTIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "documentation": {"documentation": ("documentation", "tables")},
    "tags": {"tags": ("tags", "tables"), "tag_rules": ("tags", "rules")},
    "declared_lineage": {"declared_lineage": ("lineage", "jobs")},
    "glossary": {"category": ("glossary", "categories"), "term": ("glossary", "terms")},
}

_HELD_STATE = "withdrawals of specs held back"


@dataclass(slots=True)
class Ingested:
    """Counts by asset, everything that the loader found wrong, and why the claims of some kinds are not withdrawn."""

    counts: dict[str, Counts] = field(default_factory=dict)
    specs: SpecSet = field(default_factory=SpecSet)
    held_back: dict[str, str] = field(default_factory=dict)  # kind of fact → reason


def ingest_specs(deployment: Deployment, scope: Scope) -> Ingested:
    """Read all specs and store what differs. Claims that no file makes any more are withdrawn.

    What stands in a file that cannot be read, or in an entry with an error, is kept as it was and counted as failed:
    a slip of the pen is not a deletion. Where what is gone at once reaches more tables than `plan_withdrawals` lets go,
    as when a folder is not checked out, it is kept and counted as held back; `state: absent` says that it is meant.

    Raises:
        Transient, Permanent: the files cannot be listed; nothing is withdrawn then.
    """
    source = deployment.specs()
    if source is None:
        return Ingested({asset: Counts() for asset in _SECTIONS})
    order_key = order_key_now()
    events = [w.id for w in deployment.store.inbox.waiting(kinds=["spec_changed"])]
    files = list(source.read_files())
    refuse_sudden_emptiness("specs", len(files), known_files(deployment.store, SPEC_FILES))
    readable = [file for file in files if not file.problem]
    specs = load_specs(readable, unreadable={file.path: file.problem for file in files if file.problem})
    facts = deployment.store.facts
    puts = _puts(specs, facts, order_key)
    withdrawn = _withdrawn(puts)
    held = plan_withdrawals(facts, withdrawn.values(), deployment.platform.policies.deletion.to_policy())
    findings = findings_here(source, specs, facts)
    ingested = Ingested(specs=specs.with_findings(findings), held_back=held)
    for asset, kinds in _SECTIONS.items():
        counts = ingested.counts.setdefault(asset, Counts())
        for kind in kinds:
            _put(deployment, puts[kind], withdrawn[kind] if kind in held else None, counts, scope)
            _count_trouble(puts[kind], specs, counts)
    deployment.store.work.set_state(_HELD_STATE, ingested.held_back)
    _count_unread(specs, {file.path: file for file in files}, puts.values(), ingested.counts)
    # In this order: the files are taken in again where a process was killed between the two, and then nothing is left.
    deployment.store.inbox.finish(events, scope.run_id, "specs read")
    remember_files(deployment.store, SPEC_FILES, {f.path: f.version for f in files})
    return ingested


@dataclass(frozen=True, slots=True)
class _Put:
    """The values of one kind of fact: subject → (content, place); what is known of it; and the subjects about which
    the files say something that could not be read."""

    kind: str
    section: tuple[str, str]
    values: Mapping[str, tuple[Any, str]]
    before: Mapping[str, Fact]
    protected: frozenset[str]
    order_key: int

    def versions(self, subject: str) -> tuple[Any, Any]:
        """What the files say of a subject now, and what they said before."""
        return self.values.get(subject, (None, ""))[0], self.before[subject].content if subject in self.before else None


def _count_unread(
    specs: SpecSet, files: Mapping[str, TextFile], puts: Collection[_Put], counts: Mapping[str, Counts]
) -> None:
    """Files that cannot be read are one failure in each kind that they probably hold, with the place of the first
    error; where nobody can tell, they count as documentation."""
    kinds = {kind: section[0] for sections in _SECTIONS.values() for kind, section in sections.items()}
    assets = {section[0]: asset for asset, sections in _SECTIONS.items() for section in sections.values()}
    for file in specs.unread:
        before = [f for put in puts for f in put.before.values() if f.source.rpartition(":")[0] == file]
        place, text = to_failure(specs, file)
        for kind in kinds_in(files[file], before, kinds) or {"documentation"}:
            counts[assets[kind]].listed += 1
            counts[assets[kind]].errors[place] = text


def _puts(specs: SpecSet, facts: Facts, order_key: int) -> dict[str, _Put]:
    values = _values(specs)
    puts: dict[str, _Put] = {}
    for kinds in _SECTIONS.values():
        for kind, section in kinds.items():
            before = {f.subject: f for f in facts.latest(kind) if f.content is not None}
            protected = _protected(kind, section, specs, before.values(), values[kind])
            puts[kind] = _Put(kind, section, values[kind], before, protected, order_key)
    return puts


def _values(specs: SpecSet) -> dict[str, dict[str, tuple[Any, str]]]:
    categories, terms = specs.glossary.categories.values(), specs.glossary.terms.values()
    return {
        "documentation": {
            name.subject: (claims.to_documentation(p), p.place) for name, p in specs.documentation.items()
        },
        "tags": {name.subject: (claims.to_tags(p), p.place) for name, p in specs.tags.items()},
        "tag_rules": {"rules": (claims.to_tag_rules(specs), "tags")} if specs.tag_rules else {},
        "declared_lineage": {
            str(Subject("job", name)): (claims.to_declared_job(p), p.place) for name, p in specs.jobs.items()
        },
        "category": {str(Subject("category", p.value.name)): (claims.to_category(p), p.place) for p in categories},
        "term": {str(Subject("term", p.value.name)): (claims.to_term(p), p.place) for p in terms},
    }


def held_withdrawals(store: Store) -> dict[str, str]:
    """Kind of fact → why claims that no file makes any more are kept."""
    found: dict[str, str] | None = store.work.state(_HELD_STATE)
    return found or {}


def _withdrawn(puts: Mapping[str, _Put]) -> dict[str, Withdrawn]:
    """By kind of fact what no file says any more."""
    found: dict[str, Withdrawn] = {}
    for kinds in _SECTIONS.values():
        last = not any(puts[kind].values or puts[kind].protected for kind in kinds)
        for kind in kinds:
            put = puts[kind]
            if kind == "tag_rules":
                found[kind] = Withdrawn(kind, frozenset(), _withdrawn_rules(put), last)
            else:
                gone = put.before.keys() - put.values.keys() - put.protected
                found[kind] = Withdrawn(kind, frozenset(gone), frozenset(), last)
    return found


def _withdrawn_rules(put: _Put) -> frozenset[TagRule]:
    """Rules that are gone. Where there are no fewer than before, somebody wrote some of them anew."""
    now, before = (frozenset(v.rules) if v is not None else frozenset[TagRule]() for v in put.versions("rules"))
    return frozenset[TagRule]() if put.protected or len(now) >= len(before) else before - now


def _put(deployment: Deployment, put: _Put, held: Withdrawn | None, counts: Counts, scope: Scope) -> None:
    """Store the values of one kind, and that it has no others any more, but for those that are held back."""
    facts = deployment.store.facts
    kept = put.protected
    if held is not None and put.kind == "tag_rules":
        put = replace(put, values={"rules": (_with_held(put, held.rules), "tags")})
    elif held is not None:
        kept |= held.subjects
    readings = [Reading(s, c, put.order_key, p) for s, (c, p) in put.values.items() if s not in kept]
    gone: list[Reading[Any]] = [
        Reading(s, None, put.order_key, "specs: no longer written")
        for s in put.before
        if s not in put.values.keys() | kept
    ]
    if put.kind in ("documentation", "tags"):
        marks = renaming_marks(deployment.store, f"specs: {put.kind}", {*put.values, *put.before})
    else:
        lineage = cache(lambda: LineageFacts(facts))  # most files say what they said, and then nobody asks
        marks = Marks(f"specs: {put.kind}", lambda s: _spoken_of(facts, put.versions(s), lineage))
    outcomes = facts.put(put.kind, [*readings, *gone], scope.run_id, marks)
    for subject, outcome in outcomes.items():
        if outcome == "unchanged" and subject not in put.before:
            counts.skip("absent_already")
        else:
            counts.note(outcome)
    held_back = 0 if held is None else held.number
    counts.listed += len(outcomes) + held_back
    counts.skip("withdrawal_held_back", held_back)


def _with_held(put: _Put, held: frozenset[TagRule]) -> TagRules:
    """All rules are one fact: those that files have, new ones too, and those that are held back."""
    now, before = put.versions("rules")
    written = () if now is None else now.rules
    return TagRules((*written, *(rule for rule in before.rules if rule in held)))


def _protected(
    kind: str, section: tuple[str, str], specs: SpecSet, before: Iterable[Fact], values: Container[str]
) -> frozenset[str]:
    """Subjects about which the files say something that could not be read."""
    dropped = [d for d in specs.dropped if (d.kind, d.section) == section]
    if kind == "tag_rules":
        return frozenset({"rules"} if dropped or specs.unread else ())
    names = {d.name.lower() for d in dropped if d.name}
    anonymous = {d.place.file for d in dropped if not d.name} | set(specs.unread)
    return frozenset(
        fact.subject
        for fact in before
        if fact.subject not in values
        and (Subject.parse(fact.subject).name.lower() in names or fact.source.rpartition(":")[0] in anonymous)
    )


def _count_trouble(put: _Put, specs: SpecSet, counts: Counts) -> None:
    """Dropped entries and protected subjects are listed too: the first failed, the second were left alone."""
    for entry in specs.dropped:
        if (entry.kind, entry.section) == put.section:
            counts.listed += 1
            place, text = to_failure(specs, entry.place.file, entry)
            counts.errors[place] = text
    counts.listed += len(put.protected)
    counts.skip("kept_because_its_file_has_errors", len(put.protected))


def _spoken_of(facts: Facts, versions: tuple[Any, Any], lineage: Callable[[], LineageFacts]) -> Iterable[str]:
    """The entries that a changed claim, or its former version, speaks of."""
    match versions:
        case (DeclaredJob(), _) | (_, DeclaredJob()):
            return reached_by(lineage(), *versions)
        case (TagRules(), _) | (_, TagRules()):
            return {s for rules in versions if rules is not None for s in tables_matched(facts, rules)}
    return ()
