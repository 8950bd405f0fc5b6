"""Which objects of a bucket are files of a tree."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.sources.s3.config import S3Config
from tests.surroundings import around


@pytest.mark.parametrize(
    ("prefix", "url", "path"),
    [
        ("main/", "s3://meta/main/a/b.yaml", "a/b.yaml"),
        ("main", "s3a://meta/main/a.yaml", "a.yaml"),
        ("/main//", "s3n://meta/main/a.yaml", "a.yaml"),
        ("", "s3://meta/a b?#%41.yaml", "a b?#%41.yaml"),
        ("main", "s3://meta/maintenance/a.yaml", None),
        ("main", "s3://meta/main", None),
        ("main", "s3://meta/main/", None),
        ("main", "s3://meta/main/folder/", None),
        ("main", "s3://other/main/a.yaml", None),
        ("main", "https://meta/main/a.yaml", None),
        ("main", "meta/main/a.yaml", None),
        ("", "s3://meta", None),
        ("main", "s3://meta/main/.git/a.yaml", None),
        ("main", "s3://meta/main/x/.a.yaml", None),
        (".hidden", "s3://meta/.hidden/a.yaml", "a.yaml"),
    ],
)
def test_the_path_of_an_object(prefix: str, url: str, path: str | None) -> None:
    assert S3Config(type="s3", bucket="meta", prefix=prefix).path_of(url) == path


@pytest.mark.parametrize("bucket", ["", "a", "s3://meta", "meta/main", "meta main"])
def test_a_bucket_is_named_by_its_name_alone(bucket: str) -> None:
    with pytest.raises(ValidationError):
        S3Config(type="s3", bucket=bucket)


def test_the_client_is_made_by_the_host_where_it_has_its_own_way() -> None:
    asked: list[AwsAccess] = []

    def open_s3(access: AwsAccess) -> Any:
        asked.append(access)
        return object()

    config = S3Config(type="s3", bucket="meta", region="eu-west-1", endpoint_url="http://minio:9000", profile="p")
    source = config.connect(replace(around(), open_s3=open_s3), (".yaml",))
    assert asked == [AwsAccess("eu-west-1", "http://minio:9000", "p")]
    assert source.locate("a/b.yaml") == "s3://meta/a/b.yaml"
