"""Secrets and values are in no text that may reach a log."""

from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError

from metadata_assets.model.surroundings import Surroundings
from metadata_assets.store.engine import open_engine
from metadata_assets.store.tables import local_catalog


def test_surroundings_do_not_show_the_environment() -> None:
    assert "hunter2" not in repr(Surroundings({"PASSWORD": "hunter2"}, Path("a"), Path("b")))


def test_errors_of_the_store_hold_no_parameters(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'store.db'}")
    row = {"destination": "d", "subject": "s", "content": "529.982.247-25"}
    with engine.begin() as connection:
        connection.execute(insert(local_catalog), row)
        with pytest.raises(DBAPIError) as caught:
            connection.execute(insert(local_catalog), row)
    engine.dispose()
    assert "529.982" not in str(caught.value)
