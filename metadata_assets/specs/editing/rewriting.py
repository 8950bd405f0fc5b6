"""The smallest changes of a text that make one entry of a document say something else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

import yaml

from metadata_assets.specs.editing.spans import Awkward, Sheet, Slot
from metadata_assets.specs.editing.values import to_block_mapping, to_block_value, to_flow, to_item, to_pair

_ENTRY_DEPTH = 2  # document → list → entry: what lies above an entry belongs to others too
# Where a new key goes among those that are there.
_KEY_ORDER = ("version", "kind", "name", "state", "description", "owner", "terms", "tags", "meta", "columns", "tables")
Items = Sequence[tuple[str, object]]


def rewritten(sheet: Sheet, root: yaml.Node, now: object, wanted: object, *, whole: bool) -> str:
    """The text with the document changed from one value to another; with `whole` an entry that differs is replaced.

    Raises:
        Awkward: it cannot be done without touching other entries.
        ValueError: a value has no spelling in YAML that the loader takes.
    """
    work = _Rewriting(sheet, whole)
    if isinstance(root, yaml.CollectionNode):
        work.collection(root, now, wanted, 0)
    newline = "\r\n" if "\r\n" in sheet.text else "\n"
    pieces, at = [], 0
    for start, end, new in sorted(work.edits, key=lambda edit: edit[:2]):
        if start < at:
            raise Awkward
        pieces += [sheet.text[at:start], new.replace("\n", newline)]
        at = end
    return "".join([*pieces, sheet.text[at:]])


def same(one: object, other: object) -> bool:
    """Equal in value and type, the order of keys apart: `1`, `1.0` and `true` are three values."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def entry_key(entry: object) -> str:
    """What tells an entry of a list from the others: its name, without regard to case."""
    name = entry.get("name") if isinstance(entry, Mapping) else entry
    return str(name).strip().lower()


