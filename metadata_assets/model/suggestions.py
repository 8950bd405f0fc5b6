"""Did you mean …: the nearest of the known names."""

import difflib
from collections.abc import Iterable


def nearest(written: str, known: Iterable[str]) -> str | None:
    """The known name that is most like the written one, without regard to case; None where none is near."""
    by_fold = {name.casefold(): name for name in sorted(known)}
    found = difflib.get_close_matches(written.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None


def did_you_mean(written: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the nearest known name, else the words of `otherwise`."""
    name = nearest(written, known)
    return f"did you mean {name!r}?" if name is not None else otherwise


def listing(names: Iterable[str]) -> str:
    """Names as people read them: `a, b or c`."""
    ordered = list(names)
    if len(ordered) < 2:
        return "".join(ordered)
    return ", ".join(ordered[:-1]) + " or " + ordered[-1]
