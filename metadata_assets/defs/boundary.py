"""Where our errors become Dagster's: what another try cannot cure fails at once, the rest follows the retry policy.

And where Dagster's failures become our words again.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import dagster as dg
from sqlalchemy.exc import SQLAlchemyError

from metadata_assets.errors import MetadataError, Transient
from metadata_assets.model.subject import Subject
from metadata_assets.store.work import Work

RETRIES = dg.RetryPolicy(max_retries=3, delay=2, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS)


@contextmanager
def translated() -> Iterator[None]:
    """Let transient errors pass to the retry policy; all others, a bug of ours included, fail without another try."""
    try:
        yield
    except (Transient, dg.Failure):
        raise
    except MetadataError as error:
        raise dg.Failure(words_of(error), allow_retries=False) from error
    except Exception as error:
        raise dg.Failure(f"unexpected {type(error).__name__}: {error}", allow_retries=False) from error


@contextmanager
def remembered(work: Work, stages: Sequence[str], shards: Sequence[str]) -> Iterator[None]:
    """Keep why these stages failed as a whole, each try anew, until they succeed for the same shards."""
    subjects = [str(Subject("shard", shard)) for shard in shards or ("",)]
    try:
        with translated():
            yield
    except (Transient, dg.Failure) as error:
        told = error.description or "no reason given" if isinstance(error, dg.Failure) else words_of(error)
        with suppress(SQLAlchemyError):  # where the store itself fails, that is what is raised
            for stage in stages:
                work.set_trouble(stage, subjects, dict.fromkeys(subjects, told))
        raise
    trouble = work.trouble()
    for stage in {stage for subject in subjects for stage in trouble.get(subject, ())} & set(stages):
        work.set_trouble(stage, subjects, {})


def words_of(error: MetadataError) -> str:
    return f"{type(error).__name__}: {error}"


def why_failed(event: dg.DagsterEvent) -> str:
    """The cause of a failed step in one line: what, where and what to do.

    A step that was tried again fails with Dagster's word that it was tried often enough; what happened is behind it.
    """
    data = event.step_failure_data
    if data.user_failure_data is not None and data.user_failure_data.description:
        return str(data.user_failure_data.description)
    error = data.error
    # What is behind our own error, such as one of the system, says less.
    while error is not None and error.cause is not None and _is_of_dagster(error):
        error = error.cause
    if error is None:
        return "no reason given"
    told = error.message.strip()
    module, _, rest = told.partition(f"{error.cls_name}: ")
    return f"{error.cls_name}: {rest}" if rest and " " not in module else told


def _is_of_dagster(error: Any) -> bool:
    """Whether it is Dagster's word on retries, by policy or not, or on what it wraps."""
    return bool(error.cls_name.startswith(dg.RetryRequested.__name__) or error.message.startswith("dagster."))
