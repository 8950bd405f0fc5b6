"""Nodes to plain values. Trouble is collected with the path where it lies, so that the rest can still be used."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import yaml

from metadata_assets.specs.finding import Place, SpecFinding
from metadata_assets.specs.nodes import DocumentNode
from metadata_assets.specs.scalars import PREFIX, Refused, parse_scalar, quoting, readable_tag
from metadata_assets.specs.text import Limits

Path = tuple[str | int, ...]
_MERGE = PREFIX + "merge"
_SHAPES = frozenset({PREFIX + "map", PREFIX + "seq"})


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding and the path of the value that it makes unusable."""

    path: Path
    finding: SpecFinding


@dataclass(frozen=True, slots=True)
class Located:
    """Where a path led: the part of it that exists, the node there and the key that names it."""

    path: Path
    node: yaml.Node
    key: yaml.Node | None


class Tree:
    """The values of a document, and the place of every path in it.

    Places are looked up by walking the nodes: few are ever asked for, and a table of all would cost more than parsing.
    """

    def __init__(self, document: DocumentNode) -> None:
        self._document = document

    def locate(self, path: Sequence[str | int]) -> Located:
        """Follow a path as far as it goes; parts that name nothing here (pydantic adds such) are passed over."""
        node, key, followed = self._document.root, None, list[str | int]()
        for part in path:
            step = _step(node, part)
            if step is not None:
                key, node = step
                followed.append(part)
        return Located(tuple(followed), node, key)

    def place(self, path: Sequence[str | int] = ()) -> Place:
        return self.place_of(self.locate(path).node)

    def key_place(self, path: Sequence[str | int]) -> Place:
        """The place of the key that the path ends in, or of the value where it has no key."""
        located = self.locate(path)
        return self.place_of(located.key or located.node)

    def place_of(self, node: yaml.Node) -> Place:
        return self._document.text.place(self._document.offset(node))

    @property
    def root(self) -> yaml.Node:
        return self._document.root


