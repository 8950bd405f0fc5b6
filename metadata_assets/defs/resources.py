"""What assets and sensors are given: a way to open the deployment."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from metadata_assets.stages.deployment import Deployment, opened


class Deployments:
    """Opens the deployment that an environment names, anew for each step: nothing is held between runs."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = dict(environ)

    @contextmanager
    def opened(self) -> Iterator[Deployment]:
        with opened(self._environ) as deployment:
            yield deployment
