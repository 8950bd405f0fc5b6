"""Text to PyYAML nodes, one root a document, within limits."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import yaml

from metadata_assets.specs import syntax
from metadata_assets.specs.finding import SpecFinding
from metadata_assets.specs.text import Limits, SourceText, forbidden_character


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """The root node of a document. Marks count from `start`, the offset of the document's part in its file."""

    text: SourceText
    start: int
    root: yaml.Node

    def offset(self, node: yaml.Node) -> int:
        return self.start + int(node.start_mark.index)


@dataclass(slots=True)
class Composed:
    """What a text holds; `broken` counts the parts that could not be read as YAML."""

    documents: list[DocumentNode] = field(default_factory=list)
    findings: list[SpecFinding] = field(default_factory=list)
    broken: int = 0


class _LimitReached(yaml.YAMLError):
    """Ends the composing of a file that asks for too much, before its nodes fill the memory."""


class _Guard:
    """Counts nodes and levels in a hook that the composer calls for each node (meant for resolvers by path, unused)."""

    limits: Limits
    nodes: int
    depth: int

    def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
        self.nodes += 1
        self.depth += 1
        if self.nodes > self.limits.nodes:
            raise _LimitReached(f"the file has more than {self.limits.nodes:,} values")
        if self.depth > self.limits.depth:
            raise _LimitReached(f"the file is nested deeper than {self.limits.depth} levels")

    def ascend_resolver(self) -> None:
        self.depth -= 1


# The C parser is ten times as fast; a PyYAML built without it has only the other.
_PARSER: type = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_GuardedLoader: Any = type("_GuardedLoader", (_Guard, _PARSER), {})


def compose_documents(text: SourceText, limits: Limits) -> Composed:
    """Every document that can be read, and a finding for each that cannot. Never raises for what the text holds."""
    composed = Composed()
    nodes = 0
    for start, part in text.cut():
        bad = forbidden_character(text, start, part)
        if bad is not None:
            composed.findings.append(bad)
            composed.broken += 1
            continue
        loader = _GuardedLoader(part)
        loader.limits, loader.nodes, loader.depth = limits, nodes, 0
        try:
            composed.documents.extend(DocumentNode(text, start, root) for root in _roots(loader))
        except yaml.MarkedYAMLError as error:
            composed.findings.append(syntax.to_finding(error, text, start))
            composed.broken += 1
        except (_LimitReached, RecursionError) as error:
            what = str(error) if isinstance(error, _LimitReached) else "the file is nested too deeply"
            composed.findings.append(SpecFinding.at(text.place(start), what, "split it, and write it flatter"))
            composed.broken += 1
        finally:
            loader.dispose()
        nodes = loader.nodes
    return composed


def _roots(loader: Any) -> Iterator[yaml.Node]:
    while loader.check_node():
        root = cast(yaml.Node, loader.get_node())
        if not _is_nothing(root):
            yield root


def _is_nothing(node: yaml.Node) -> bool:
    """A document of comments only: between two `---` it is an empty scalar."""
    return isinstance(node, yaml.ScalarNode) and node.value == "" and not node.style
