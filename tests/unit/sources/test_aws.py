"""AWS's errors as ours, and settings that are half of a pair."""

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
    ResponseStreamingError,
)
from pydantic import ValidationError

from metadata_assets.errors import MetadataError, Permanent, PlatformError, Transient, Unreachable
from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.sources.aws import AwsConnection, open_client, translated
from tests.surroundings import around

KEYS = {"access_key_env": "KEY", "secret_key_env": "SECRET"}


def refused(code: str, status: int, message: str = "no") -> ClientError:
    return ClientError(
        {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}},
        "ListObjectsV2",
    )


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (refused("NoSuchBucket", 404), Permanent),
        (refused("AccessDenied", 403), Permanent),
        (refused("InvalidAccessKeyId", 403), Permanent),
        (refused("PermanentRedirect", 301), Permanent),
        (refused("AWS.SimpleQueueService.NonExistentQueue", 400), Permanent),
        (refused("ExpiredToken", 400), Transient),
        (refused("SlowDown", 503), Transient),
        (refused("InternalError", 500), Transient),
        (refused("ThrottlingException", 400), Transient),
        (NoCredentialsError(), Permanent),
        (EndpointConnectionError(endpoint_url="http://x"), Unreachable),
        (ReadTimeoutError(endpoint_url="http://x"), Unreachable),
        (ResponseStreamingError(error="cut"), Unreachable),
        (BotoCoreError(), Transient),
    ],
)
def test_errors_are_ours(error: Exception, kind: type[MetadataError]) -> None:
    with pytest.raises(MetadataError) as caught, translated("listing s3://b/"):
        raise error
    assert type(caught.value) is kind
    assert str(caught.value).startswith("listing s3://b/: ")


def test_an_error_says_what_to_do() -> None:
    with pytest.raises(Permanent) as caught, translated("listing s3://b/"):
        raise refused("NoSuchBucket", 404, "The bucket does not exist\nsecond line")
    assert str(caught.value) == (
        "listing s3://b/: NoSuchBucket: The bucket does not exist. "
        "Check the name, the region, and what the credentials may do"
    )


def test_keys_come_from_variables_and_are_not_shown() -> None:
    access = AwsConnection(**KEYS).access(around(KEY="id", SECRET="hunter2"), "events: sqs")
    assert (access.access_key, access.secret_key, access.session_token) == ("id", "hunter2", None)
    assert "hunter2" not in repr(access)
    with pytest.raises(PlatformError, match="events: sqs: variable SECRET is not set"):
        AwsConnection(**KEYS).access(around(KEY="id"), "events: sqs")


@pytest.mark.parametrize(
    "settings",
    [
        {"access_key_env": "KEY"},
        {"secret_key_env": "SECRET"},
        {"session_token_env": "TOKEN"},
        {"endpoint_url": "s3.host"},
        {"endpoint_url": "http://user:password@host"},
        {"access_key_env": "AKIA/x", "secret_key_env": "S"},
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ValidationError) as caught:
        AwsConnection.model_validate(settings)
    assert "password" not in str(caught.value)


def test_a_profile_that_is_not_there_is_an_error_of_the_platform_file() -> None:
    with pytest.raises(PlatformError, match="nobody"):
        open_client("s3", AwsAccess(profile="nobody"))
