"""The role of a destination: somewhere metadata is published."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from metadata_assets.model.publication import Changes, Published, Receipt, Wanted
from metadata_assets.model.subject import SubjectKind
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.store import Store

# `shard`: asked for one shard of tables at a time; `catalog`: asked for everything at once. The config class of a
# destination states it as `grain`, so that its assets are known before anything is connected.
Grain = Literal["shard", "catalog"]


@dataclass(frozen=True, slots=True)
class Part:
    """What one step gives to a destination: an asset `<destination>_<name>`.

    `kinds` are the kinds of entries that the part holds; with `by_shard` a step is given those of some shards only.
    `description` is for people who look at the asset; `{name}` in it stands for the destination.
    """

    name: str
    kinds: frozenset[SubjectKind]
    description: str
    by_shard: bool = False


GLOSSARY = Part(
    "glossary",
    frozenset({"database", "category", "term"}),
    "Databases, glossary categories and terms at {name}, before anything refers to them.",
)
TABLES = Part(
    "tables",
    frozenset({"table"}),
    "Tables at {name} with columns, documentation, tags and terms: only what differs is written.",
    by_shard=True,
)
LINEAGE = Part(
    "lineage",
    frozenset({"process"}),
    "Jobs at {name} with the tables and columns that they read and fill; written after the tables.",
)
CATALOG = Part(
    "catalog",
    GLOSSARY.kinds | TABLES.kinds | LINEAGE.kinds,
    "The whole catalog written to {name} in one go: one read, one difference, one write.",
)
# The parts of a destination, each written after the one before it: later ones refer to entries of earlier ones.
PARTS: Mapping[Grain, tuple[Part, ...]] = {"shard": (GLOSSARY, TABLES, LINEAGE), "catalog": (CATALOG,)}


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
