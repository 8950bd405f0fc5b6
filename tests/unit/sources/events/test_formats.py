"""Formats by name: ours, and functions of one's own; any transport takes any of them."""

import pytest

from metadata_assets.errors import PlatformError
from metadata_assets.sources.events.base import Decoded, Message
from metadata_assets.sources.events.formats import FORMATS
from metadata_assets.sources.sqs.config import SqsConfig


def of_mine(message: Message, source: str) -> Decoded:
    return Decoded.nothing(f"{source} says {message.payload!r}")


NO_FUNCTION = 7


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_of_ours_has_a_decoder(name: str) -> None:
    settings = SqsConfig(type="sqs", queue="q", format=name)
    assert callable(settings.decoder())


def test_a_function_of_ones_own_reads_messages() -> None:
    settings = SqsConfig(type="sqs", queue="q", format=f"{__name__}:of_mine")
    found = settings.decoder()(Message("1", b"hello", 0.0), "mine")
    assert found.ignored == {"mine says b'hello'": 1}


@pytest.mark.parametrize("name", ["nowhere", "NO_FUNCTION"])
def test_one_that_cannot_be_loaded_is_named(name: str) -> None:
    with pytest.raises(PlatformError, match=name):
        SqsConfig(type="sqs", queue="q", format=f"{__name__}:{name}").decoder()
