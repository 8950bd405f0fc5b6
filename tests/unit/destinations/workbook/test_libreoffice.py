"""The workbook in another program: what LibreOffice shows is what was written, and what it saves is still the same."""

import csv
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl.worksheet.worksheet import Worksheet

from metadata_assets.destinations.workbook.destination import Workbook
from metadata_assets.destinations.workbook.texts import to_cell_text
from metadata_assets.model.publication import Wanted
from metadata_assets.model.table import TableName
from tests.conformance.catalog import everything, raw_users
from tests.conformance.test_texts import TEXTS
from tests.unit.destinations.workbook.people import column, edit, tables

# LibreOffice reads this one as it is and writes another.
CHANGED_BY_IT = TEXTS["escaped escape"]


@pytest.fixture(scope="module")
def wanted() -> Wanted:
    texts = [(n, t) for n, t in enumerate(TEXTS.values()) if t != CHANGED_BY_IT]
    odd = [replace(raw_users(text), name=TableName("odd", f"t{n}"), columns=()) for n, text in texts]
    return Wanted((*everything(), *odd))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("soffice") is None:
        pytest.skip("no LibreOffice: apt-get install libreoffice-calc")
    return tmp_path_factory.mktemp("office")


def convert(path: Path, target: str, folder: Path) -> Path:
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder / "out"), str(path)]
    subprocess.run(command, check=True, timeout=180, capture_output=True)
    return folder / "out"


def test_texts_are_shown_as_texts(office: Path, wanted: Wanted) -> None:
    path = office / "catalog.xlsx"
    workbook = Workbook(path)
    workbook.apply(workbook.diff(wanted, {}))
    out = convert(path, "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", office)
    with (out / "catalog-Tables.csv").open(encoding="utf-8", newline="") as file:
        shown = {row["Table"]: row["Description"] for row in csv.DictReader(file)}
    for number, (name, text) in enumerate(TEXTS.items()):
        if text != CHANGED_BY_IT:
            assert shown[f"t{number}"] == to_cell_text(text), name


def test_a_file_saved_by_libreoffice_needs_no_change(office: Path, wanted: Wanted) -> None:
    path = office / "saved.xlsx"
    workbook = Workbook(path)
    workbook.apply(workbook.diff(wanted, {}))
    saved = convert(path, "xlsx", office) / "saved.xlsx"
    changes = Workbook(saved).diff(wanted, {})
    assert [(c.subject, c.fields) for c in changes.changes] == []


def test_a_renamed_header_is_found_in_a_file_saved_by_libreoffice(office: Path, wanted: Wanted) -> None:
    path = office / "renamed.xlsx"
    workbook = Workbook(path)
    workbook.apply(workbook.diff(wanted, {}))
    edit(path, lambda book: rename(tables(book), "Owner", "Team"))
    saved = convert(path, "xlsx", office) / "renamed.xlsx"
    fields = [f for c in Workbook(saved).diff(wanted, {}).changes for f in c.fields]
    assert [(f.field, f.old) for f in fields] == [("header Owner", "Team")]


def rename(sheet: Worksheet, name: str, new: str) -> None:
    sheet.cell(1, column(sheet, name)).value = new
