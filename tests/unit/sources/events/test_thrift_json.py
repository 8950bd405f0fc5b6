"""Tables in Thrift's JSON, as Thrift itself writes it, where that is no JSON."""

import json

import pytest
from pymetastore.hive_metastore.ttypes import SkewedInfo
from thrift.protocol.TJSONProtocol import TJSONProtocolFactory
from thrift.TSerialization import serialize

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.tables import table_of_ids
from tests.integration.warehouse import make_table

ODD = ['00000"]:', "a\\", "[x", "é"]


@pytest.mark.parametrize(
    "locations", [{}, {("00000",): "s3://lake/zip=00000"}, {("1", "b"): "x", ("2", "c"): "y"}, {tuple(ODD): '["a"]:'}]
)
def test_locations_of_skewed_values_hide_nothing_of_the_table(locations: dict[tuple[str, ...], str]) -> None:
    table = make_table("raw", "skewed", [("zip", "string", 'a "]:" comment'), ("id", "int", None)])
    table.sd.skewedInfo = SkewedInfo(["zip"], [list(key) for key in locations], locations)
    text = serialize(table, TJSONProtocolFactory()).decode()
    if locations:
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
    found = table_of_ids(text).to_table()
    assert [(c.name, c.comment) for c in found.columns] == [("zip", 'a "]:" comment'), ("id", None)]
    assert found.location == table.sd.location


@pytest.mark.parametrize("text", ['{"1": [[1]: 2}', '{"1": ["a]: 2}', "{[" * 50_000, '{["a"]:' * 50_000, "[" * 200_000])
def test_what_only_looks_like_it_is_refused_at_once(text: str) -> None:
    with pytest.raises(Undecodable):
        table_of_ids(text)
