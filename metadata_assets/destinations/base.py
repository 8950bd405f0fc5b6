"""The role of a destination: somewhere metadata is published."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol

from metadata_assets.model.entity import Changes, Published, Receipt, Wanted
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.store import Store

# `shard`: asked for one shard of tables at a time; `catalog`: asked for everything at once. The config class of a
# destination states it as `grain`, so that its assets are known before anything is connected.
Grain = Literal["shard", "catalog"]


class Destination(Protocol):
    """`diff` only reads, `apply` only writes; both may raise `Transient` or `Permanent` for the system as a whole."""

    def diff(self, wanted: Wanted, published: Mapping[str, Published]) -> Changes:
        """What separates the destination from `wanted`, field by field.

        `published` is what we wrote there before, by subject. A destination that can read its own state cheaply
        should compare with that; one that cannot compares with `published`.
        """
        ...

    def apply(self, changes: Changes) -> Receipt:
        """Write the changes, which another instance may have worked out. Doing it twice ends in the same state.

        One that fails is named in the receipt and does not stop the others.
        """
        ...


class DestinationSettings(Protocol):
    """The config class of a destination, a pydantic model of the keys beside `type` in the platform file.

    `name` is a field: it names the destination in assets and on the command line, and `[a-z][a-z0-9_]*` is allowed.
    """

    grain: ClassVar[Grain]

    @property
    def name(self) -> str: ...

    def connect(self, around: Surroundings, store: Store) -> Destination:
        """Make the destination. What is slow or may fail belongs into its methods, and imports of clients into here."""
        ...