@dataclass(slots=True)
class _Rewriting:
    sheet: Sheet
    whole: bool
    edits: list[tuple[int, int, str]] = field(default_factory=list)

    def collection(self, node: yaml.CollectionNode, now: object, wanted: object, depth: int) -> None:
        slots = self.sheet.slots(node)
        before, after = _items_of(node, now, wanted)
        if not slots or not after or len(slots) != len(before):
            raise Awkward
        matcher = SequenceMatcher(None, [k for k, _ in before], [k for k, _ in after], autojunk=False)
        for what, i1, i2, j1, j2 in matcher.get_opcodes():
            if what == "equal":
                for slot, old, new in zip(slots[i1:i2], before[i1:i2], after[j1:j2], strict=True):
                    if not same(old[1], new[1]):
                        self.change(node, slot, old, new[1], depth + 1)
            elif node.flow_style:
                self.splice_flow(slots, i1, i2, [_in_flow(node, key, value) for key, value in after[j1:j2]])
            else:
                self.splice_block(node, slots, (i1, i2), after[j1:j2])

    def change(
        self, parent: yaml.CollectionNode, slot: Slot, old: tuple[str, object], wanted: object, depth: int
    ) -> None:
        key, now = old
        done = len(self.edits)
        try:
            if not isinstance(slot.node, yaml.CollectionNode) or (self.whole and depth == _ENTRY_DEPTH):
                raise Awkward
            self.collection(slot.node, now, wanted, depth)
        except Awkward:
            if depth < _ENTRY_DEPTH and now and wanted:
                raise
            del self.edits[done:]
            self.replace(parent, slot, key, wanted)

    def replace(self, parent: yaml.CollectionNode, slot: Slot, key: str, wanted: object) -> None:
        start, literal = slot.value, self.sheet.ends_its_line(slot.end)
        if isinstance(parent, yaml.SequenceNode):
            new = to_flow(wanted)
            block = isinstance(slot.node, yaml.MappingNode) and not slot.node.flow_style
            if not parent.flow_style and block and isinstance(wanted, Mapping):
                new = to_block_mapping(wanted, self.sheet.column(start), literal=literal)
        else:
            column = self.sheet.column(slot.start)
            new = " " + to_flow(wanted)
            if not parent.flow_style:
                new = to_block_value(key, wanted, column, literal=literal)
            gap = self.sheet.text[slot.inside : slot.value]
            if gap and "\n" not in gap and not new.startswith("\n"):
                new = new[1:]
            else:
                start = slot.inside
        self.edits.append((start, slot.end, new))

    def splice_flow(self, slots: Sequence[Slot], i1: int, i2: int, new: Sequence[str]) -> None:
        text = ", ".join(new)
        if i1 == i2:
            at, text = (slots[i1 - 1].end, ", " + text) if i1 else (slots[0].start, text + ", ")
            self.edits.append((at, at, text))
        elif new:
            self.edits.append((slots[i1].start, slots[i2 - 1].end, text))
        elif i2 < len(slots):
            self.edits.append((slots[i1].start, slots[i2].start, ""))
        else:
            self.edits.append((slots[i1 - 1].end, slots[i2 - 1].end, ""))

    def splice_block(self, node: yaml.CollectionNode, slots: Sequence[Slot], span: tuple[int, int], new: Items) -> None:
        i1, i2 = span
        column = self.sheet.column(slots[0].start)
        follows = slots[i2 - 1].end if i2 > i1 else None
        literal = follows is None or self.sheet.ends_its_line(follows)
        texts = [self.in_block(node, slots, item, column, literal=literal) for item in new]
        indent = "\n" + " " * column
        if not new:
            self.remove_lines(slots, i1, i2)
        elif follows is not None:
            self.edits.append((slots[i1].start, follows, indent.join(texts)))
        elif i1:
            at = self.sheet.line_end(slots[i1 - 1].end)
            at -= self.sheet.text[at - 1 : at] == "\r"
            self.edits.append((at, at, "".join(indent + text for text in texts)))
        else:
            self.edits.append((slots[0].start, slots[0].start, "".join(text + indent for text in texts)))

    def remove_lines(self, slots: Sequence[Slot], i1: int, i2: int) -> None:
        start, end = slots[i1].start, slots[i2 - 1].end
        if self.sheet.leads_its_line(start):
            self.edits.append((self.sheet.line_start(start), self.sheet.line_end(end) + 1, ""))
        elif i2 == len(slots) or "#" in self.sheet.text[end : slots[i2].start]:
            self.edits.append((start, end, ""))  # behind a dash, with a comment after it
        else:
            self.edits.append((start, slots[i2].start, ""))

    def in_block(
        self,
        node: yaml.CollectionNode,
        slots: Sequence[Slot],
        item: tuple[str, object],
        column: int,
        *,
        literal: bool,
    ) -> str:
        key, value = item
        if isinstance(node, yaml.MappingNode):
            return to_pair(key, value, column, literal=literal)
        blocks = [s for s in slots if isinstance(s.node, yaml.MappingNode) and not s.node.flow_style]
        offset = 2
        if blocks and self.sheet.line_start(blocks[-1].start) == self.sheet.line_start(blocks[-1].value):
            offset = blocks[-1].value - blocks[-1].start
        block = bool(blocks) or (isinstance(value, Mapping) and "columns" in value)
        return to_item(value, column, block=block, offset=offset, literal=literal)


def _items_of(node: yaml.CollectionNode, now: object, wanted: object) -> tuple[Items, Items]:
    """What a collection holds and should hold, as keys and values in order."""
    if isinstance(node, yaml.MappingNode) and isinstance(now, Mapping) and isinstance(wanted, Mapping):
        if [getattr(key, "value", None) for key, _ in node.value] != list(now):
            raise Awkward  # merged or doubled keys: not every value stands here
        order = [key for key in now if key in wanted]
        for key in wanted:
            if key not in now:
                order.insert(_position(key, order), key)
        return list(now.items()), [(key, wanted[key]) for key in order]
    if isinstance(node, yaml.SequenceNode) and isinstance(now, list) and isinstance(wanted, list):
        return [(entry_key(v), v) for v in now], [(entry_key(v), v) for v in wanted]
    raise Awkward


def _position(key: str, order: Sequence[str]) -> int:
    """After the last key that goes before it; a key that we do not know goes last."""
    if key not in _KEY_ORDER:
        return len(order)
    lower = _KEY_ORDER[: _KEY_ORDER.index(key)]
    return max((index + 1 for index, other in enumerate(order) if other in lower), default=len(order))


def _in_flow(node: yaml.CollectionNode, key: str, value: object) -> str:
    return to_flow({key: value})[1:-1] if isinstance(node, yaml.MappingNode) else to_flow(value)
