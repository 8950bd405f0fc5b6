"""The platform file: names that would collide, and foreign classes that lack something, are refused with the reason."""

import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import BaseModel

from metadata_assets.config import RESERVED_NAMES, Platform
from metadata_assets.destinations.base import DestinationSettings
from metadata_assets.destinations.local.config import LocalConfig
from metadata_assets.destinations.workbook.config import WorkbookConfig
from metadata_assets.errors import SpecError
from metadata_assets.sources.base import FileSettings, JobSettings, MetastoreSettings, SampleSettings
from metadata_assets.sources.ddl.config import DdlConfig
from metadata_assets.sources.events.base import EventSettings
from metadata_assets.sources.files.config import FilesConfig
from metadata_assets.sources.folder.config import FolderConfig
from metadata_assets.sources.hive.config import HiveConfig
from metadata_assets.sources.hive.log_config import HiveLogConfig
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.sources.s3.config import S3Config
from metadata_assets.sources.sqs.config import SqsConfig
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.loader import load_document

HEAD = "version: 1\nkind: platform\n"
METASTORE = "metastore: {type: ddl, path: ddl}\n"


class Bare(BaseModel):
    """Lacks everything."""


class WrongGrain(BaseModel):
    grain: ClassVar[str] = "table"
    name: str = "x"

    def connect(self) -> None: ...


class NotAModel:
    """No settings at all."""


def refusal(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        load_document(HEAD + text, "platform.yaml", Platform).unwrap()
    return str(caught.value)


def test_ours_fulfil_the_contracts() -> None:
    folder = FolderConfig(type="folder", path="x", dialect="hive")
    destinations: tuple[DestinationSettings, ...] = (LocalConfig(type="local"), WorkbookConfig(type="workbook"))
    metastores: tuple[MetastoreSettings, ...] = (
        DdlConfig(type="ddl", path="x"),
        HiveConfig(type="hive", uris=("thrift://a:1",)),
    )
    bucket = S3Config(type="s3", bucket="specs")
    files: tuple[FileSettings, ...] = (folder, bucket)
    jobs: tuple[JobSettings, ...] = (folder, bucket)
    samples: SampleSettings = FilesConfig(type="files")
    events: tuple[EventSettings, ...] = (
        KafkaConfig(type="kafka", topic="hive-events", config={"bootstrap.servers": "kafka:9092"}),
        HiveLogConfig(type="hive_log", uris=("thrift://a:1",)),
        SqsConfig(type="sqs", queue="notices"),
    )
    assert all([*destinations, *metastores, *files, *jobs, samples, *events])


@pytest.mark.parametrize("name", sorted(RESERVED_NAMES))
def test_names_of_the_pipeline_are_refused(name: str) -> None:
    message = refusal(METASTORE + f"destinations: [{{type: local, name: {name}}}]\n")
    assert f"destination name '{name}' is the pipeline's own" in message
    assert "declared, documentation" in message, "all of them are listed"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metastore: {type: 'tests.unit.test_config:Bare'}", "Bare lacks connect, databases: see MetastoreSettings in"),
        ("jobs: {type: 'tests.unit.test_config:Bare'}", "lacks connect, dialect, path_of: see JobSettings in"),
        ("specs: {type: 'tests.unit.test_config:Bare'}", "lacks connect, path_of: see FileSettings in"),
        ("samples: {type: 'tests.unit.test_config:Bare'}", "metadata_assets.sources.base"),
        (
            "destinations: [{type: 'tests.unit.test_config:Bare'}]",
            "lacks connect, grain, name: see DestinationSettings",
        ),
        ("destinations: [{type: 'tests.unit.test_config:WrongGrain'}]", "grain must be one of shard, catalog"),
        ("destinations: [{type: 'tests.unit.test_config:NotAModel'}]", "is not a pydantic model"),
        ("destinations: [{type: 'tests.unit.test_config:Nope'}]", "cannot load tests.unit.test_config:Nope"),
        ("destinations: [{type: 'no.such:X'}]", "No module named"),
        ("destinations: [{type: 'a:b:c'}]", "names no class"),
    ],
)
def test_a_foreign_class_that_cannot_do_is_told_why(text: str, message: str) -> None:
    assert message in refusal((METASTORE if "metastore" not in text else "") + text + "\n")


def test_a_foreign_module_that_raises_is_an_error_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "raising_plugin.py").write_text("raise RuntimeError('boo')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "RuntimeError: boo" in refusal("metastore: {type: 'raising_plugin:X'}\n")


def test_check_runs_no_code_that_a_file_names(tmp_path: Path) -> None:
    (tmp_path / "sneaky.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    file = tmp_path / "platform.yaml"
    file.write_text(HEAD + "metastore: {type: 'sneaky:X'}\ndestinations: [{type: 'sneaky:Y', name: mine}]\n")
    code = f"from metadata_assets.cli import main; main(['check', {str(file)!r}])"
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{tmp_path}:{root}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.strip()) == (0, "0 errors, 0 warnings")
    assert not (tmp_path / "ran").exists()


def test_check_still_sees_names_that_collide() -> None:
    class File:
        path = "p.yaml"
        content = (HEAD + METASTORE + "destinations: [{type: 'x:Y', name: sql}]\n").encode()

    (finding,) = load_specs([File()], kinds={"platform": Platform}).findings
    assert "'sql' is the pipeline's own" in finding.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("listeners: [foo]", "'foo' names no function: write package.module:function"),
        ("events: [{type: kafka, topic: t, config: {sasl.password: x}}]", "sasl.password holds a secret"),
        ("events: [{type: kafka, topic: t, config: {ssl.key.pem: x}}]", "ssl.key.pem holds a secret"),
        ("events: [{type: kafka, topic: t, config: {group.id: x}}]", "write `group: NAME`"),
        ("events: [{type: kafka, topic: t, config: {}, config_env: {group.id: X}}]", "write `group: NAME`"),
        ("events: [{type: kafka, topic: t, config: {}, config_env: {a: 'not a name'}}]", "does not match"),
        ("events: [{type: kafka, topic: t, config: {acks: 1}}]", "bootstrap.servers is missing"),
        (
            "events: [{type: kafka, topic: t, config: {bootstrap.servers: a}, config_env: {bootstrap.servers: B}}]",
            "in config and in config_env",
        ),
        ("events: [{type: kafka, topic: t, namespace: x, config: {bootstrap.servers: a}}]", "`format: atlas_hook`"),
        ("events: [{type: sqs, queue: q, catalog: x}]", "catalog belongs to `format: apiary`"),
        ("events: [{type: sqs, queue: q, format: nonsense}]", "apiary"),
        ("events: [{type: hive_log, uris: ['thrift://a:1'], name: drift}]", "none of drift, files, log"),
        ("events: [{type: kafka, topic: t, start: yesterday, config: {}}]", "earliest, latest, or a time"),
        ("events: [{type: hive_log, uris: ['thrift://a:1'], name: Bad-Name}]", "lower-case letters"),
        (
            "events: [{type: hive_log, uris: ['thrift://a:1']}, {type: hive_log, uris: ['thrift://a:1']}]",
            "two are named",
        ),
        ("notify: [{type: webhook, url_env: X, name: log}]", "none of drift, files, log"),
        ("destinations: [{type: workbook, path: cat.csv}]", "'cat.csv' has to end in .xlsx"),
        ("policies: {deletion: {grace: 99999999999d}}", "is too long: write at most 36500d"),
    ],
)
def test_values_are_refused_with_what_to_write(text: str, message: str) -> None:
    assert message in refusal(METASTORE + text + "\n")
