"""Which versions of files were taken in last: what a sensor compares with, and a guard against an empty folder."""

from collections.abc import Mapping
from typing import Literal

from metadata_assets.errors import Transient
from metadata_assets.store.store import Store

Files = Literal["ingested versions: specs", "ingested versions: jobs"]
SPEC_FILES: Files = "ingested versions: specs"
JOB_FILES: Files = "ingested versions: jobs"
# So few files may well have been deleted on purpose.
_FEW = 3


def known_files(store: Store, which: Files) -> Mapping[str, str]:
    """Path → version of the files that were last taken in."""
    state = store.work.state(which)
    return {} if state is None else dict(state["versions"])


def serial_of(store: Store, which: Files) -> int:
    """How many times files were taken in: it makes a change back to an older version a new change."""
    state = store.work.state(which)
    return 0 if state is None else int(state["serial"])


def remember_files(store: Store, which: Files, versions: Mapping[str, str]) -> None:
    store.work.set_state(which, {"serial": serial_of(store, which) + 1, "versions": dict(versions)})


def refuse_sudden_emptiness(what: str, listed: int, known: Mapping[str, str]) -> None:
    """All files gone at once is what a mount that is not there looks like, or a checkout half-way.

    Raises:
        Transient: nothing is listed where more than a few files were known.
    """
    if listed == 0 and len(known) > _FEW:
        raise Transient(
            f"the folder of the {what} holds no file, it had {len(known)}: is it mounted and checked out? If they are "
            "to go, delete all but one first"
        )
