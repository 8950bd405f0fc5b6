"""What foreign code raises is counted and named; what it quotes is kept only where texts may be shown."""

import pytest

from metadata_assets.errors import ForeignCodeError, Permanent, Transient
from metadata_assets.isolation import guarded


def fail() -> int:
    raise ValueError("bad value '529.982.247-25'\nand more")


def test_a_value_passes() -> None:
    assert guarded("x", lambda: 7).unwrap() == 7
    assert guarded("x", lambda: None).unwrap() is None


def test_nothing_is_quoted_unless_asked_for() -> None:
    outcome = guarded("table a.b", fail)
    assert str(outcome.error) == "table a.b: ValueError: message withheld, it may quote data"
    with pytest.raises(ForeignCodeError, match=r"table a\.b"):
        outcome.unwrap()


def test_a_parser_may_quote_one_line() -> None:
    assert str(guarded("f.sql", fail, quote=True).error) == "f.sql: ValueError: bad value '529.982.247-25'"


@pytest.mark.parametrize("error", [Permanent("no"), Transient("later")])
def test_our_own_errors_pass_as_they_are(error: Exception) -> None:
    def call() -> None:
        raise error

    assert guarded("x", call).error is error


def test_what_is_nested_too_deeply_is_an_error_like_any_other() -> None:
    def call() -> int:
        return call() + 1

    assert str(guarded("x", call).error) == "x: nested too deeply"


def test_an_interrupt_is_no_error() -> None:
    def call() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guarded("x", call)
