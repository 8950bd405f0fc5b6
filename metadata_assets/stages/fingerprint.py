"""What a result was made from, as one short text: while it is the same, the result is."""

import hashlib
from collections.abc import Iterable


def fingerprint(parts: Iterable[str]) -> str:
    """A hash of these texts in their order, whatever they hold."""
    text = "\0".join(parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
