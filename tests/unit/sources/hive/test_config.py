"""What a platform file may say about a Hive metastore."""

import importlib.util
from typing import Any

import pytest
from pydantic import ValidationError

from metadata_assets.errors import PlatformError
from metadata_assets.sources.base import MetastoreSource
from metadata_assets.sources.hive.config import HiveConfig, parse_uri
from tests.surroundings import around


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("thrift://hms-1:9083", ("hms-1", 9083)),
        (" thrift://10.0.0.1:9083/ ", ("10.0.0.1", 9083)),
        ("thrift://[::1]:9083", ("::1", 9083)),
    ],
)
def test_addresses(uri: str, expected: tuple[str, int]) -> None:
    assert parse_uri(uri) == expected


@pytest.mark.parametrize(
    ("uri", "fault"),
    [
        ("", "no address in this entry"),
        ("  ", "no address in this entry"),
        ("hms:9083", "the scheme is missing"),
        ("http://hms:9083", "the scheme is 'http'"),
        ("thrift://hms", "the port is missing"),
        ("thrift://[::1]", "the port is missing"),
        ("thrift://hms:", "the port is missing"),
        ("thrift://hms:99999", "the port is '99999'"),
        ("thrift://hms:x", "the port is 'x'"),
        ("thrift://:9083", "the host is missing"),
        ("thrift://h ms:9083", "no blanks"),
        ("thrift://hms:9083/default", "no path"),
        ("thrift://a:1,thrift://b:2", "each wants its own"),
        ("thrift://u:secret@h:1", "no user and no password"),
        ("thrift://h[:1", "the host cannot be read"),
    ],
)
def test_other_addresses_are_refused_with_the_fault_and_without_their_secrets(uri: str, fault: str) -> None:
    with pytest.raises(ValidationError, match="has the form thrift://host:port") as refused:
        HiveConfig(type="hive", uris=(uri,))
    assert fault in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("wrong", [{"uris": []}, {"timeout": 0}, {"batch": 0}, {"auth": "ldap"}, {"url": "x"}])
def test_wrong_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        HiveConfig.model_validate({"type": "hive", "uris": ["thrift://h:1"]} | wrong)


def test_connect_opens_nothing() -> None:
    connected = HiveConfig(type="hive", uris=("thrift://192.0.2.1:1",)).connect(around())
    source: MetastoreSource = connected  # the type checker holds it to the role
    with source:
        assert connected.calls == 0


def test_a_missing_user_is_named() -> None:
    config = HiveConfig(type="hive", uris=("thrift://h:1",), user_env="HMS_USER")
    with pytest.raises(PlatformError, match="variable HMS_USER"):
        config.connect(around())


def test_kerberos_names_the_packages_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "puresasl" else real(name))
    with pytest.raises(PlatformError, match=r"puresasl.*metadata-assets\[kerberos\]"):
        HiveConfig(type="hive", uris=("thrift://h:1",), auth="kerberos").connect(around())
