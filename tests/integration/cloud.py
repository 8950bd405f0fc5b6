"""What tests on moto share: names, and the settings that lead to it."""

from typing import Any

from examples.services.moto import Moto
from metadata_assets.model.surroundings import AwsAccess

BUCKET = "meta-specs"
ENVIRON = {"KEY": "any", "SECRET": "thing"}


def keys_of(server: Moto) -> dict[str, Any]:
    return {"region": "eu-west-1", "endpoint_url": server.endpoint, "access_key_env": "KEY", "secret_key_env": "SECRET"}


def access_to(server: Moto) -> AwsAccess:
    return AwsAccess("eu-west-1", server.endpoint, None, "any", "thing")


def put(s3: Any, key: str, content: str = "x") -> None:
    s3.put_object(Bucket=BUCKET, Key=key, Body=content.encode())
