"""Times of a rollback of which nothing can be told: each is refused for its own reason."""

import time

import pytest

from metadata_assets.errors import SelectionError
from metadata_assets.model.table import Database
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.rollback import rollback_patches
from metadata_assets.stages.scope import Scope
from metadata_assets.stages.specs import ingest_specs
from metadata_assets.store.facts import Reading
from metadata_assets.store.pruning import prune
from tests.memory import World

Y1999, Y2999 = 915_148_800.0, 32_472_144_000.0


def write(deployment: Deployment, world: World, description: str) -> float:
    """Take in a description of raw.users; when that was done."""
    text = f"version: 1\nkind: documentation\ntables: [{{name: raw.users, description: {description}}}]\n"
    world.specs.files = {"docs.yaml": text}
    ingest_specs(deployment, Scope("run"))
    return time.time()


def refusal(deployment: Deployment, moment: float) -> str:
    with pytest.raises(SelectionError) as caught:
        rollback_patches(deployment, "raw.users", moment)
    return str(caught.value)


def test_pruning_that_took_nothing_is_not_to_blame(deployment: Deployment, world: World) -> None:
    write(deployment, world, "first")
    prune(deployment.store.engine, 0)
    told = refusal(deployment, Y1999)
    assert told.startswith(
        "nothing was known at 1999-01-01 00:00:00+00:00 of what the specs say of raw.users; its specs"
    )


def test_nor_is_pruning_of_another_table(deployment: Deployment, world: World) -> None:
    for number in range(2):
        reading = Reading("database:a", Database("a", str(number)), number, "s")
        deployment.store.facts.put("database", [reading], "run")
    prune(deployment.store.engine, 0)
    write(deployment, world, "first")
    assert refusal(deployment, Y1999).startswith("nothing was known at 1999-01-01")


def test_what_may_have_been_pruned_is_said_to_be_unknown(deployment: Deployment, world: World) -> None:
    write(deployment, world, "first")
    write(deployment, world, "second")
    prune(deployment.store.engine, 0)
    told = refusal(deployment, Y1999)
    assert "is not known: its oldest version left is of" in told
    assert told.endswith("was pruned: choose a later time")


def test_a_moment_that_is_still_to_come(deployment: Deployment, world: World) -> None:
    write(deployment, world, "first")
    told = refusal(deployment, Y2999)
    assert told.startswith("2999-01-01 00:00:00+00:00 is still to come, it is ")
    assert told.endswith("times without a zone are UTC")
