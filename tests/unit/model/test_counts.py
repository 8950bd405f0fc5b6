"""Numbers in messages."""

from metadata_assets.model.counts import counted


def test_a_number_and_its_noun_agree() -> None:
    assert [counted(n, "table") for n in (0, 1, 2)] == ["0 tables", "1 table", "2 tables"]
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]
