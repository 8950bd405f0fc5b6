"""I/O in. Each package holds `config.py` (imports nothing heavy), `client.py` (I/O) and `convert.py` (pure).

A new source is a package here and its config class in the union of its role below.
"""

from typing import Annotated

from pydantic import Field

from metadata_assets.sources.ddl.config import DdlConfig
from metadata_assets.sources.files.config import FilesConfig
from metadata_assets.sources.folder.config import FolderConfig
from metadata_assets.sources.hive.config import HiveConfig
from metadata_assets.sources.hive.log_config import HiveLogConfig
from metadata_assets.sources.kafka.config import KafkaConfig
from metadata_assets.sources.s3.config import S3Config
from metadata_assets.sources.sqs.config import SqsConfig

MetastoreConfig = Annotated[DdlConfig | HiveConfig, Field(discriminator="type")]
FileSourceConfig = Annotated[FolderConfig | S3Config, Field(discriminator="type")]
SampleConfig = FilesConfig
EventConfig = Annotated[KafkaConfig | HiveLogConfig | SqsConfig, Field(discriminator="type")]
