"""What a refusal means: its entry is not taken for published, and counts still add up."""

import pytest

from metadata_assets.destinations.workbook import sheet
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.publishing import publish
from tests.lake import table
from tests.memory import World
from tests.unit.stages.conftest import EVERYTHING, Line


def test_an_entry_with_a_refused_row_is_tried_again(
    world: World, deployment: Deployment, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.metastore.add(table("raw.a", "id bigint", "name string"), table("raw.b", "id bigint"))
    line()
    with monkeypatch.context() as patch:
        patch.setattr(sheet, "MAX_ROWS", 3)
        counts = publish(deployment, "workbook", "catalog", [], EVERYTHING)
    assert set(counts.errors) == {"Columns:raw.b.id"}
    assert counts.listed == counts.written + counts.unchanged + len(counts.errors)
    assert [s.subject for s in deployment.store.published.failing("workbook")] == ["table:raw.b"]
    again = publish(deployment, "workbook", "catalog", [], EVERYTHING)
    assert (again.written, dict(again.errors)) == (1, {})
    assert not deployment.store.published.failing("workbook")
