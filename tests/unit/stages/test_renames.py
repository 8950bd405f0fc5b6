"""What was said of a table or column stays with it when it gets another name."""

from metadata_assets.model.table import Table, TableName
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.entities import merge_entries
from metadata_assets.stages.events.intake import store_messages
from metadata_assets.stages.scope import Scope
from metadata_assets.store.queries import history_of
from tests.apiary import altered, created, renamed
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import Line, run_line

NOW = 1_800_000_000.0
DOCUMENT = """\
version: 1
kind: documentation
tables:
  - name: raw.a
    description: One row a guest.
    columns:
      - {name: mail, description: Where to write.}
---
version: 1
kind: tags
tables:
  - {name: raw.a, columns: [{name: mail, tags: [PII_EMAIL]}]}
"""
CHANGED = Scope("run", everything=False)


def tell(deployment: Deployment, world: World, *messages: object) -> None:
    store_messages(deployment, deployment.platform.events[0], messages)  # type: ignore[arg-type]  # messages
    run_line(deployment, CHANGED)


def catalogued(world: World, line: Line, *tables: Table) -> None:
    """A backfill of these tables with the document."""
    world.metastore.add(*tables)
    world.specs.files = {"a.yaml": DOCUMENT}
    line()


def change(deployment: Deployment, world: World, before: Table, after: Table) -> None:
    """The metastore has `after` in the place of `before`, and tells so."""
    del world.metastore.tables[before.name]
    world.metastore.add(after)
    tell(deployment, world, altered(1, before, after, NOW))


def described(deployment: Deployment, name: str) -> tuple[str | None, dict[str, str | None]]:
    entry = deployment.store.facts.contents("entry", [f"table:{name}"])[f"table:{name}"]
    return entry.description, {c.name: c.description for c in entry.columns if c.description}


def test_a_renamed_table_keeps_its_documentation_until_another_has_the_name(
    deployment: Deployment, world: World, line: Line
) -> None:
    before = table("raw.a", "id bigint", "mail string")
    after = renamed(before, "clean.b")
    catalogued(world, line, before, table("clean.other"))
    remote = deployment.store.published.held("memory", ["table:raw.a"])["table:raw.a"].remote_id
    change(deployment, world, before, after)
    assert described(deployment, "clean.b") == ("One row a guest.", {"mail": "Where to write."})
    assert "table:raw.a" not in deployment.store.facts.hashes("entry")
    held = deployment.store.published.held("memory")
    assert "table:raw.a" not in held
    assert held["table:clean.b"].remote_id == remote
    world.metastore.add(table("raw.a", "id bigint", "mail string"))
    tell(deployment, world, created(2, world.metastore.tables[before.name], NOW + 1))
    assert described(deployment, "raw.a") == ("One row a guest.", {"mail": "Where to write."})
    assert described(deployment, "clean.b") == (None, {})


def test_an_edit_under_the_old_name_reaches_the_table(deployment: Deployment, world: World, line: Line) -> None:
    before = table("raw.a", "id bigint", "mail string")
    after = renamed(before, "raw.b")
    catalogued(world, line, before)
    change(deployment, world, before, after)
    world.specs.files = {"a.yaml": DOCUMENT.replace("One row a guest.", "One row a visitor.")}
    run_line(deployment, CHANGED)
    assert described(deployment, "raw.b")[0] == "One row a visitor."


def test_a_renamed_column_keeps_its_documentation_and_tags_and_is_told(
    deployment: Deployment, world: World, line: Line
) -> None:
    before = table("raw.a", "id bigint", "mail string")
    after = table("raw.a", "id bigint", "email string")
    catalogued(world, line, before)
    change(deployment, world, before, after)
    assert described(deployment, "raw.a")[1] == {"email": "Where to write."}
    entry = deployment.store.facts.contents("entry", ["table:raw.a"])["table:raw.a"]
    assert [(c.name, [t.name for t in c.tags if t.verdict == "confirmed"]) for c in entry.columns] == [
        ("id", []),
        ("email", ["PII_EMAIL"]),
    ]
    orphans = merge_entries(deployment, ["raw"], Scope("run")).orphans
    assert {(name, column) for name, column, _ in orphans} == {("raw.a", "mail (renamed: it is email now)")}


def test_a_column_of_another_type_is_another_column(deployment: Deployment, world: World, line: Line) -> None:
    before = table("raw.a", "id bigint", "mail string")
    after = table("raw.a", "id bigint", "sent timestamp")
    catalogued(world, line, before)
    change(deployment, world, before, after)
    assert described(deployment, "raw.a")[1] == {}
    assert deployment.store.moves.renamed_columns([TableName("raw", "a").subject]) == {}


def test_the_history_goes_on_under_the_new_name(deployment: Deployment, world: World, line: Line) -> None:
    before = table("raw.a", "id bigint", "mail string")
    after = renamed(before, "raw.b")
    catalogued(world, line, before)
    change(deployment, world, before, after)
    world.metastore.add(before)  # another table of the old name
    tell(deployment, world, created(2, before, NOW + 1))
    versions = history_of(deployment.store, "raw.b")
    names = [v.fact.subject for v in versions if v.fact.kind == "entry"]
    assert names[0] == "table:raw.a"
    assert names[1:] == ["table:raw.b"] * len(names[1:])
    assert len(names) > 1
    assert all(v.fact.content is not None for v in versions)
