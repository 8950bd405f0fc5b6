"""Where the parts of a composed document stand in their text.

PyYAML's marks need care in three places: a block collection ends where the next token begins, after comments that are
not its own; a block text ends after blank lines; an alias has the marks of what it stands for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from metadata_assets.specs.nodes import DocumentNode

_ALIAS = re.compile(r"[\s:,]*(\*[^\s,\[\]{}]+)")
_COLON = re.compile(r"\s*:")
_DASH = re.compile(r"(?:[&!]\S*)?(?:[ \t\r\n]|#[^\n]*)*(-)")


class Awkward(Exception):
    """A place that cannot be edited part by part; whoever catches it replaces something larger."""


@dataclass(frozen=True, slots=True)
class Slot:
    """An entry of a list or a pair of a mapping: from its dash or key (`start`) to the end of its value.

    `inside` is where the value may begin: behind the colon or dash. `node` is None for an alias.
    """

    start: int
    inside: int
    value: int
    end: int
    node: yaml.Node | None


class Sheet:
    """The text of a file with the offsets of the nodes of one of its documents."""

    def __init__(self, document: DocumentNode) -> None:
        self.text = document.text.text
        self._start = document.start

    def at(self, mark: yaml.Mark) -> int:
        return self._start + int(mark.index)

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The offset of the line break after it, or the end of the text."""
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def leads_its_line(self, offset: int) -> bool:
        return not self.text[self.line_start(offset) : offset].strip(" ")

    def ends_its_line(self, offset: int) -> bool:
        return not self.text[offset : self.line_end(offset)].strip()

    def slots(self, node: yaml.CollectionNode) -> list[Slot]:
        """The entries or pairs of a collection, in order.

        Raises:
            Awkward: something in it stands elsewhere, or is written in an unusual form.
        """
        if isinstance(node, yaml.MappingNode):
            return list(self._pairs(node))
        return list(self._items(node))

    def _pairs(self, node: yaml.MappingNode) -> Iterator[Slot]:
        before = self.at(node.start_mark)
        for key, value in node.value:
            start, key_end = self.at(key.start_mark), self.at(key.end_mark)
            colon = _COLON.match(self.text, key_end)
            if start < before or colon is None or not isinstance(key, yaml.ScalarNode):
                raise Awkward
            slot = self._slot(start, colon.end(), value, key_end)
            before = slot.end
            yield slot

    def _items(self, node: yaml.CollectionNode) -> Iterator[Slot]:
        before = self.at(node.start_mark)
        for item in node.value:
            if node.flow_style:
                slot = self._slot(None, before, item, before)
            else:
                dash = _DASH.match(self.text, before)
                if dash is None:
                    raise Awkward
                slot = self._slot(dash.start(1), dash.end(1), item, dash.start(1))
            before = slot.end
            yield slot

    def _slot(self, start: int | None, inside: int, value: yaml.Node, before: int) -> Slot:
        found = self.at(value.start_mark)
        if found > before:
            return Slot(found if start is None else start, inside, found, self.end(value), value)
        alias = _ALIAS.match(self.text, inside)
        if alias is None:
            raise Awkward
        return Slot(alias.start(1) if start is None else start, inside, alias.start(1), alias.end(1), None)

    def end(self, node: yaml.Node) -> int:
        """Where the text of a node ends, comments and blank lines after it left out."""
        marked = self.at(node.end_mark)
        if isinstance(node, yaml.ScalarNode):
            return self._block_text_end(node, marked) if node.style in ("|", ">") else marked
        if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
            return marked
        return self.slots(node)[-1].end

    def _block_text_end(self, node: yaml.ScalarNode, marked: int) -> int:
        start = self.at(node.start_mark)
        if "+" in self.text[start : self.line_end(start)].partition("#")[0]:  # its blank lines belong to it
            return marked - 1 if self.text[marked - 1 : marked] == "\n" else marked
        return start + len(self.text[start:marked].rstrip())
