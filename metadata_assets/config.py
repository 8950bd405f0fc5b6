"""The platform file as types: which sources, which destinations, which policies of one deployment.

Secrets never stand in it: settings that end in `_env` name the environment variable that holds the secret.
"""

import importlib
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator, field_validator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from metadata_assets.catalog.deletion import DeletionPolicy
from metadata_assets.destinations import DestinationConfig
from metadata_assets.sources import FileSourceConfig, MetastoreConfig, SampleConfig

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd])")


def parse_duration(value: object) -> float:
    """Read `90s`, `15m`, `24h` or `7d` as seconds.

    Raises:
        ValueError: anything else, a bare number included: it does not say its unit.
    """
    match = _DURATION.fullmatch(str(value).strip())
    if match is None:
        raise ValueError(f"{value!r} is not a duration: write a number with s, m, h or d, such as 24h")
    return float(match[1]) * _UNITS[match[2]]


def _load_foreign(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """`type: package.module:Class` names a configuration class outside this package; ours go by short name."""
    name = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(name, str) or ":" not in name:
        return handler(value)
    module, _, attribute = name.partition(":")
    try:
        config = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"cannot load {name}: {error}") from error
    if not isinstance(config, type) or not issubclass(config, BaseModel):
        raise ValueError(f"{name} is not a pydantic model with the settings of a plug-in")
    return config.model_validate({k: v for k, v in value.items() if k != "type"})


_Foreign = WrapValidator(_load_foreign)
Seconds = Annotated[float, BeforeValidator(parse_duration, json_schema_input_type=str)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class StoreSettings(_Settings):
    """Where facts are kept."""

    url_env: str = Field(description="Environment variable with the SQLAlchemy URL of the store.")


class Deletion(_Settings):
    """How many tables may leave the catalog, and how soon."""

    max_tables: int = Field(50, ge=0, description="Most tables that one batch may remove.")
    max_share: Share = Field(0.05, description="Most of the catalog that one batch may remove, above 200 tables.")
    grace: Seconds = Field(86_400.0, description="How long a table that merely is not listed stays, such as 24h.")

    def to_policy(self) -> DeletionPolicy:
        return DeletionPolicy(self.max_tables, self.max_share, self.grace)


class Failures(_Settings):
    """How much may fail before a step does."""

    max_share: Share = Field(0.02, description="Share of failed tables above which a step fails, above 200 tables.")


class Pii(_Settings):
    """How personal data is looked for."""

    locales: tuple[Literal["br", "intl", "us", "eu"], ...] = Field(
        ("br", "intl"), description="Whose kinds of personal data are looked for."
    )
    publish_from: Literal["confirmed", "suggested"] = Field(
        "confirmed", description="From which verdict on a tag is published."
    )
    sample_rows: int = Field(
        500,
        ge=0,
        le=100_000,
        description="Most rows sampled of a table to judge its columns by.",
    )


class Policies(_Settings):
    """Rules of one deployment."""

    deletion: Deletion = Field(Deletion(), description="Tables that are gone.")
    failures: Failures = Field(Failures(), description="Tables that fail.")
    pii: Pii = Field(Pii(), description="Personal data.")


class Platform(_Settings):
    """One deployment."""

    version: Literal[1] = Field(description="The version of the format: 1.")
    kind: Literal["platform"] = Field(description="One deployment.")
    cluster: str = Field("primary", min_length=1, description="The part after @ in Atlas qualified names.")
    sensors: Literal["stopped", "running"] = Field("stopped", description="How sensors and schedules start.")
    store: StoreSettings | None = Field(
        None, description="Where facts are kept; SQLite under METADATA_HOME without it."
    )
    metastore: Annotated[MetastoreConfig, _Foreign] = Field(description="Where schemas come from.")
    jobs: Annotated[FileSourceConfig, _Foreign] | None = Field(None, description="SQL jobs to read lineage from.")
    specs: Annotated[FileSourceConfig, _Foreign] | None = Field(None, description="YAML specs.")
    samples: Annotated[SampleConfig, _Foreign] | None = Field(None, description="Table data to profile.")
    destinations: tuple[Annotated[DestinationConfig, _Foreign], ...] = Field(
        (), description="Where the catalog is published."
    )
    policies: Policies = Field(Policies(), description="Rules of this deployment.")

    @field_validator("destinations")
    @classmethod
    def _names_differ(cls, value: tuple[Any, ...]) -> tuple[Any, ...]:
        names = [d.name for d in value]
        for name in names:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise ValueError(f"destination name {name!r}: use lower-case letters, digits and _ only")
            if names.count(name) > 1:
                raise ValueError(f"two destinations are named {name!r}: give each a name of its own")
        return value