def _step(node: yaml.Node, part: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    if isinstance(part, int):
        entries = node.value if isinstance(node, yaml.SequenceNode) else ()
        return (None, entries[part]) if 0 <= part < len(entries) else None
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == part:
                return key, value
    return None


class TooMuch(Exception):
    """A document whose aliases expand beyond the limits."""


def convert(tree: Tree, limits: Limits) -> tuple[object, list[Problem]]:
    """The plain value of a document and the problems in it. An unusable value is None in its place."""
    converter = _Converter(tree, limits)
    try:
        value = converter.value(tree.root)
    except (TooMuch, RecursionError) as error:
        message = str(error) if isinstance(error, TooMuch) else "aliases nest this document too deeply"
        hint = "write the repeated parts out, or split the file"
        return None, [Problem((), SpecFinding.at(tree.place(), message, hint))]
    return value, converter.problems


@dataclass(slots=True)
class _Converter:
    tree: Tree
    limits: Limits
    problems: list[Problem] = field(default_factory=list)
    path: list[str | int] = field(default_factory=list)
    open: set[int] = field(default_factory=set)  # ids of the collections that we are inside of
    seen: set[int] = field(default_factory=set)  # ids of all collections met: a second meeting is an alias
    aliases: int = 0
    nodes: int = 0

    def report(self, node: yaml.Node, message: str, hint: str, key: str | None = None) -> None:
        path = (*self.path, key) if key is not None else tuple(self.path)
        self.problems.append(Problem(path, SpecFinding.at(self.tree.place_of(node), message, hint)))

    def spend(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > self.limits.nodes:
            raise TooMuch(f"aliases make this document grow beyond {self.limits.nodes:,} values")

    def value(self, node: yaml.Node) -> object:
        self.spend(1)
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if not self.enter(node):
            return None
        try:
            if isinstance(node, yaml.MappingNode):
                return self.mapping(node)
            return self.sequence(node) if isinstance(node, yaml.SequenceNode) else None
        finally:
            self.open.discard(id(node))

    def enter(self, node: yaml.Node) -> bool:
        if id(node) in self.open:
            self.report(node, "an alias refers to what it stands in", "write the inner part out")
            return False
        if id(node) in self.seen:
            self.aliases += 1
            if self.aliases > self.limits.aliases:
                raise TooMuch(f"aliases are used more than {self.limits.aliases:,} times in this document")
        if node.tag not in _SHAPES:
            self.report(node, f"the tag {readable_tag(node)} is not allowed", "remove it")
            return False
        if len(self.path) > self.limits.depth:
            raise TooMuch(f"aliases nest this document deeper than {self.limits.depth} levels")
        self.seen.add(id(node))
        self.open.add(id(node))
        return True

    def scalar(self, node: yaml.ScalarNode) -> object:
        value = parse_scalar(node)
        if isinstance(value, Refused):
            self.report(node, value.message, value.hint)
            return None
        return value

    def sequence(self, node: yaml.SequenceNode) -> list[object]:
        values = []
        for index, entry in enumerate(node.value):
            self.path.append(index)
            values.append(self.value(entry))
            self.path.pop()
        return values

    def mapping(self, node: yaml.MappingNode) -> dict[str, object]:
        self.check_keys(node)
        values: dict[str, object] = {}
        self.flatten(node)
        for key, child in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value not in values:
                self.path.append(key.value)
                values[key.value] = self.value(child)
                if values[key.value] is None:
                    self.check_blank(key, child)
                self.path.pop()
        return values

    def check_blank(self, key: yaml.ScalarNode, child: yaml.Node) -> None:
        if isinstance(child, yaml.ScalarNode) and child.value == "" and not child.style:
            hint = "write null to empty it on purpose, or remove the key"
            message = f"the key {key.value!r} has no value, which is read as null"
            finding = SpecFinding.at(self.tree.place_of(key), message, hint, "warning")
            self.problems.append(Problem(tuple(self.path), finding))

    def check_keys(self, node: yaml.MappingNode) -> None:
        first: dict[str, yaml.Node] = {}
        for key, _ in node.value:
            if key.tag == _MERGE:
                continue
            if not isinstance(key, yaml.ScalarNode):
                self.report(
                    key, "a list or a mapping stands where a key is wanted", "put quotes around text with braces"
                )
            elif not str(key.tag).endswith(":str"):
                self.report_odd_key(key)
            elif key.value in first:
                line = self.tree.place_of(first[key.value])
                message = f"the key {key.value!r} is given twice, first in line {line.line}"
                self.report(key, message, "keep one of the two", key.value)
            else:
                first[key.value] = key

    def report_odd_key(self, key: yaml.ScalarNode) -> None:
        value = parse_scalar(key)
        if isinstance(value, Refused):
            self.report(key, f"as a key, {value.message}", quoting(key), key.value)
        else:
            self.report(key, f"the key {key.value!r} is not read as text", quoting(key), key.value)

    def flatten(self, node: yaml.MappingNode, merging: frozenset[int] = frozenset()) -> None:
        """Replace `<<` by the keys of what it names, in place, so that places are found too. Own keys win."""
        own = [(key, child) for key, child in node.value if key.tag != _MERGE]
        if len(own) == len(node.value):
            return
        names = {key.value for key, _ in own if isinstance(key, yaml.ScalarNode)}
        for other in _merged(node):
            if not isinstance(other, yaml.MappingNode) or id(other) in self.open | merging:
                self.report(other, "'<<' takes the alias of a mapping", "write `<<: *name`, or the keys themselves")
                continue
            self.flatten(other, merging | {id(node), id(other)})
            self.spend(len(other.value))
            own.extend((key, child) for key, child in other.value if key.value not in names)
            names.update(key.value for key, _ in other.value if isinstance(key, yaml.ScalarNode))
        node.value = own


def _merged(node: yaml.MappingNode) -> list[yaml.Node]:
    found = list[yaml.Node]()
    for key, child in node.value:
        if key.tag == _MERGE:
            found.extend(child.value if isinstance(child, yaml.SequenceNode) else (child,))
    return found
