"""What each script was read from, and what came out, in short: it tells what to read again without decoding scripts."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from metadata_assets.lineage.script import ENGINE_VERSION
from metadata_assets.model.lineage import Script, StatementStatus, view_of
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import TableName
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.store.facts import Facts


def viewed_by(subject: str) -> TableName | None:
    """The view whose query the script of this subject is; None for a job file."""
    return view_of(Subject.parse(subject).name)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Kept as the source of a script's fact, written in the transaction that writes the fact.

    `text` and `schemas` are digests: of text and dialect; of the engine and the schemas of `tables`, which are all that
    the script names, as subjects. `statuses` counts its statements, `edges` is the number of its column edges.
    """

    text: str
    schemas: str
    tables: tuple[str, ...]
    statuses: Mapping[StatementStatus, int]
    edges: int

    @property
    def statements(self) -> int:
        return sum(self.statuses.values())

    @staticmethod
    def of(subject: str, text: str, script: Script, schema_hashes: Mapping[str, str]) -> "Stamp":
        """`text` is the digest of what was read; the schemas are taken as they are known now."""
        named = {t.subject for s in script.statements for t in s.tables}
        view = viewed_by(subject)
        tables = tuple(sorted(named if view is None else named | {view.subject}))
        statuses = Counter(s.status for s in script.statements)
        edges = sum(len(s.columns) for s in script.statements)
        return Stamp(text, _schemas(tables, schema_hashes), tables, dict(statuses), edges)

    def is_of(self, schema_hashes: Mapping[str, str]) -> bool:
        """Whether nothing that the script names is another table than it was, nor the engine another one."""
        return self.schemas == _schemas(self.tables, schema_hashes)

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def parse(text: str) -> "Stamp | None":
        """None for what an earlier version wrote: its script is read again."""
        try:
            data = json.loads(text)
            return Stamp(data["text"], data["schemas"], tuple(data["tables"]), data["statuses"], data["edges"])
        except (ValueError, KeyError, TypeError):
            return None


def _schemas(tables: Iterable[str], schema_hashes: Mapping[str, str]) -> str:
    return fingerprint([ENGINE_VERSION, *(t + schema_hashes.get(t, "") for t in tables)])


def read_stamps(facts: Facts) -> dict[str, Stamp | None]:
    """Subject → stamp of every script that exists."""
    return {subject: Stamp.parse(source) for subject, source in facts.sources("script").items()}
