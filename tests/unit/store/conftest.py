"""An empty store on SQLite and on PostgreSQL: every test that asks for one runs on both."""

from collections.abc import Iterator

import pytest

from metadata_assets.store.store import Store


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = Store.open(store_url)
    yield opened
    opened.close()
