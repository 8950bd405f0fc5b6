"""What the platform file says about a Kafka topic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from metadata_assets.errors import PlatformError
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.sources.events.base import Hydrate
from metadata_assets.sources.events.formats import FORMAT_DESCRIPTION, FormatFunction, FormatName, Formatted

if TYPE_CHECKING:
    from metadata_assets.sources.kafka.source import KafkaTopic

# librdkafka's properties that hold a secret, or a text that can.
_SECRET = re.compile(r".*(password|secret|\.key\.pem|passphrase|token|credential|jaas).*|sasl\.oauthbearer\.config")
# What the reader itself decides: it reads from where its cursor says and joins no group.
_OURS = {
    "enable.auto.commit": "the cursor of the sensor says how far we are",
    "enable.auto.offset.store": "the cursor of the sensor says how far we are",
    "auto.offset.reset": "write `start: earliest`, `latest` or a time instead",
    "enable.partition.eof": "the reader needs it",
    "group.id": "write `group: NAME` instead",
}
_BROKERS = "bootstrap.servers"
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?(Z|[+-]\d\d:\d\d)?")


def _as_text(value: object) -> object:
    """Properties are texts to librdkafka; in YAML people write numbers and booleans."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _open(config: Mapping[str, str]) -> Mapping[str, str]:
    for name in config:
        if _SECRET.fullmatch(name.lower()):
            raise ValueError(f"{name} holds a secret: write `config_env: {{{name}: VARIABLE}}` with a variable's name")
    return _theirs(config)


def _theirs(config: Mapping[str, str]) -> Mapping[str, str]:
    for name in config:
        if name in _OURS:
            raise ValueError(f"{name} cannot be set: {_OURS[name]}")
    return config


def _start(value: str) -> str:
    if value not in ("earliest", "latest") and not _TIME.fullmatch(value):
        raise ValueError("write earliest, latest, or a time such as 2026-05-31T08:00:00Z")
    return value


class KafkaConfig(Formatted, frozen=True, extra="forbid", hide_input_in_errors=True):
    """A Kafka topic with events."""

    type: Literal["kafka"] = Field(description="A Kafka topic.")
    name: str = Field("kafka", description="Name of the source; part of the name of its sensor.")
    topic: str = Field(min_length=1, max_length=249, description="The topic to read.")
    format: FormatName | FormatFunction = Field("apiary", description=FORMAT_DESCRIPTION)
    hydrate: Hydrate = Field(
        "metastore", description="Where schemas of changed tables are read: the metastore, or the events themselves."
    )
    start: Annotated[
        str,
        BeforeValidator(lambda v: v.isoformat() if hasattr(v, "isoformat") else v),
        AfterValidator(_start),
    ] = Field("earliest", description="Where a first start begins: earliest, latest, or a time (UTC without a zone).")
    group: str = Field(
        "", description="Group under which offsets are committed for lag tools; metadata-assets-NAME without it."
    )
    config: Annotated[Mapping[str, Annotated[str, BeforeValidator(_as_text)]], AfterValidator(_open)] = Field(
        description="Any property of a consumer (librdkafka's names), but no secrets."
    )
    config_env: Annotated[Mapping[str, Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")]], AfterValidator(_theirs)] = (
        Field({}, description="Property → environment variable that holds its value.")
    )
    oauth: str | None = Field(
        None,
        pattern=r"^[\w.]+:\w+$",
        description="package.module:function that gives (token, epoch seconds of its end), for OAUTHBEARER.",
    )

    @model_validator(mode="after")
    def _somebody_to_ask(self) -> KafkaConfig:
        given = self.config.keys() | self.config_env.keys()
        if _BROKERS not in given and "metadata.broker.list" not in given:
            raise ValueError(f'{_BROKERS} is missing: write `config: {{{_BROKERS}: "HOST:9092"}}`')
        if twice := sorted(self.config.keys() & self.config_env.keys()):
            raise ValueError(f"{', '.join(twice)}: in config and in config_env; write it in one of them")
        return self

    def connect(self, around: Surroundings) -> KafkaTopic:
        """A reader that opens its connection at the first poll.

        Raises:
            PlatformError: a variable is not set, or the client refuses a property.
        """
        from metadata_assets.sources.kafka.source import KafkaTopic

        return KafkaTopic(self, self._properties(around.environ))

    def _properties(self, environ: Mapping[str, str]) -> dict[str, str]:
        found = dict(self.config)
        for name, variable in self.config_env.items():
            value = environ.get(variable)
            if not value:
                raise PlatformError(f"events: {self.name}: variable {variable} (config_env: {name}) is not set")
            found[name] = value
        return found
