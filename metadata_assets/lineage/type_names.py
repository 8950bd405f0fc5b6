"""Types by their texts, as metastores and statements write them."""

from functools import lru_cache

from metadata_assets.model.types import UnknownType, parse_type, to_text


def differ(one: str, other: str) -> bool:
    """Whether both are known, and are not the same type."""
    if not one or not other or one == other:
        return False
    known = _key(one), _key(other)
    return None not in known and known[0] != known[1]


def are_same(one: str, other: str) -> bool:
    """Whether both are known, and are the same type."""
    known = _key(one)
    return known is not None and known == _key(other)


@lru_cache(maxsize=10_000)
def _key(text: str) -> str | None:
    parsed = parse_type(text)
    return None if isinstance(parsed, UnknownType) else to_text(parsed).lower()
