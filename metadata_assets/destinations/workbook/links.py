"""Links from a cell to the row of another tab. They are set anew at every write, since rows move."""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.hyperlink import Hyperlink

from metadata_assets.destinations.workbook.sheet import Tab

# (tab, column, target tab, cells that hold the target's key)
_LINKS = (
    ("Columns", "Table", "Tables", ("Database", "Table")),
    ("Tables", "Database", "Databases", ("Database",)),
    ("Lineage", "From", "Tables", ("From",)),
    ("Lineage", "To", "Tables", ("To",)),
    ("Coverage", "Database", "Databases", ("Database",)),
)
_LEADS_TO = {"Tables": "Table", "Databases": "Database"}
_MAX_LINKS = 65_530  # in a sheet; with more, Excel repairs the file by taking all away


def set_links(tabs: Mapping[str, Tab]) -> None:
    for name, column, target, key_columns in _LINKS:
        tab, to = tabs[name], tabs[target]
        if tab.layout.problem or to.layout.problem or column not in tab.layout.columns:
            continue
        room = _MAX_LINKS // sum(1 for link in _LINKS if link[0] == name)
        title = to.sheet.title.replace("'", "''")
        letter = get_column_letter(to.layout.columns[_LEADS_TO[target]])
        for count, held_key in enumerate(tab.layout.rows):
            cell = tab.cell(held_key, column)
            key = ".".join(str(tab.cell(held_key, c).value or "") for c in key_columns)
            row = to.layout.rows.get(key) if count < room else None
            place = f"'{title}'!{letter}{row}"
            cell.hyperlink = None if row is None else Hyperlink(ref=cell.coordinate, location=place)
