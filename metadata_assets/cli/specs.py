"""Commands on specs: check and schema. They start without Dagster."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.output import AS_JSON, print_exactly, print_json, say
from metadata_assets.errors import SelectionError
from metadata_assets.model.counts import counted

if TYPE_CHECKING:
    from metadata_assets.specs.finding import SpecFinding
    from metadata_assets.specs.specset import SpecSet

_SUFFIXES = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    content: bytes


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--against", is_flag=True, help="Also compare with the tables that the last backfill knew.")
@AS_JSON
def check(paths: tuple[str, ...], *, against: bool, as_json: bool) -> None:
    """Validate YAML specs: every finding with file:line:column. Without PATH, the specs of the platform file.

    Exit status 1 when there is an error; warnings alone leave it 0.
    """
    from metadata_assets.specs.collect import load_specs
    from metadata_assets.specs.finding import errors_of

    specs = load_specs(list(_files(paths or _own_specs())), kinds=_kinds())
    findings = sorted({*specs.findings, *_findings_on_the_way(paths or _own_specs())})
    if against:
        findings = sorted({*findings, *_findings_against(specs)})
    for finding in findings:
        if as_json:
            print_json(asdict(finding))
        else:
            say(f"{finding.severity}: {finding}" if finding.severity == "warning" else str(finding))
    errors = len(errors_of(findings))
    say(f"{counted(errors, 'error')}, {counted(len(findings) - errors, 'warning')}", err=True)
    if errors:
        sys.exit(1)


def _kinds() -> dict[str, type]:
    from metadata_assets.config import Platform
    from metadata_assets.specs.kinds import SPEC_KINDS

    return {**SPEC_KINDS, "platform": Platform}


def _own_specs() -> tuple[str, ...]:
    from metadata_assets.stages.deployment import platform_file, read_platform

    path = platform_file(os.environ)
    settings = read_platform(path).specs
    folder = getattr(settings, "path", None)
    if folder is None:
        raise SelectionError("the specs of this deployment are in no folder: name files or folders to check")
    return (str(path.parent / folder),)


def _files(paths: tuple[str, ...]) -> Iterator[_File]:
    from metadata_assets.sources.base import MAX_TEXT_BYTES
    from metadata_assets.sources.trees import read_regular
    from metadata_assets.stages.deployment import shown_path

    for name in paths:
        path = Path(name)
        if not path.exists():
            raise SelectionError(f"{name} does not exist")
        for file in _spec_files(path) if path.is_dir() else [path]:
            yield _File(shown_path(file), read_regular(file, MAX_TEXT_BYTES))


def _findings_on_the_way(paths: tuple[str, ...]) -> Iterator["SpecFinding"]:
    """Warnings about folders without a spec, and about links that are left out."""
    from metadata_assets.sources.trees import Tree
    from metadata_assets.specs.finding import Place, SpecFinding
    from metadata_assets.stages.deployment import shown_path
    from metadata_assets.stages.spec_findings import stray_findings

    for folder in filter(Path.is_dir, map(Path, paths)):
        yield from stray_findings({shown_path(path): why for path, why in Tree(folder).strays()})
        if not _spec_files(folder):
            told = f"there is no spec in this folder, no file ends in {' or '.join(sorted(_SUFFIXES))}"
            yield SpecFinding.at(Place(shown_path(folder), 1, 1), told, "is it the right folder?", "warning")


def _spec_files(folder: Path) -> list[Path]:
    """As the pipeline reads a folder: what cannot be listed is said, and hidden files are left alone."""
    from metadata_assets.sources.trees import Tree

    return sorted(p for p in Tree(folder).files() if p.suffix in _SUFFIXES)


def _findings_against(specs: "SpecSet") -> list["SpecFinding"]:
    from metadata_assets.specs.against import check_against
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.queries import nothing_known

    with opened(os.environ) as deployment:
        tables = {t.name: t for t in deployment.store.facts.contents("schema").values()}
        nothing = nothing_known(deployment.store)
    if not tables:
        raise SelectionError(f"there is nothing to compare with: {nothing}")
    return list(check_against(specs, tables))


@click.command()
def schema() -> None:
    """Print the JSON Schema of the specs, for editors: one schema, one of its branches a kind."""
    from metadata_assets.specs.schema import json_schema

    print_exactly(json.dumps(json_schema(_kinds()), ensure_ascii=False, indent=2) + "\n")
