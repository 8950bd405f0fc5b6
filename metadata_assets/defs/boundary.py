"""Where our errors become Dagster's: what another try cannot cure fails at once, the rest follows the retry policy."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from metadata_assets.errors import MetadataError, Transient

RETRIES = dg.RetryPolicy(max_retries=3, delay=2, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS)


@contextmanager
def translated() -> Iterator[None]:
    """Let transient errors pass to the retry policy; all others, a bug of ours included, fail without another try."""
    try:
        yield
    except (Transient, dg.Failure):
        raise
    except MetadataError as error:
        raise dg.Failure(f"{type(error).__name__}: {error}", allow_retries=False) from error
    except Exception as error:
        raise dg.Failure(f"unexpected {type(error).__name__}: {error}", allow_retries=False) from error
