"""Why a tag is not there."""

from metadata_assets.model.finding import ColumnProfile, TableProfile
from metadata_assets.stages.deployment import Deployment
from metadata_assets.store.facts import Reading
from metadata_assets.store.queries import explain_column
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import Line

LINEAGE = """\
version: 1
kind: lineage
jobs:
  - name: j
    columns:
      - {to: clean.b.cpf, from: [raw.a.cpf], transform: identity}
      - {to: mart.c.token, from: [clean.b.cpf], transform: masking}
      - {to: mart.c.number, from: [clean.b.cpf], transform: aggregation}
      - {to: mart.c.filtered, from: [clean.b.cpf], transform: indirect}
"""
TAGS = "version: 1\nkind: tags\ntables:\n  - name: raw.a\n    columns: [{name: cpf, tags: [%s]}]\n"


def why(deployment: Deployment, column: str) -> dict[str, tuple[str, str]]:
    """Tag → verdict and, of those that are not there, the reason."""
    explained = explain_column(deployment.store, column)
    present = {e.tag.name: (str(e.tag.verdict), "") for e in explained.present}
    return present | {a.tag: ("absent", a.reason) for a in explained.absent}


def lake(world: World, tag: str) -> None:
    world.metastore.add(
        table("raw.a", "cpf string"),
        table("clean.b", "cpf string"),
        table("mart.c", "token string", "number bigint", "filtered string"),
    )
    world.specs.files = {"l.yaml": LINEAGE, "t.yaml": TAGS % tag}


def test_a_tag_stops_where_the_value_is_no_longer_there(deployment: Deployment, world: World, line: Line) -> None:
    lake(world, "PII_CPF")
    line()
    assert why(deployment, "clean.b.cpf")["PII_CPF"][0] == "confirmed"
    for column, reason in {
        "token": "masks the value",
        "number": "aggregates many values into one",
        "filtered": "the value itself does not arrive",
    }.items():
        verdict, evidence = why(deployment, f"mart.c.{column}")["PII_CPF"]
        assert verdict == "absent"
        assert f"it stops at clean.b.cpf → mart.c.{column}, which" in evidence
        assert reason in evidence


def test_a_tag_that_must_not_travel(deployment: Deployment, world: World, line: Line) -> None:
    lake(world, "{name: SECRET, propagate: never}")
    line()
    assert why(deployment, "clean.b.cpf")["SECRET"] == (
        "absent",
        "it is written at raw.a.cpf with `propagate: never` (t.yaml:5)",
    )


def test_a_tag_that_the_specs_took_away(deployment: Deployment, world: World, line: Line) -> None:
    lake(world, "SECRET")
    line()
    world.specs.files["t.yaml"] = TAGS % "tier_1"
    line()
    verdict, evidence = why(deployment, "raw.a.cpf")["SECRET"]
    assert verdict == "absent"
    assert evidence.endswith("it was written in t.yaml:5")


def test_a_name_that_the_values_do_not_bear_out(deployment: Deployment, world: World, line: Line) -> None:
    world.metastore.add(table("raw.x", "cpf string", "cpf_hash string"))
    profile = TableProfile((ColumnProfile("cpf", 9, 2, 7),), rows_read=9)
    deployment.store.facts.put("profile", [Reading("table:raw.x", profile, 1, "test")], "run")
    line()
    assert why(deployment, "raw.x.cpf") == {
        "PII_CPF": ("absent", "its name speaks for it, but too few of its values do (9 rows, 2 of them null)")
    }
    assert why(deployment, "raw.x.cpf_hash") == {"PII_CPF": ("absent", "its name speaks for it, but also says hash")}
