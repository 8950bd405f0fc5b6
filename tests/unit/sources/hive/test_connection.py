"""What a connection reads that Thrift's Python alone cannot."""

from pymetastore.hive_metastore.ttypes import GetTablesResult, SkewedInfo
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAcceleratedFactory
from thrift.TSerialization import deserialize, serialize

from metadata_assets.sources.hive import connection
from tests.integration.warehouse import make_table


def test_a_table_with_locations_of_skewed_values_breaks_no_answer() -> None:
    assert connection.BUFFER_BYTES, "the module is loaded: a connection reads like this"
    skewed, plain = make_table("raw", "skewed", [("zip", "string", None)]), make_table("raw", "plain", [])
    locations = {("00000", "x"): "s3://lake/zip=00000"}
    skewed.sd.skewedInfo = SkewedInfo(["zip", "name"], [["00000", "x"]], locations)
    factory = TBinaryProtocolAcceleratedFactory(fallback=False)
    answer = deserialize(GetTablesResult(), serialize(GetTablesResult([skewed, plain]), factory), factory)
    assert [t.tableName for t in answer.tables] == ["skewed", "plain"]
    assert answer.tables[0].sd.skewedInfo.skewedColValueLocationMaps == locations
