"""Formats of messages by name: the one place where a decoder is entered. Any transport of bytes takes any of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field, model_validator

from metadata_assets.errors import PlatformError
from metadata_assets.isolation import load_named
from metadata_assets.sources.events.base import Decoder

FormatName = Literal["apiary", "atlas_hook", "aws", "requests"]
Option = Literal["catalog", "namespace", "account"]


@dataclass(frozen=True, slots=True)
class Format:
    """`factory` names what makes the decoder, loaded once it is needed; it takes the value of `option`, if any."""

    factory: str
    option: Option | None = None


_PACKAGE = "metadata_assets.sources.events"
FORMATS: Mapping[str, Format] = {  # by `FormatName`
    "apiary": Format("apiary:apiary_decoder", "catalog"),
    "atlas_hook": Format("atlas_hook:atlas_hook_decoder", "namespace"),
    "aws": Format("queues:queue_decoder", "account"),
    "requests": Format("requests:requests_decoder"),
}


FormatFunction = Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")]
FORMAT_DESCRIPTION = (
    "What its messages are: apiary (of Apiary's Kafka listener), atlas_hook (of Atlas's Hive hooks), aws (S3, Glue, "
    "Apiary's SNS listener and requests in any mixture), requests (our own form), or your own function, "
    "package.module:function, that takes a Message and the source's name and gives Decoded."
)


class Formatted(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """What the messages of a transport are; it gives `format` a default."""

    format: FormatName | FormatFunction = Field(description=FORMAT_DESCRIPTION)
    catalog: str | None = Field(None, description="With apiary: catalog of Hive 3 and later; the default without it.")
    namespace: str | None = Field(
        None, description="With atlas_hook: the part after @ of the names that are meant; any without it."
    )
    account: str | None = Field(
        None, description="With aws: account whose Glue Data Catalog is meant; those of all accounts without it."
    )

    @model_validator(mode="after")
    def _options_of_the_format(self) -> "Formatted":
        known = FORMATS.get(self.format)  # a foreign one is not among them
        for option in get_args(Option):
            if getattr(self, option) is not None and (known is None or known.option != option):
                meant = next(name for name, f in FORMATS.items() if f.option == option)
                raise ValueError(f"{option} belongs to `format: {meant}`, and this is {self.format}")
        return self

    def decoder(self) -> Decoder:
        """How the messages are read.

        Raises:
            PlatformError: a function of one's own cannot be loaded.
        """
        known = FORMATS.get(self.format)
        if known is None:
            loaded = load_named(self.format)
            if loaded.error is not None or not callable(loaded.value):
                raise PlatformError(f"events: format {self.format}: {loaded.error or 'that is no function'}")
            found: Decoder = loaded.value
            return found
        module, _, name = known.factory.partition(":")
        make: Callable[..., Decoder] = getattr(import_module(f"{_PACKAGE}.{module}"), name)
        return make() if known.option is None else make(getattr(self, known.option))
