"""Lineage of SQL jobs and views: each script is read again when its text, or a schema that it names, changed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from metadata_assets.lineage.script import ENGINE_VERSION, infer_script
from metadata_assets.model.counts import Counts
from metadata_assets.model.lineage import Script, view_script
from metadata_assets.model.subject import Subject
from metadata_assets.model.table import Table, TableName
from metadata_assets.sources.base import TextFile
from metadata_assets.stages.clock import order_key_now
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.fingerprint import fingerprint
from metadata_assets.stages.ingested import JOB_FILES, known_files, refuse_sudden_emptiness, remember_files
from metadata_assets.stages.scope import Scope
from metadata_assets.store.facts import Fact, Marks, Reading


@dataclass(frozen=True, slots=True)
class _Text:
    """A script to read: its name (a path, or by `view_script`), its text and dialect. `error`: it could not be read."""

    name: str
    text: str
    dialect: str
    error: str = ""


def infer_lineage(deployment: Deployment, scope: Scope) -> Counts:
    """Infer what changed and retire scripts that are gone. Counts statements; a file that cannot be read counts as one.

    Raises:
        Transient, Permanent: the jobs cannot be listed; nothing is retired then.
    """
    store = deployment.store
    counts = Counts()
    order_key = order_key_now()
    known: dict[TableName, Table] = {t.name: t for t in store.facts.contents("schema").values()}
    schema_hashes = store.facts.hashes("schema")
    events = [w.id for w in store.inbox.waiting() if w.event.kind == "job_changed"]
    before = {f.subject: f for f in store.facts.latest("script") if f.content is not None}
    readings = []
    seen = set()
    files = _job_files(deployment)
    for text in [*_job_texts(deployment, files), *_view_texts(known)]:
        subject = str(Subject("script", text.name))
        seen.add(subject)
        if text.error:
            counts.listed += 1
            counts.errors[subject] = text.error
            continue
        old = before.get(subject)
        if old is not None and not scope.force and old.source == _key(text, old.content, schema_hashes):
            counts.listed += len(old.content.statements)
            counts.unchanged += len(old.content.statements)
            continue
        script = infer_script(text.name, text.text, text.dialect, known)
        readings.append(Reading(subject, script, order_key, _key(text, script, schema_hashes)))
    gone: list[Reading[Script]] = [Reading(s, None, order_key, "jobs: gone") for s in before if s not in seen]
    _store(deployment, [*readings, *gone], before, counts, scope)
    remember_files(store, JOB_FILES, {f.path: f.version for f in files})
    store.inbox.finish(events, scope.run_id, "jobs read")
    return counts


def _job_files(deployment: Deployment) -> list[TextFile]:
    jobs = deployment.jobs()
    files = [] if jobs is None else list(jobs.read_files())
    refuse_sudden_emptiness("jobs", len(files), known_files(deployment.store, JOB_FILES))
    return files


def _job_texts(deployment: Deployment, files: Iterable[TextFile]) -> Iterator[_Text]:
    settings = deployment.platform.jobs
    if settings is not None:
        for file in files:
            yield _decoded(file, settings.dialect)


def _view_texts(known: Mapping[TableName, Table]) -> Iterator[_Text]:
    for table in sorted(known.values(), key=lambda t: t.name):
        if table.view is not None:
            yield _Text(view_script(table.name), table.view.expanded or table.view.original, table.view.dialect)


def _decoded(file: TextFile, dialect: str) -> _Text:
    try:
        return _Text(file.path, file.content.decode("utf-8-sig"), dialect)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not UTF-8: save the file as UTF-8"
        return _Text(file.path, "", dialect, reason)


def _key(text: _Text, script: Script, schema_hashes: Mapping[str, str]) -> str:
    """What the result depends on: the text, the engine, and the schemas of all tables that it names."""
    tables = sorted({t for s in script.statements for t in s.tables}, key=str)
    schemas = (f"{t}{schema_hashes.get(t.subject, '')}" for t in tables)
    return fingerprint([ENGINE_VERSION, text.dialect, text.text, *schemas])


def _store(
    deployment: Deployment, readings: list[Reading[Script]], before: Mapping[str, Fact], counts: Counts, scope: Scope
) -> None:
    scripts = {r.subject: r.content for r in readings}

    def filled(subject: str) -> set[str]:
        old = before.get(subject)
        return _outputs(scripts[subject]) | _outputs(old.content if old else None)

    outcomes = deployment.store.facts.put("script", readings, scope.run_id, Marks("lineage", filled))
    for subject, script in scripts.items():
        number = len(script.statements) if script is not None else 1
        counts.listed += number
        counts.note(outcomes[subject], number)


def _outputs(script: Script | None) -> set[str]:
    return {t.subject for s in (script.statements if script else ()) for t in s.outputs}
