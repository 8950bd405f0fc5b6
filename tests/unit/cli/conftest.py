"""The command line in this process, on a world in memory that was catalogued once."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from metadata_assets.cli import main
from metadata_assets.stages.deployment import opened
from metadata_assets.stages.scope import Scope
from tests.integration.command import environment
from tests.lake import table
from tests.memory import WORLDS, World, platform_text
from tests.unit.stages.conftest import run_line

Invoke = Callable[..., Result]
SPECS = """\
version: 1
kind: documentation
tables:
  - name: raw.users
    description: People who signed up.
    owner: growth
    columns: [{name: cpf, description: Tax number.}]
---
version: 1
kind: tags
tables:
  - name: raw.users
    columns: [{name: cpf, tags: [PII_CPF]}]
---
version: 1
kind: lineage
jobs:
  - name: build
    columns:
      - {to: clean.users.cpf, from: [raw.users.cpf], transform: identity}
"""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[World]:
    name = f"cli_{tmp_path.name}"
    WORLDS[name] = World()
    path = tmp_path / "platform.yaml"
    path.write_text(platform_text(name))
    monkeypatch.setenv("METADATA_PLATFORM", str(path))
    monkeypatch.setenv("METADATA_HOME", str(tmp_path / "home"))
    WORLDS[name].metastore.add(table("raw.users", "id bigint", "cpf string"), table("clean.users", "cpf string"))
    WORLDS[name].specs.files = {"all.yaml": SPECS}
    yield WORLDS[name]
    del WORLDS[name]


@pytest.fixture
def catalogued(world: World) -> World:
    with opened(os.environ) as deployment:
        run_line(deployment, Scope("seed"))
    return world


@pytest.fixture
def invoke() -> Invoke:
    def call(*arguments: str) -> Result:
        return CliRunner().invoke(main, list(arguments), catch_exceptions=False)

    return call


@pytest.fixture
def shell(catalogued: World, tmp_path: Path) -> dict[str, str]:
    """The environment of programs over the same home, with a platform file that names no parts of tests."""
    path = tmp_path / "shell.yaml"
    (tmp_path / "ddl").mkdir()
    path.write_text("version: 1\nkind: platform\nmetastore: {type: ddl, path: ddl}\ndestinations: [{type: local}]\n")
    return environment(tmp_path / "home", METADATA_PLATFORM=str(path))
