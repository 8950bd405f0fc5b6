"""One deployment, opened: its platform file, its store, and its plug-ins on demand."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError

from metadata_assets.config import Platform
from metadata_assets.destinations.base import Destination, DestinationSettings
from metadata_assets.errors import PlatformError, SelectionError, SpecError, StoreError
from metadata_assets.isolation import guarded
from metadata_assets.model.surroundings import AwsAccess, Surroundings
from metadata_assets.sources.base import FileSource, MetastoreSource, SampleSource
from metadata_assets.specs.finding import errors_of
from metadata_assets.specs.loader import load_document
from metadata_assets.store.store import STORE_FILE, Store

SPEC_SUFFIXES = (".yaml", ".yml")
JOB_SUFFIXES = (".sql", ".hql")
_SHIPPED_PLATFORM = Path(__file__).parents[2] / "yaml_specs" / "platform.yaml"


@dataclass(frozen=True, slots=True)
class Deployment:
    """Everything that a stage works with. Plug-ins are connected where they are used: one that is down hurts alone."""

    platform: Platform
    around: Surroundings
    store: Store

    def metastore(self) -> MetastoreSource:
        source: MetastoreSource = guarded("metastore", lambda: self.platform.metastore.connect(self.around)).unwrap()
        return source

    def specs(self) -> FileSource | None:
        settings = self.platform.specs
        return (
            None
            if settings is None
            else guarded("specs", lambda: settings.connect(self.around, SPEC_SUFFIXES)).unwrap()
        )

    def jobs(self) -> FileSource | None:
        settings = self.platform.jobs
        return (
            None if settings is None else guarded("jobs", lambda: settings.connect(self.around, JOB_SUFFIXES)).unwrap()
        )

    def samples(self) -> SampleSource | None:
        settings = self.platform.samples
        return None if settings is None else guarded("samples", lambda: settings.connect(self.around)).unwrap()

    @property
    def destination_names(self) -> tuple[str, ...]:
        return tuple(d.name for d in self.platform.destinations)

    def destination_settings(self, name: str) -> DestinationSettings:
        """The settings of a destination.

        Raises:
            SelectionError: no destination has this name.
        """
        settings = next((d for d in self.platform.destinations if d.name == name), None)
        if settings is None:
            raise SelectionError(f"no destination {name!r}; there are: {', '.join(self.destination_names)}")
        return settings

    def destination(self, name: str) -> Destination:
        """Connect a destination.

        Raises:
            SelectionError: no destination has this name.
        """
        settings = self.destination_settings(name)
        found: Destination = guarded(name, lambda: settings.connect(self.around, self.store)).unwrap()
        return found


def platform_file(environ: Mapping[str, str]) -> Path:
    """The platform file in use: METADATA_PLATFORM, else the shipped one of the sample lakehouse."""
    return Path(environ.get("METADATA_PLATFORM") or _SHIPPED_PLATFORM).resolve()


def home_folder(environ: Mapping[str, str]) -> Path:
    """Where state lives: METADATA_HOME, else `.metadata` in the working folder."""
    return Path(environ.get("METADATA_HOME") or ".metadata").resolve()


def read_platform(path: Path) -> Platform:
    """Load a platform file.

    Raises:
        PlatformError: the file is missing or unreadable, or something in it is wrong: each error with its place.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PlatformError(
            f"cannot read the platform file {path}: {error.strerror}; set METADATA_PLATFORM to one that exists"
        ) from error
    loaded = load_document(content, shown_path(path), Platform)
    if len(errors := errors_of(loaded.findings)) > 1:
        raise PlatformError("\n".join([f"{len(errors)} errors in the platform file", *map(str, errors)]))
    try:
        return loaded.unwrap()
    except SpecError as error:
        raise PlatformError(str(error)) from error


def shown_path(path: Path) -> str:
    """A path as people know it: relative below the working folder, whole elsewhere."""
    return os.path.relpath(path) if Path(os.path.realpath(path)).is_relative_to(Path.cwd()) else str(path)


def store_url(platform: Platform, around: Surroundings) -> str:
    if platform.store is None:
        return f"sqlite:///{around.home / STORE_FILE}"
    url = around.environ.get(platform.store.url_env)
    if not url:
        raise PlatformError(f"environment variable {platform.store.url_env} (store.url_env) is not set")
    return url


@contextmanager
def opened(environ: Mapping[str, str], open_s3: Callable[[AwsAccess], Any] | None = None) -> Iterator[Deployment]:
    """The deployment that the environment names, with its store open. `open_s3`: see `Surroundings`."""
    path = platform_file(environ)
    platform = read_platform(path)
    around = Surroundings(environ, path.parent, home_folder(environ), open_s3)
    store = Store.open(store_url(platform, around))
    try:
        yield Deployment(platform, around, store)
    except DBAPIError as error:
        first = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
        raise StoreError(f"the store failed: {first}") from error
    finally:
        store.close()
