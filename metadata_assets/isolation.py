"""The boundary of foreign code: plug-ins and third-party parsers raise what they like, we record what and where."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from metadata_assets.errors import ForeignCodeError, MetadataError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of a guarded call: a value, or the error with the name of what it worked on."""

    value: T | None
    error: MetadataError | None

    def unwrap(self) -> T:
        """The value.

        Raises:
            MetadataError: the call failed.
        """
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # no error: the value is what the call returned, None included


def guarded(what: str, call: Callable[[], T], *, quote: bool = False) -> Outcome[T]:
    """Run foreign code. Our own errors pass as they are, all others become a ForeignCodeError that names `what`.

    Only the kind of error is kept: its message may quote what the code worked on, a data value or a password. `quote`
    keeps its first line, for parsers of texts that may be shown, where it tells what is wrong.
    """
    try:
        return Outcome(call(), None)
    except MetadataError as error:
        return Outcome(None, error)
    except RecursionError:
        return Outcome(None, ForeignCodeError(f"{what}: nested too deeply"))
    except Exception as error:
        first = (str(error).strip().splitlines() or [""])[0][:300] if quote else "message withheld, it may quote data"
        return Outcome(None, ForeignCodeError(f"{what}: {type(error).__name__}: {first}"))


def load_named(name: str, *, quote: bool = False) -> Outcome[Any]:
    """What `package.module:attribute` names; its module is imported for that. `quote` as above."""
    module, _, attribute = name.partition(":")
    return guarded(f"cannot load {name}", lambda: getattr(importlib.import_module(module), attribute), quote=quote)
