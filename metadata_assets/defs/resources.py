"""What assets and sensors are given: a way to open the deployment."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.stages.deployment import Deployment, opened

# It has no setting for time-outs: with more attempts an address that never answers would outlast the tick of a sensor.
_ATTEMPTS = 2


def open_s3(access: AwsAccess) -> Any:
    """A client of S3 as dagster-aws makes it. What is not set, the ordinary AWS chain decides."""
    # Imported where it is needed: it takes longer to load than all the rest here.
    from dagster_aws.s3 import S3Resource

    return S3Resource(
        region_name=access.region,
        endpoint_url=access.endpoint_url,
        profile_name=access.profile,
        aws_access_key_id=access.access_key,
        aws_secret_access_key=access.secret_key,
        aws_session_token=access.session_token,
        max_attempts=_ATTEMPTS,
    ).get_client()


class Deployments:
    """Opens the deployment that an environment names, anew for each step: nothing is held between runs."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = dict(environ)

    @contextmanager
    def opened(self) -> Iterator[Deployment]:
        with opened(self._environ, open_s3) as deployment:
            yield deployment
