"""What the last look at all of the metastore came to, beyond the tables that it found."""

from dataclasses import asdict, dataclass

from metadata_assets.store.store import Store

_STATE = "last look at the metastore"


@dataclass(frozen=True, slots=True)
class Look:
    """`problem`: why it found no table, empty where it did; `overlooked`: what was passed over, a text a reason."""

    problem: str = ""
    overlooked: tuple[str, ...] = ()


def remember_look(store: Store, look: Look) -> None:
    store.work.set_state(_STATE, asdict(look))


def last_look(store: Store) -> Look | None:
    """None where nobody looked yet."""
    state = store.work.state(_STATE)
    return None if state is None else Look(state["problem"], tuple(state["overlooked"]))
