"""The role of a notifier: a channel by which people are told."""

from collections.abc import Sequence
from typing import Protocol

from metadata_assets.model.notice import Notice, Severity
from metadata_assets.model.surroundings import Surroundings


class Notifier(Protocol):
    def send(self, notices: Sequence[Notice]) -> None:
        """Tell of all of them, or raise `Transient` or `Permanent`; then all of them are sent again later."""
        ...


class NotifierSettings(Protocol):
    """What an item of `notify` in the platform file becomes. `name` is unique; `severity` the least that it takes."""

    @property
    def name(self) -> str: ...

    @property
    def severity(self) -> Severity: ...

    def connect(self, around: Surroundings) -> Notifier: ...
