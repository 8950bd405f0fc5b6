"""Lineage of SQL jobs and views: each script is read again when its text, or a schema that it names, changed."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from metadata_assets.lineage.messages import Limits, ScriptText
from metadata_assets.lineage.workers import read_scripts
from metadata_assets.model.counts import Counts
from metadata_assets.model.lineage import Script, view_script
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import Table, TableName, tables_among
from metadata_assets.sources.base import TextFile
from metadata_assets.sources.trees import UnreadableFile
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.stages.ingested import JOB_FILES, known_files, refuse_sudden_emptiness, remember_files
from metadata_assets.stages.schemas import SCHEMA_REASON
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.stamps import Stamp, read_stamps, viewed_by
from metadata_assets.store.facts import Facts, Marks, Reading
from metadata_assets.store.lineage_facts import LineageFacts, reached_by


@dataclass(frozen=True, slots=True)
class _Text:
    """A script to look at. `error`: it could not be read."""

    script: ScriptText
    error: str = ""

    @property
    def subject(self) -> str:
        return str(Subject("script", self.script.name))

    @property
    def digest(self) -> str:
        return fingerprint([self.script.dialect, self.script.text])


class _Schemas(Mapping[TableName, Table]):
    """The known tables, decoded when a statement names them, or beforehand where most of them will be."""

    def __init__(self, facts: Facts) -> None:
        self.hashes = facts.hashes("schema")
        self._facts = facts
        self._tables: dict[str, Table] = {}

    def read(self, subjects: Iterable[str] | None = None) -> dict[str, Table]:
        """Subject → table; of all tables where none are named. What was read is at hand afterwards."""
        wanted = None if subjects is None else set(subjects)
        if wanted is None or not wanted <= self._tables.keys():
            self._tables |= self._facts.contents("schema", wanted)
        return {s: t for s, t in self._tables.items() if wanted is None or s in wanted}

    def __getitem__(self, name: TableName) -> Table:
        subject = name.subject
        if subject not in self._tables and subject in self.hashes:
            self.read([subject])
        return self._tables[subject]

    def __iter__(self) -> Iterator[TableName]:
        return tables_among(self.hashes)

    def __len__(self) -> int:
        return len(self.hashes)


@dataclass(slots=True)
class _Inference:
    """One look at the scripts: what is known of them, and what to look at. `gone` are those that exist no more."""

    schemas: _Schemas
    stamps: Mapping[str, Stamp | None]
    everything: bool
    force: bool
    marked: frozenset[str]  # tables whose schema changed since their entries were merged
    gone: set[str] = field(default_factory=set)

    @staticmethod
    def of(deployment: Deployment, scope: Scope) -> "_Inference":
        store = deployment.store
        # Those that are put off because their entry could not be merged are among them.
        reasons = {} if scope.everything else store.work.due_pending(math.inf)
        marked = frozenset(s for s, why in reasons.items() if SCHEMA_REASON in why)
        everything = scope.everything or scope.force
        return _Inference(_Schemas(store.facts), read_stamps(store.facts), everything, scope.force, marked)

    def is_stale(self, subject: str) -> bool:
        """Whether a script that was read is to be read again, whatever its text."""
        stamp = self.stamps[subject]
        return self.everything or stamp is None or not stamp.is_of(self.schemas.hashes)

    def view_texts(self) -> Iterator[_Text]:
        """The texts of views to look at; scripts of tables that are views no more are noted as gone."""
        viewed = {table.subject: s for s in self.stamps if (table := viewed_by(s)) is not None}
        self.gone |= {s for t, s in viewed.items() if t not in self.schemas.hashes}
        again = {t for t, s in viewed.items() if self.is_stale(s)} | self.marked
        looked = self.schemas.read(None if self.everything else again)
        for subject in sorted(looked):
            if (view := looked[subject].view) is not None:
                name = view_script(looked[subject].name)
                yield _Text(ScriptText(name, view.expanded or view.original, view.dialect))
            elif subject in viewed:
                self.gone.add(viewed[subject])

    def job_paths(self, versions: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
        """The job files to look at; scripts of files that are there no more are noted as gone."""
        ours = {Subject.parse(s).name: s for s in self.stamps if viewed_by(s) is None}
        self.gone |= {s for path, s in ours.items() if path not in versions}
        stale = {path for path, s in ours.items() if path in versions and self.is_stale(s)}
        return stale | {p for p in versions if self.everything or versions[p] != known.get(p)}

    def is_known(self, text: _Text) -> bool:
        """Whether it would be read as it was."""
        stamp = self.stamps.get(text.subject)
        return not self.force and stamp is not None and stamp.text == text.digest and stamp.is_of(self.schemas.hashes)

    def read(self, texts: Sequence[_Text], limits: Limits, workers: int | None) -> Iterator[tuple[_Text, Script]]:
        stamps = [stamp for text in texts if (stamp := self.stamps.get(text.subject)) is not None]
        self.schemas.read(table for stamp in stamps for table in stamp.tables)  # at once: they will be asked for
        return zip(texts, read_scripts((t.script for t in texts), self.schemas, limits, workers), strict=True)


def infer_lineage(deployment: Deployment, scope: Scope) -> Counts:
    """Infer what changed and retire scripts that are gone. Counts statements; a file that cannot be read counts as one.

    A run for everything looks at every text; one for what changed only at files with another content than they were
    last read with, and at scripts that name a table whose schema changed. The others count as unchanged.

    Raises:
        Transient, Permanent: the jobs cannot be listed; nothing is retired then.
    """
    store = deployment.store
    counts = Counts()
    order_key = order_key_now()
    events = [w.id for w in store.inbox.waiting(kinds=["job_changed"])]
    inference = _Inference.of(deployment, scope)
    versions, files = _job_files(deployment, inference)
    readings: list[Reading[Script]] = []
    texts = [*_job_texts(deployment, files), *inference.view_texts()]
    for text in (t for t in texts if t.error):
        counts.listed += 1
        counts.errors[text.subject] = text.error
    policy = deployment.platform.policies.lineage
    to_read = [t for t in texts if not t.error and not inference.is_known(t)]
    for text, script in inference.read(to_read, policy.to_limits(), policy.workers or None):
        stamp = Stamp.of(text.subject, text.digest, script, inference.schemas.hashes)
        readings.append(Reading(text.subject, script, order_key, stamp.to_text()))
    _count_unchanged(inference, {r.subject for r in readings}, counts)
    gone: list[Reading[Script]] = [Reading(s, None, order_key, "jobs: gone") for s in sorted(inference.gone)]
    _store(deployment, [*readings, *gone], counts, scope)
    # In this order: the files are taken in again where a process was killed between the two, and then nothing is left.
    store.inbox.finish(events, scope.run_id, "jobs read")
    remember_files(store, JOB_FILES, versions)
    return counts


def _job_files(deployment: Deployment, inference: _Inference) -> tuple[dict[str, str], list[TextFile]]:
    """The versions of all job files, and those of them that are to be looked at."""
    jobs = deployment.jobs()
    versions = {} if jobs is None else dict(jobs.read_versions())
    known = known_files(deployment.store, JOB_FILES)
    refuse_sudden_emptiness("jobs", len(versions), known)
    paths = inference.job_paths(versions, known)
    files = list(jobs.read_files(paths)) if jobs is not None and paths else []
    # A file that went away or changed since it was listed: the next look compares with what was really read.
    versions = {p: v for p, v in versions.items() if p not in paths} | {f.path: f.version for f in files}
    return versions, files


def _job_texts(deployment: Deployment, files: Iterable[TextFile]) -> Iterator[_Text]:
    settings = deployment.platform.jobs
    if settings is not None:
        for file in files:
            yield _decoded(file, settings.dialect)


def _decoded(file: TextFile, dialect: str) -> _Text:
    try:
        return _Text(ScriptText(file.path, file.to_text(), dialect))
    except UnreadableFile as error:
        return _Text(ScriptText(file.path, "", dialect), str(error))


def _count_unchanged(inference: _Inference, changed: Collection[str], counts: Counts) -> None:
    other = inference.stamps.keys() - inference.gone - set(changed) - counts.errors.keys()
    for stamp in (inference.stamps[subject] for subject in other):
        if stamp is not None:
            counts.listed += stamp.statements
            counts.unchanged += stamp.statements


def _store(deployment: Deployment, readings: list[Reading[Script]], counts: Counts, scope: Scope) -> None:
    facts = deployment.store.facts
    scripts = {r.subject: r.content for r in readings}
    before: dict[str, Script] = facts.contents("script", scripts)
    lineage = cache(lambda: LineageFacts(facts))  # most readings are as they were, and then nobody asks

    def reached(subject: str) -> set[str]:
        return reached_by(lineage(), before.get(subject), scripts[subject])

    outcomes = facts.put("script", readings, scope.run_id, Marks("lineage", reached))
    for subject, script in scripts.items():
        number = len(script.statements) if script is not None else 1
        counts.listed += number
        counts.note(outcomes[subject], number)
