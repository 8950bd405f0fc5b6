"""The platform file as types: which sources, which destinations, which policies of one deployment.

Secrets never stand in it: settings that end in `_env` name the environment variable that holds the secret.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WrapValidator,
    field_validator,
)
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from metadata_assets.catalog.limits import SMALL, DeletionPolicy, FailurePolicy
from metadata_assets.destinations import DestinationConfig
from metadata_assets.destinations.base import DestinationSettings, Grain
from metadata_assets.isolation import load_named
from metadata_assets.lineage.messages import Limits
from metadata_assets.model.event import PIPELINE_SOURCES
from metadata_assets.notifiers import NotifierConfig
from metadata_assets.notifiers.base import NotifierSettings
from metadata_assets.sources import EventConfig, FileSourceConfig, MetastoreConfig, SampleConfig
from metadata_assets.sources.base import FileSettings, JobSettings, MetastoreSettings, SampleSettings
from metadata_assets.sources.events.base import EventSettings
from metadata_assets.specs.validation import Advice

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
LOAD = "load"  # in the context of a validation: False looks at the names of foreign classes and imports none
_FOREIGN_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
# The pipeline's own: a destination makes assets `<name>_<part>`, a group and a pool of its name.
RESERVED_NAMES = (
    frozenset({"catalog", "databases", "declared", "documentation", "entities", "events", "glossary", "hive"})
    | {"lineage", "metadata", "metastore", "pii", "schemas", "specs", "sql", "tags"}
)  # fmt: skip
# The channel of notices, and the sources of the events that the pipeline's own sensors make.
_OWN_SOURCES = frozenset({"log", *PIPELINE_SOURCES})
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smhd])")
_LONGEST_DAYS = 36_500  # a century; what is far longer leaves the calendar


def parse_duration(value: object) -> float:
    """Read `90s`, `15m`, `24h` or `7d` as seconds.

    Raises:
        ValueError: anything else, a bare number included, which does not say its unit; or longer than a century.
    """
    match = _DURATION.fullmatch(str(value).strip())
    if match is None:
        raise ValueError(f"{value!r} is not a duration: write a number with s, m, h or d, such as 24h")
    seconds = float(match[1]) * _UNITS[match[2]]
    if seconds > _LONGEST_DAYS * _UNITS["d"]:
        raise ValueError(f"{str(value)[:30]!r} is too long: write at most {_LONGEST_DAYS}d")
    return seconds


@dataclass(frozen=True, slots=True)
class Unloaded:
    """Foreign settings of a file that is only looked at: code is run for the deployment in use and for no other."""

    type: str
    name: str = ""


def _foreign(contract: type) -> WrapValidator:
    """`type: package.module:Class` names a configuration class outside this package; ours go by short name."""

    def _validate(value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        name = value.get("type") if isinstance(value, Mapping) else None
        if not isinstance(name, str) or ":" not in name:
            return handler(value)
        if not _FOREIGN_NAME.fullmatch(name):
            raise ValueError(f"{name!r} names no class: write package.module:Class")
        if not (info.context or {}).get(LOAD, True):
            return Unloaded(name, str(value.get("name", "")))
        return _load_foreign(name, {k: v for k, v in value.items() if k != "type"}, contract)

    return WrapValidator(_validate)


def _load_foreign(name: str, value: Mapping[str, Any], contract: type) -> BaseModel:
    loaded = load_named(name, quote=True)
    if loaded.error is not None:
        raise ValueError(str(loaded.error))
    config = loaded.value
    if not isinstance(config, type) or not issubclass(config, BaseModel):
        raise ValueError(f"{name} is not a pydantic model with the settings of a plug-in")
    lacking = sorted(m for m in _members(contract) if m not in config.model_fields and not hasattr(config, m))
    if lacking:
        place = f"{contract.__name__} in {contract.__module__}"
        raise ValueError(f"{name} lacks {', '.join(lacking)}: see {place} for what such a class must have")
    if "grain" in _members(contract) and getattr(config, "grain", None) not in get_args(Grain):
        raise ValueError(f"{name}: its grain must be one of {', '.join(get_args(Grain))}, as a class variable")
    return config.model_validate(value)


def _members(contract: type) -> set[str]:
    parts = [c for c in contract.__mro__ if c.__module__ == contract.__module__]
    found = {m for part in parts for m in [*vars(part), *part.__annotations__]}
    return {member for member in found if not member.startswith("_")}


def _function_name(name: str) -> str:
    if not _FOREIGN_NAME.fullmatch(name):
        raise ValueError(f"{name!r} names no function: write package.module:function")
    return name


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
    max_share: Share = Field(0.05, description=f"Most of the catalog that one batch may remove, above {SMALL} tables.")
    grace: Seconds = Field(86_400.0, description="How long a table that merely is not listed stays, such as 24h.")

    def to_policy(self) -> DeletionPolicy:
        return DeletionPolicy(self.max_tables, self.max_share, self.grace)


class Failures(_Settings):
    """How much may fail before a step does."""

    max_share: Share = Field(
        0.02, description=f"Share of failed tables above which a step fails, above {SMALL} tables."
    )

    def to_policy(self) -> FailurePolicy:
        return FailurePolicy(self.max_share)


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


class SqlLineage(_Settings):
    """How much the reading of SQL may take. A statement that takes more keeps its tables and loses its columns."""

    timeout: Seconds = Field(10.0, gt=0, description="CPU time of one statement, such as 10s.")
    memory_mb: int = Field(2_048, ge=256, description="Memory of one process that reads SQL, in megabytes.")
    workers: int = Field(0, ge=0, le=64, description="Processes that read SQL at once; 0 is one a core, up to eight.")

    def to_limits(self) -> Limits:
        return Limits(self.timeout, self.memory_mb)


class Policies(_Settings):
    """Rules of one deployment."""

    deletion: Deletion = Field(Deletion(), description="Tables that are gone.")
    failures: Failures = Field(Failures(), description="Tables that fail.")
    pii: Pii = Field(Pii(), description="Personal data.")
    lineage: SqlLineage = Field(SqlLineage(), description="SQL that is read for lineage.")


class Platform(_Settings):
    """One deployment."""

    version: Literal[1] = Field(description="The version of the format: 1.")
    kind: Literal["platform"] = Field(description="One deployment.")
    cluster: str = Field("primary", min_length=1, description="The part after @ in Atlas qualified names.")
    sensors: Literal["stopped", "running"] = Field("stopped", description="How sensors and schedules start.")
    store: StoreSettings | None = Field(
        None, description="Where facts are kept; SQLite under METADATA_HOME without it."
    )
    metastore: Annotated[MetastoreConfig, _foreign(MetastoreSettings)] = Field(description="Where schemas come from.")
    jobs: Annotated[FileSourceConfig, _foreign(JobSettings)] | None = Field(
        None, description="SQL jobs to read lineage from."
    )
    specs: Annotated[FileSourceConfig, _foreign(FileSettings)] | None = Field(None, description="YAML specs.")
    samples: Annotated[SampleConfig, _foreign(SampleSettings)] | None = Field(
        None, description="Table data to profile."
    )
    events: tuple[Annotated[EventConfig, _foreign(EventSettings)], ...] = Field(
        (), description="Where changes are told: Kafka topics and the like."
    )
    listeners: tuple[Annotated[str, AfterValidator(_function_name)], ...] = Field(
        (), description="Your own functions, package.module:function, called with each event."
    )
    destinations: tuple[Annotated[DestinationConfig, _foreign(DestinationSettings)], ...] = Field(
        (), description="Where the catalog is published."
    )
    notify: tuple[Annotated[NotifierConfig, _foreign(NotifierSettings)], ...] = Field(
        (), description="Who is told of what needs somebody's attention."
    )
    policies: Policies = Field(Policies(), description="Rules of this deployment.")

    def advice(self) -> Iterator[Advice]:
        """What the file allows and nobody means."""
        if not self.destinations:
            yield Advice(
                ("destinations",),
                "there are no destinations: the catalog is kept in the store and published nowhere",
                "write `destinations: [{type: workbook}]`, for one",
            )

    @field_validator("events", "notify")
    @classmethod
    def _plug_in_names_differ(cls, value: tuple[Any, ...]) -> tuple[Any, ...]:
        names = [e.name for e in value if e.name or not isinstance(e, Unloaded)]
        for name in names:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in _OWN_SOURCES:
                own = ", ".join(sorted(_OWN_SOURCES))
                raise ValueError(f"name {name!r}: use lower-case letters, digits and _ only, and none of {own}")
            if names.count(name) > 1:
                raise ValueError(f"two are named {name!r}: give each a `name` of its own")
        return value

    @field_validator("destinations")
    @classmethod
    def _names_differ(cls, value: tuple[Any, ...]) -> tuple[Any, ...]:
        names = [d.name for d in value if d.name or not isinstance(d, Unloaded)]
        for name in names:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise ValueError(f"destination name {name!r}: use lower-case letters, digits and _ only")
            if name in RESERVED_NAMES:
                known = ", ".join(sorted(RESERVED_NAMES))
                raise ValueError(f"destination name {name!r} is the pipeline's own, as are {known}: choose another")
            if names.count(name) > 1:
                raise ValueError(f"two destinations are named {name!r}: give each a name of its own")
        return value
