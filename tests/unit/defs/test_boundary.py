"""What another try may cure is retried, all else fails at once with our words."""

import dagster as dg
import pytest

from metadata_assets.defs.boundary import translated, why_failed
from metadata_assets.errors import Permanent, PlatformError, Transient, Unreachable


class OwnTransient(Transient):
    """Of somebody's plug-in."""


@pytest.mark.parametrize("error", [Transient("later"), Unreachable("nobody"), dg.Failure("told")])
def test_what_passes(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, translated():
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Permanent("no"), "Permanent: no"),
        (PlatformError("bad"), "PlatformError: bad"),
        (KeyError("x"), "unexpected KeyError: 'x'"),
    ],
)
def test_what_fails_without_another_try(error: Exception, told: str) -> None:
    with pytest.raises(dg.Failure) as caught, translated():
        raise error
    assert (caught.value.description, caught.value.allow_retries) == (told, False)
    assert caught.value.__cause__ is error


def test_an_interrupt_is_none_of_its_business() -> None:
    with pytest.raises(KeyboardInterrupt), translated():
        raise KeyboardInterrupt


@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Unreachable("nobody answers: is it on?"), "Unreachable: nobody answers: is it on?"),
        (OwnTransient("x: y"), "OwnTransient: x: y"),
        (Permanent("no"), "Permanent: no"),
        (KeyError("x"), "unexpected KeyError: 'x'"),
    ],
)
def test_a_failed_step_has_its_cause_in_our_words(error: Exception, told: str, retries: int) -> None:
    @dg.op(retry_policy=dg.RetryPolicy(max_retries=retries, delay=0))
    def failing() -> None:
        with translated():
            try:
                raise OSError(2, "No such file", "/x")
            except OSError as cause:
                raise error from cause

    @dg.job(executor_def=dg.in_process_executor)
    def one() -> None:
        failing()

    result = one.execute_in_process(raise_on_error=False)
    (event,) = result.filter_events(lambda e: e.event_type == dg.DagsterEventType.STEP_FAILURE)
    assert why_failed(event) == told
