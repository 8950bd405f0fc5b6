"""A bucket as moto plays it: read whole, by the command line's client and by Dagster's."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from examples.services.moto import Moto
from examples.services.process import free_port
from metadata_assets.defs.resources import Deployments, open_s3
from metadata_assets.errors import Permanent, Unreachable
from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.sources.base import FileSource
from metadata_assets.sources.s3.config import S3Config
from metadata_assets.stages.watching import watch_specs
from tests.integration.cloud import BUCKET, ENVIRON, keys_of, put
from tests.surroundings import around

pytestmark = pytest.mark.aws

ODD_KEYS = ("a b+c%2F&=.yaml", "é/😀.yaml", "x\x01y.yml", "deep/er/est.yaml", "semi;colon'quote\".yaml")


@pytest.fixture(params=[None, open_s3], ids=["command line", "Dagster"])
def bucket(request: pytest.FixtureRequest, aws: Moto, s3: Any) -> FileSource:
    surroundings = replace(around(**ENVIRON), open_s3=request.param)
    return S3Config(type="s3", bucket=BUCKET, prefix="main", **keys_of(aws)).connect(surroundings, (".yaml", ".yml"))


def test_a_bucket_is_read_whole_whatever_its_keys_hold(bucket: FileSource, s3: Any) -> None:
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda n: put(s3, f"main/many/{n:04}.yaml", str(n)), range(1050)))
    for key in (*ODD_KEYS, "notes.txt", ".hidden/a.yaml", "folder.yaml/"):
        put(s3, f"main/{key}", key)
    put(s3, "maintenance/a.yaml")
    files = list(bucket.read_files())
    assert [f.path for f in files] == sorted([*ODD_KEYS, *(f"many/{n:04}.yaml" for n in range(1050))])
    assert {f.path: f.content.decode() for f in files if f.path in ODD_KEYS} == {key: key for key in ODD_KEYS}
    assert bucket.read_versions() == {f.path: f.version for f in files}


def test_versions_tell_every_write_and_every_deletion(bucket: FileSource, s3: Any) -> None:
    for key in ("a", "b", "c"):
        put(s3, f"main/{key}.yaml", "old")
    before = bucket.read_versions()
    put(s3, "main/a.yaml", "new")  # within the same second as the first
    put(s3, "main/b.yaml", "old")
    s3.delete_object(Bucket=BUCKET, Key="main/c.yaml")
    after = bucket.read_versions()
    assert sorted(after) == ["a.yaml", "b.yaml"]
    assert after["a.yaml"] != before["a.yaml"]
    assert after["b.yaml"] == before["b.yaml"], "the same content is the same version"


def test_a_delete_marker_is_a_deletion(bucket: FileSource, s3: Any) -> None:
    s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    put(s3, "main/a.yaml", "1")
    put(s3, "main/a.yaml", "2")
    assert [f.content for f in bucket.read_files()] == [b"2"]
    s3.delete_object(Bucket=BUCKET, Key="main/a.yaml")
    assert bucket.read_versions() == {}


@pytest.mark.parametrize("how", [None, open_s3])
def test_a_bucket_or_server_that_is_not_there_is_told(how: Callable[[AwsAccess], Any] | None, aws: Moto) -> None:
    surroundings = replace(around(**ENVIRON), open_s3=how)
    with pytest.raises(Permanent, match="NoSuchBucket"):
        S3Config(type="s3", bucket="nobodys", **keys_of(aws)).connect(surroundings, (".yaml",)).read_versions()
    nowhere = keys_of(aws) | {"endpoint_url": f"http://127.0.0.1:{free_port()}"}
    with pytest.raises(Unreachable):
        S3Config(type="s3", bucket=BUCKET, **nowhere).connect(surroundings, (".yaml",)).read_versions()


def test_sensors_and_runs_read_the_bucket_with_the_client_of_dagster(
    aws: Moto, s3: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(s3, "main/a.yaml", "version: 1\nkind: documentation\ntables: []\n")
    keys = "region: eu-west-1, access_key_env: KEY, secret_key_env: SECRET"
    (tmp_path / "ddl").mkdir()
    (tmp_path / "platform.yaml").write_text(
        f"version: 1\nkind: platform\nmetastore: {{type: ddl, path: ddl}}\n"
        f'specs: {{type: s3, bucket: {BUCKET}, prefix: main, endpoint_url: "{aws.endpoint}", {keys}}}\n'
    )
    environ = ENVIRON | {"METADATA_PLATFORM": str(tmp_path / "platform.yaml"), "METADATA_HOME": str(tmp_path)}
    with Deployments(environ).opened() as deployment:
        assert deployment.around.open_s3 is open_s3
        assert watch_specs(deployment).changed == ("a.yaml",)
