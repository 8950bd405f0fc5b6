"""Withdrawals of specs: what files say no longer, how many tables that reaches, and whether it may go at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from metadata_assets.catalog.limits import DeletionPolicy
from metadata_assets.model.claims import TagRule, TagRules
from metadata_assets.model.counts import counted
from metadata_assets.model.entity import TableEntry, TagEntry
from metadata_assets.model.pattern import NamePattern
from metadata_assets.model.table import tables_among
from metadata_assets.store.facts import Facts
from metadata_assets.store.lineage_facts import LineageFacts, reached_by

# The last specs of a kind go without a question where they reach no more tables: somebody tried the kind out.
FEW_IF_EMPTIED = 5
HOW_TO_WITHDRAW = (
    "put the files back; or, if it is to go, write `state: absent` where entries have it, or set policies.deletion in "
    "the platform file to `max_share: 1.0` and a `max_tables` as large as what is reached, and run a backfill"
)
_NOUNS = {
    "documentation": "documented table", "tags": "tagged table", "tag_rules": "tag rule",
    "declared_lineage": "declared job", "category": "glossary category", "term": "glossary term",
}  # fmt: skip
_OF_TABLES = frozenset({"documentation", "tags"})  # kinds of facts whose subjects are tables


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What no file says any more in one kind of fact. `last`: nothing is left of the kind of spec that it belongs to.

    All tag rules are one subject, so that they are told apart here.
    """

    kind: str
    subjects: frozenset[str]
    rules: frozenset[TagRule]
    last: bool

    @property
    def number(self) -> int:
        return len(self.rules) if self.kind == "tag_rules" else len(self.subjects)


def plan_withdrawals(facts: Facts, withdrawn: Iterable[Withdrawn], policy: DeletionPolicy) -> dict[str, str]:
    """Kind of fact → why what is withdrawn of it is kept; kinds that may go are not in it.

    Counted are the tables that would be shown differently, over all kinds together: eight tagged columns may tag half
    of the lake. The cap is that of tables that are no longer listed, of all tables that specs speak of. What was said
    of one single table may go whatever its tags reach, as an ordinary file does that somebody deletes. Where nothing
    is left of a kind of spec, more than `FEW_IF_EMPTIED` tables are kept: a folder that was moved away looks like that.
    A `max_share` of 1 says that it is meant, and only `max_tables` counts.
    """
    gone = [w for w in withdrawn if w.number]
    if not gone:
        return {}
    reach = _Reach(facts)
    cap = policy.inferred_of(len(reach.spoken_of()))
    held: dict[str, str] = {}
    last = [w for w in gone if w.last and policy.max_share < 1]
    few = min(FEW_IF_EMPTIED, cap)
    emptied = reach.of(last)
    if len(emptied) > few:
        held = {w.kind: f"{_what(w)}, none is left: {_changing(emptied)}, at most {few} may by that" for w in last}
    rest = [w for w in gone if w.kind not in held]
    reached = reach.of(rest)
    if (1 if _is_of_one_table(rest) else len(reached)) > cap:
        held |= {w.kind: f"{_what(w)}: {_changing(reached)}, at most {cap} may at once" for w in rest}
    return held


def _is_of_one_table(withdrawn: Iterable[Withdrawn]) -> bool:
    kinds = {w.kind for w in withdrawn}
    return kinds <= _OF_TABLES and len({s for w in withdrawn for s in w.subjects}) == 1


def _what(withdrawn: Withdrawn) -> str:
    return f"{counted(withdrawn.number, _NOUNS[withdrawn.kind])} no longer written"


def _changing(subjects: set[str]) -> str:
    tables = sum(1 for _ in tables_among(subjects))
    others = len(subjects) - tables
    words = [counted(tables, "table")] if tables or not others else []
    words += [counted(others, "glossary entry", "glossary entries")] if others else []
    return f"{' and '.join(words)} would change"


def tables_matched(facts: Facts, rules: TagRules) -> set[str]:
    """Subjects of the tables that rules name, or of which they may name columns."""
    patterns = [NamePattern.parse(rule.match) for rule in rules.rules]
    return {t.subject for t in tables_among(facts.hashes("schema")) if any(p.matches_table(t) for p in patterns)}


class _Reach:
    """Which entries specs show in: those that they name, and those that lineage carries their tags to."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._entries: Mapping[str, TableEntry] | None = None
        self._lineage: LineageFacts | None = None

    def spoken_of(self) -> set[str]:
        """The tables that specs name, now that nothing is withdrawn yet."""
        named = {s for kind in _OF_TABLES for s in self._facts.hashes(kind)}
        jobs = self._facts.contents("declared_lineage").values()
        rules = self._facts.contents("tag_rules").get("rules", TagRules())
        return named | {t.subject for j in jobs for t in j.outputs} | tables_matched(self._facts, rules)

    def of(self, withdrawn: Iterable[Withdrawn]) -> set[str]:
        """Subjects of the entries that would be others."""
        found: set[str] = set()
        for one in withdrawn:
            if one.kind == "tag_rules":
                found |= self._tagged(frozenset(), one.rules)
            elif one.kind == "declared_lineage":
                found |= self._filled(one.subjects)
            else:
                found |= one.subjects
                if one.kind == "tags":
                    found |= self._tagged(one.subjects, frozenset())
        return found

    def _tagged(self, subjects: frozenset[str], rules: frozenset[TagRule]) -> set[str]:
        """Tables with a tag that comes from a column of one of these, or from one of the rules."""
        origins = tuple(f"{name}." for name in tables_among(subjects))
        ends = {(rule.tag, f"(rule {rule.match})") for rule in rules}

        def comes_from_there(tag: TagEntry) -> bool:
            if (tag.inherited_from or "").startswith(origins):
                return True
            return any(tag.name == name and tag.source.endswith(end) for name, end in ends)

        return {
            s
            for s, entry in self._shown().items()
            if any(comes_from_there(t) for t in (*entry.tags, *(t for c in entry.columns for t in c.tags)))
        }

    def _filled(self, jobs: frozenset[str]) -> set[str]:
        self._lineage = self._lineage or LineageFacts(self._facts)
        declared = self._facts.contents("declared_lineage", jobs).values()
        return {s for job in declared for s in reached_by(self._lineage, job, None)}

    def _shown(self) -> Mapping[str, TableEntry]:
        if self._entries is None:
            self._entries = self._facts.contents("entry")
        return self._entries
