"""What another try may cure is retried, all else fails at once with our words."""

import dagster as dg
import pytest

from metadata_assets.defs.boundary import translated
from metadata_assets.errors import Permanent, PlatformError, Transient, Unreachable


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
