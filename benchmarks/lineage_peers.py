"""Other tools on the statements of `benchmarks.lineage`: run as a file by an interpreter that has the tool.

Each pins a parser of another version than ours, so that none of them can be measured in our process. Reads
`{tool, tables, statements}` as JSON from standard input, writes the CPU seconds of the best of three rounds.
"""

import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Tables = Mapping[str, Sequence[str]]
Read = Callable[[str], object]


def sqllineage(tables: Tables) -> Read:
    """sqllineage's sqlfluff analyzer, with the schema; what it returns is its column lineage."""
    provider: Any = importlib.import_module("sqllineage.core.metadata.dummy").DummyMetaDataProvider
    runner: Any = importlib.import_module("sqllineage.runner").LineageRunner
    known = provider({name: list(columns) for name, columns in tables.items()})
    return lambda sql: runner(sql, dialect="sparksql", metadata_provider=known).get_column_lineage()


def datahub(tables: Tables) -> Read:
    """DataHub's function without its cache; what it returns is its column lineage."""
    engine: Any = importlib.import_module("datahub.sql_parsing.sqlglot_lineage")
    resolver: Any = importlib.import_module("datahub.sql_parsing.schema_resolver").SchemaResolver(platform="hive")
    for name, columns in tables.items():
        urn = f"urn:li:dataset:(urn:li:dataPlatform:hive,{name},PROD)"
        resolver.add_raw_schema_info(urn, dict.fromkeys(columns, "string"))
    return lambda sql: engine._sqlglot_lineage_nocache(sql, resolver, default_schema="lake").column_lineage


TOOLS: dict[str, Callable[[Tables], Read]] = {"sqllineage": sqllineage, "datahub": datahub}


def main() -> None:
    asked = json.load(sys.stdin)
    read = TOOLS[asked["tool"]](asked["tables"])
    if not read(asked["statements"][0]):
        raise SystemExit("it finds no lineage, so that the comparison says nothing")
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for sql in asked["statements"]:
            read(sql)
        best = min(best, time.process_time() - start)
    sys.stdout.write(json.dumps(best))


if __name__ == "__main__":
    main()
