"""The README is kept true: its YAML loads, its commands exist, and every plug-in and spec kind is in it."""

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from metadata_assets.cli import main
from metadata_assets.config import Platform
from metadata_assets.destinations import DestinationConfig
from metadata_assets.sources import EventConfig, FileSourceConfig, MetastoreConfig, SampleConfig
from metadata_assets.specs.collect import load_specs
from metadata_assets.specs.kinds import SPEC_KINDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
YAML_BLOCKS = re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


class Block:
    def __init__(self, text: str) -> None:
        self.path, self.content = "README.md", text.encode()


@pytest.mark.parametrize("text", YAML_BLOCKS, ids=lambda t: t.splitlines()[0][:40])
def test_yaml_of_the_readme_is_valid(text: str) -> None:
    specs = load_specs([Block(text)], kinds={**SPEC_KINDS, "platform": Platform})
    assert [str(f) for f in specs.findings if f.severity == "error"] == []


def _plug_ins() -> list[str]:
    configs: list[type[BaseModel]] = [SampleConfig]
    for union in (MetastoreConfig, FileSourceConfig, EventConfig, DestinationConfig):
        configs += get_args(get_args(union)[0])
    return sorted({get_args(c.model_fields["type"].annotation)[0] for c in configs})


@pytest.mark.parametrize("name", _plug_ins())
def test_every_plug_in_is_in_the_readme(name: str) -> None:
    assert f"`{name}`" in README


@pytest.mark.parametrize("kind", [*SPEC_KINDS, "platform"])
def test_every_spec_kind_is_in_the_readme(kind: str) -> None:
    assert f"`{kind}`" in README


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`{command}" in README


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make ([a-z-]+)", README))))
def test_every_make_target_of_the_readme_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\((?!http)([^)#]+)", README))))
def test_every_link_of_the_readme_leads_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
