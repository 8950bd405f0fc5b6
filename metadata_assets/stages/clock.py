"""Order keys of readings: when the source was read."""

import time


def order_key_now() -> int:
    """Microseconds since 1970. Taken before a source is read, so that of two readings the later one started later."""
    return time.time_ns() // 1000
