"""placeholder"""

from collections.abc import Mapping

import sqlglot
from sqlglot import exp

from metadata_assets.model.lineage import Script, StatementLineage, StatementPlace
from metadata_assets.model.table import Table, TableName

ENGINE_VERSION = "0"


def infer_script(name: str, text: str, dialect: str, known: Mapping[TableName, Table]) -> Script:
    out = []
    for i, part in enumerate(text.split(";")):
        if not part.strip():
            continue
        place = StatementPlace(name, 1, i)
        try:
            tree = sqlglot.parse_one(part, read=dialect)
            tables = {TableName.of(t.db or "default", t.name) for t in tree.find_all(exp.Table)}
            target = tree.find(exp.Table)
            outs = (
                {TableName.of(target.db or "default", target.name)}
                if target is not None and isinstance(tree, (exp.Insert, exp.Create))
                else set()
            )
            out.append(
                StatementLineage(
                    place,
                    "table_only",
                    type(tree).__name__,
                    tuple(sorted(tables - outs)),
                    tuple(sorted(outs)),
                    reason="thin",
                )
            )
        except Exception as e:
            out.append(StatementLineage(place, "unparsed", "?", reason=str(e)[:50]))
    return Script(tuple(out))
