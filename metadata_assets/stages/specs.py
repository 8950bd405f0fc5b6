"""YAML specs become facts: one reading of the files serves documentation, tags, declared lineage and glossary."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from metadata_assets.model.claims import DeclaredJob, TagRules
from metadata_assets.model.counts import Counts, counted
from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import tables_among
from metadata_assets.specs import claims
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.specset import SpecSet
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.ingested import SPEC_FILES, known_files, refuse_sudden_emptiness, remember_files
from metadata_assets.stages.renaming import renaming_marks
from metadata_assets.stages.scope import Scope
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


_NOUNS = {
    "documentation": "documented table", "tags": "tagged table", "tag_rules": "tag rule",
    "declared_lineage": "declared job", "category": "glossary category", "term": "glossary term",
}  # fmt: skip
HOW_TO_WITHDRAW = (
    "put the files back; or write `state: absent` for what is to go, or raise policies.deletion in the platform file, "
    "and run a backfill"
)
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
    a slip of the pen is not a deletion. Where more is gone at once than the policy of deletions allows for tables, as
    when a folder is not checked out, it is kept and counted as held back; `state: absent` says that it is meant.

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
    values = _values(specs)
    ingested = Ingested(specs=specs)
    for asset, kinds in _SECTIONS.items():
        counts = ingested.counts.setdefault(asset, Counts())
        for kind, section in kinds.items():
            put = _Put(kind, section, values[kind], order_key)
            if reason := _put(deployment, put, specs, counts, scope):
                ingested.held_back[kind] = reason
    deployment.store.work.set_state(_HELD_STATE, ingested.held_back)
    _count_unread(specs, ingested.counts["documentation"])
    # In this order: the files are taken in again where a process was killed between the two, and then nothing is left.
    deployment.store.inbox.finish(events, scope.run_id, "specs read")
    remember_files(deployment.store, SPEC_FILES, {f.path: f.version for f in files})
    return ingested


def _count_unread(specs: SpecSet, counts: Counts) -> None:
    """Files of which nobody knows what they hold: each is one failure, with the place of its first error."""
    for file in specs.unread:
        first = next((f for f in specs.errors if f.file == file), None)
        counts.listed += 1
        counts.errors[f"{file}:{first.line}" if first else file] = first.message if first else "cannot be read"


@dataclass(frozen=True, slots=True)
class _Put:
    """The values of one kind of fact: subject → (content, place)."""

    kind: str
    section: tuple[str, str]
    values: Mapping[str, tuple[Any, str]]
    order_key: int


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


def _put(deployment: Deployment, put: _Put, specs: SpecSet, counts: Counts, scope: Scope) -> str:
    """Store the values of one kind. The answer says why some are held back, empty where none are."""
    facts = deployment.store.facts
    before = {f.subject: f for f in facts.latest(put.kind) if f.content is not None}
    protected = _protected(put, specs, before)
    withdrawn = _withdrawn(put, before, protected)
    cap = deployment.platform.policies.deletion.to_policy().inferred_of(withdrawn.total)
    held = withdrawn.subjects if withdrawn.number > cap else frozenset[str]()
    kept = protected | held
    readings = [Reading(s, c, put.order_key, p) for s, (c, p) in put.values.items() if s not in kept]
    gone: list[Reading[Any]] = [
        Reading(s, None, put.order_key, "specs: no longer written") for s in before if s not in put.values.keys() | kept
    ]
    if put.kind in ("documentation", "tags"):
        marks = renaming_marks(deployment.store, f"specs: {put.kind}", {*put.values, *before})
    else:
        lineage = cache(lambda: LineageFacts(facts))  # most files say what they said, and then nobody asks
        marks = Marks(f"specs: {put.kind}", lambda s: _spoken_of(facts, _versions(put, s, before), lineage))
    outcomes = facts.put(put.kind, [*readings, *gone], scope.run_id, marks)
    for outcome in outcomes.values():
        counts.note(outcome)
    counts.listed += len(outcomes)
    counts.listed += len(held)
    counts.skip("withdrawal_held_back", len(held))
    _count_trouble(put, specs, protected, counts)
    if not held:
        return ""
    return f"{counted(withdrawn.number, _NOUNS[put.kind])} no longer written, at most {cap} may be withdrawn at once"


@dataclass(frozen=True, slots=True)
class _Withdrawn:
    """Subjects that files say less of than before; how many claims that are, of how many."""

    subjects: frozenset[str]
    number: int
    total: int


def _withdrawn(put: _Put, before: Mapping[str, Fact], protected: set[str]) -> _Withdrawn:
    if put.kind == "tag_rules":  # one subject holds all rules
        rules = [len(content.rules) if content is not None else 0 for content in _versions(put, "rules", before)]
        subjects = frozenset({"rules"} & before.keys()) - protected
        return _Withdrawn(subjects, rules[1] - rules[0] if subjects else 0, rules[1])
    subjects = frozenset(s for s in before if s not in put.values and s not in protected)
    return _Withdrawn(subjects, len(subjects), len(before))


def _versions(put: _Put, subject: str, before: Mapping[str, Fact]) -> tuple[Any, Any]:
    """What the files say of a subject now, and what they said before."""
    return put.values.get(subject, (None, ""))[0], before[subject].content if subject in before else None


def _protected(put: _Put, specs: SpecSet, before: Mapping[str, Fact]) -> set[str]:
    """Subjects about which the files say something that could not be read."""
    dropped = [d for d in specs.dropped if (d.kind, d.section) == put.section]
    if put.kind == "tag_rules":
        unread = any(f.split("/")[0] == "tags" for f in specs.unread)
        return {"rules"} if dropped or unread or specs.unread else set()
    names = {d.name.lower() for d in dropped if d.name}
    anonymous = {d.place.file for d in dropped if not d.name} | set(specs.unread)
    return {
        subject
        for subject, fact in before.items()
        if subject not in put.values
        and (Subject.parse(subject).name.lower() in names or fact.source.rpartition(":")[0] in anonymous)
    }


def _count_trouble(put: _Put, specs: SpecSet, protected: set[str], counts: Counts) -> None:
    """Dropped entries and protected subjects are listed too: the first failed, the second were left alone."""
    for entry in specs.dropped:
        if (entry.kind, entry.section) == put.section:
            counts.listed += 1
            reasons = [f.message for f in specs.errors if f.file == entry.place.file and f.line >= entry.place.line]
            counts.errors[f"{entry.place} {entry.name or ''}".strip()] = reasons[0] if reasons else "has errors"
    counts.listed += len(protected)
    counts.skip("kept_because_its_file_has_errors", len(protected))


def _spoken_of(facts: Facts, versions: tuple[Any, Any], lineage: Callable[[], LineageFacts]) -> Iterable[str]:
    """The entries that a changed claim, or its former version, speaks of."""
    match versions:
        case (DeclaredJob(), _) | (_, DeclaredJob()):
            return reached_by(lineage(), *versions)
        case (TagRules(), _) | (_, TagRules()):
            return {s for rules in versions if rules is not None for s in _matched(facts, rules)}
    return ()


def _matched(facts: Facts, rules: TagRules) -> set[str]:
    patterns = [NamePattern.parse(rule.match) for rule in rules.rules]
    tables = facts.hashes("schema")
    return {t.subject for t in tables_among(tables) if any(p.matches_table(t) for p in patterns)}
