"""Listing and reading a bucket where S3 does what moto never does: pages that break off, objects that are closed."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.response import StreamingBody
from botocore.stub import Stubber

from metadata_assets.errors import MetadataError, Permanent, Transient
from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.sources.aws import open_client
from metadata_assets.sources.base import MAX_TEXT_BYTES, TOO_BIG, TextFile
from metadata_assets.sources.s3 import client as module
from metadata_assets.sources.s3.client import Bucket

SUFFIXES = (".yaml", ".yml")


@pytest.fixture
def client() -> Any:
    return open_client("s3", AwsAccess("eu-west-1", access_key="id", secret_key="key"))


@pytest.fixture
def s3(client: Any) -> Iterator[Stubber]:
    with Stubber(client) as stubber:
        yield stubber
    client.close()


@pytest.fixture
def bucket(client: Any) -> Bucket:
    return Bucket(client, "meta", "main/", SUFFIXES)


def listed(*keys: str, size: int = 3, **more: Any) -> dict[str, Any]:
    return {"Contents": [{"Key": k, "ETag": f'"etag of {k}"', "Size": size} for k in keys], **more}


def content(text: bytes, etag: str, length: int | None = None) -> dict[str, Any]:
    body = StreamingBody(io.BytesIO(text), len(text))
    return {"Body": body, "ETag": f'"{etag}"', "ContentLength": len(text) if length is None else length}


def test_pages_are_followed_to_the_end(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/b.yaml", IsTruncated=True, NextContinuationToken="next"))
    s3.add_response("list_objects_v2", listed("main/a.yml", "main/notes.txt", "main/.x/c.yaml", IsTruncated=False))
    assert bucket.read_versions() == {"b.yaml": "etag of main/b.yaml", "a.yml": "etag of main/a.yml"}
    s3.assert_no_pending_responses()


def test_a_listing_that_breaks_off_does_not_look_like_deletions(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml", IsTruncated=True, NextContinuationToken="next"))
    s3.add_client_error("list_objects_v2", "InternalError", http_status_code=500)
    with pytest.raises(Transient, match="listing s3://meta/main/: InternalError"):
        bucket.read_versions()


def test_a_listing_that_promises_more_and_does_not_say_where_is_not_believed(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml", IsTruncated=True))
    with pytest.raises(Transient, match="broke off after 1 pages"):
        list(bucket.read_files())


def test_a_bucket_far_too_big_is_refused(s3: Stubber, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PAGES", 2)
    for page in range(3):
        s3.add_response("list_objects_v2", listed(IsTruncated=True, NextContinuationToken=str(page)))
    with pytest.raises(Permanent, match="more than 2,000 objects: set `prefix`"):
        bucket.read_versions()


def test_a_file_that_changed_since_the_listing_has_the_version_of_its_content(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml"))
    s3.add_response("get_object", content(b"new", "newer"), {"Bucket": "meta", "Key": "main/a.yaml"})
    assert list(bucket.read_files()) == [TextFile("a.yaml", b"new", "newer")]


def test_a_file_that_is_gone_since_the_listing_is_left_to_the_next_look(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml"))
    s3.add_client_error("get_object", "NoSuchKey", http_status_code=404)
    assert list(bucket.read_files()) == []


@pytest.mark.parametrize(
    ("listed_size", "length"), [(MAX_TEXT_BYTES + 1, None), (3, MAX_TEXT_BYTES + 1)], ids=["listed", "grown"]
)
def test_a_file_far_too_big_is_told_and_not_read(
    listed_size: int, length: int | None, s3: Stubber, bucket: Bucket
) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml", size=listed_size))
    if length is not None:
        s3.add_response("get_object", content(b"x", "etag of main/a.yaml", length))
    assert list(bucket.read_files()) == [TextFile("a.yaml", b"", "etag of main/a.yaml", TOO_BIG)]


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidObjectState"])
def test_a_closed_object_is_told_with_the_version_that_the_listing_shows(
    code: str, s3: Stubber, bucket: Bucket
) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml"))
    s3.add_client_error("get_object", code, http_status_code=403)
    (file,) = bucket.read_files()
    assert (file.content, file.version) == (b"", "etag of main/a.yaml")
    assert file.problem == f"the bucket does not hand it out: {code}"


@pytest.mark.parametrize(("code", "kind"), [("SlowDown", Transient), ("InvalidAccessKeyId", Permanent)])
def test_trouble_with_all_of_s3_is_not_trouble_with_a_file(
    code: str, kind: type[MetadataError], s3: Stubber, bucket: Bucket
) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml"))
    s3.add_client_error("get_object", code, http_status_code=403)
    with pytest.raises(kind, match=r"reading s3://meta/main/a\.yaml"):
        list(bucket.read_files())


def test_only_wanted_files_are_read(s3: Stubber, bucket: Bucket) -> None:
    s3.add_response("list_objects_v2", listed("main/a.yaml", "main/b.yaml"))
    s3.add_response("get_object", content(b"b", "e"), {"Bucket": "meta", "Key": "main/b.yaml"})
    assert [f.path for f in bucket.read_files({"b.yaml", "gone.yaml"})] == ["b.yaml"]
