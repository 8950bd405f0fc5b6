"""What all sources on AWS share: the keys of the platform file, clients, and AWS's errors as ours."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from pydantic import BaseModel, Field, model_validator

from metadata_assets.errors import Permanent, PlatformError, Transient, Unreachable
from metadata_assets.model.surroundings import AwsAccess, Surroundings

_CONNECT_SECONDS = 5
_READ_SECONDS = 20
_ATTEMPTS = 3
_SHOWN_CHARACTERS = 200
_VARIABLE = r"^[A-Za-z_]\w*$"
# Refusals by code that another try, or another moment, may cure all the same.
_PASSING = frozenset({
    "ExpiredToken", "ExpiredTokenException", "RequestExpired", "RequestTimeout", "RequestTimeTooSkewed", "SlowDown",
    "Throttling", "ThrottlingException", "TooManyRequestsException", "RequestThrottled", "OperationAborted",
})  # fmt: skip


class AwsConnection(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """How to reach AWS. Without the keys that end in `_env` the ordinary AWS chain finds the credentials."""

    region: str | None = Field(None, description="AWS region; that of the environment or profile without it.")
    endpoint_url: str | None = Field(
        None, pattern=r"^https?://[^\s@]+$", description="Address of a service that speaks like AWS, such as MinIO."
    )
    profile: str | None = Field(None, description="Profile of the AWS configuration files.")
    access_key_env: str | None = Field(None, pattern=_VARIABLE, description="Variable that holds the access key id.")
    secret_key_env: str | None = Field(None, pattern=_VARIABLE, description="Variable that holds the secret key.")
    session_token_env: str | None = Field(None, pattern=_VARIABLE, description="Variable that holds a session token.")

    @model_validator(mode="after")
    def _keys_in_pairs(self) -> "AwsConnection":
        if (self.access_key_env is None) != (self.secret_key_env is None):
            raise ValueError("access_key_env and secret_key_env belong together: set both, or neither")
        if self.session_token_env is not None and self.access_key_env is None:
            raise ValueError("session_token_env belongs to access_key_env and secret_key_env: set these too")
        return self

    def access(self, around: Surroundings, section: str) -> AwsAccess:
        """The settings with what the named variables hold. `section` is where in the platform file this stands.

        Raises:
            PlatformError: a variable is not set.
        """
        keys = (self.access_key_env, self.secret_key_env, self.session_token_env)
        held = [None if name is None else _held(name, around.environ, section) for name in keys]
        return AwsAccess(self.region, self.endpoint_url, self.profile, *held)


def _held(variable: str, environ: Mapping[str, str], section: str) -> str:
    value = environ.get(variable)
    if not value:
        raise PlatformError(f"{section}: variable {variable} is not set: put the key in it that the setting names")
    return value


def open_client(
    service: Literal["s3", "sqs"], access: AwsAccess, make: Callable[[AwsAccess], Any] | None = None
) -> Any:
    """A client of boto3; it connects at its first call and may be used by several threads.

    Args:
        service: what it is a client of.
        access: how to reach it.
        make: makes the client; without it, it is made here.

    Raises:
        PlatformError: there is no such profile, or no region is known.
    """
    from botocore.exceptions import BotoCoreError

    try:
        return _make(service, access) if make is None else make(access)
    except (BotoCoreError, ValueError) as error:
        raise PlatformError(f"{service}: {error}") from None


def _make(service: str, access: AwsAccess) -> Any:
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
    )
    return boto3.session.Session(profile_name=access.profile).client(
        service,
        region_name=access.region,
        endpoint_url=access.endpoint_url,
        aws_access_key_id=access.access_key,
        aws_secret_access_key=access.secret_key,
        aws_session_token=access.session_token,
        config=config,
    )


def code_of(error: Any) -> str:
    """The code of an answer that is an error, such as NoSuchKey."""
    return str(error.response.get("Error", {}).get("Code", ""))


@contextmanager
def translated(what: str) -> Iterator[None]:
    """AWS's errors as ours. `what` says in words what was done, and to what."""
    from botocore.exceptions import (
        BotoCoreError,
        ClientError,
        ConnectionError,  # noqa: A004 - the name that botocore gave it
        CredentialRetrievalError,
        HTTPClientError,
        NoCredentialsError,
        ParamValidationError,
        PartialCredentialsError,
    )

    try:
        yield
    except ClientError as error:
        raise _refused(what, error) from None
    except (NoCredentialsError, PartialCredentialsError, ParamValidationError) as error:
        raise Permanent(f"{what}: {_first_line(error)}") from None
    except CredentialRetrievalError as error:
        raise Transient(f"{what}: {_first_line(error)}") from None
    except (ConnectionError, HTTPClientError) as error:
        raise Unreachable(f"{what}: {_first_line(error)}") from None
    except BotoCoreError as error:
        raise Transient(f"{what}: {_first_line(error)}") from None


def _refused(what: str, error: Any) -> Permanent | Transient:
    code, status = code_of(error), error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    told = f"{what}: {code}: {_first_line(error.response.get('Error', {}).get('Message', ''))}".rstrip(": ")
    if code in _PASSING or status >= 500:
        return Transient(told)
    return Permanent(f"{told}. Check the name, the region, and what the credentials may do")


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [""])[0][:_SHOWN_CHARACTERS]
