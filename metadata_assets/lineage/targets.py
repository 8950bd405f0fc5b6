"""Which column of the target each output of a query fills: by position, as the engines do."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from metadata_assets.lineage.columns import Output
from metadata_assets.lineage.flows import Traced
from metadata_assets.lineage.writes import Write


@dataclass(slots=True)
class Filled:
    """Columns of the target with what they come from. `doubts` say why the match itself may be wrong."""

    columns: list[tuple[str, Traced]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def add(self, name: str, traced: Traced) -> None:
        self.columns.append((name, traced))


def fill_columns(
    write: Write, outputs: Sequence[Output], known: Sequence[str] | None, *, is_view: bool, guesses_all: bool
) -> Filled:
    """Match outputs with the columns of the target; `known` are its columns in order, None where they are not known.

    `is_view` is for the query of a view that the lake knows: its columns are named by position. `guesses_all`: in a
    target that is not known, a column without a name of its own is taken to be called as in the result of a query.
    """
    if write.by_name:
        return _by_name(outputs, known)
    if write.kind == "insert":
        names = _insert_names(write, known)
        return _guessed(outputs, guesses_all=guesses_all) if names is None else _by_position(outputs, names)
    if write.columns is not None:
        return _by_position(outputs, list(write.columns))
    if is_view and known is not None and (len(known) == len(outputs) or any(o.is_star for o in outputs)):
        return _by_position(outputs, list(known))
    return _by_own_name(outputs, known)


def _insert_names(write: Write, known: Sequence[str] | None) -> list[str] | None:
    """Columns in the order in which the query must give them: those of the table, dynamic partitions last."""
    if write.columns is not None:
        return [*write.columns, *(name for name in write.dynamic if name not in write.columns)]
    if known is None:
        return None
    return [name for name in known if name not in write.static and name not in write.dynamic] + list(write.dynamic)


def _by_position(outputs: Sequence[Output], names: list[str]) -> Filled:
    filled = Filled()
    spread = _spread(outputs, len(names))
    if len(spread) != len(names):
        filled.doubts.append(f"columns to fill: {len(names)}, columns of the query: {len(spread)}")
    for name, output in zip(names, spread, strict=False):
        filled.add(name, output.traced)
    for output in spread[len(names) :]:
        filled.add(output.name or "?", Traced.trouble(f"{output.name or 'a column'}: the target has no column for it"))
    return filled


def _guessed(outputs: Sequence[Output], *, guesses_all: bool) -> Filled:
    """The target is not known: a column is taken to be called there as it is here, if it has a name here."""
    filled = Filled()
    if any(output.traced != Traced() for output in outputs):  # of values alone there is nothing to know
        filled.doubts.append("its columns are not known: they are taken to be called as in the query")
    for position, output in enumerate(outputs):
        if output.is_named or guesses_all:
            filled.add(output.name, output.traced)
        else:
            name = f"column {position + 1}"
            filled.add(name, Traced.trouble(f"{name}: it has no name"))
    return filled


def _spread(outputs: Sequence[Output], width: int) -> list[Output]:
    """One star stands for as many columns as the target has more; after a second star no position is certain."""
    stars = [index for index, output in enumerate(outputs) if output.is_star]
    if not stars:
        return list(outputs)
    first = stars[0]
    if len(stars) > 1:
        return [*outputs[:first], *[outputs[first]] * max(width - first, 1)]
    return [*outputs[:first], *[outputs[first]] * max(width - len(outputs) + 1, 0), *outputs[first + 1 :]]


def _by_name(outputs: Sequence[Output], known: Sequence[str] | None) -> Filled:
    filled = Filled()
    for output in outputs:
        if known is not None and output.name not in known and not output.is_star:
            filled.add(output.name, Traced.trouble(f"{output.name}: the target has no column of this name"))
        else:
            filled.add(output.name, output.traced)
    return filled


def _by_own_name(outputs: Sequence[Output], known: Sequence[str] | None) -> Filled:
    """What the query calls them is what they are called; one without a name is what stands there in the lake."""
    filled = Filled()
    for position, output in enumerate(outputs):
        fallback = known[position] if known is not None and len(known) == len(outputs) else f"_c{position}"
        filled.add(output.name or fallback, output.traced)
    return filled
