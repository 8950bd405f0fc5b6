"""The Dagster UI in a real browser, with its daemon: what people see, and an edit that arrives by itself."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, sync_playwright

from examples.services.process import ServiceUnavailable
from metadata_assets.store.store import Store
from tests.conftest import require
from tests.daemon import Dagster, wait_until
from tests.integration.command import ROOT, backfill, environment

pytestmark = pytest.mark.browser
# Without these Chromium talks to its maker at each start.
_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass(frozen=True)
class Ui:
    url: str
    home: Path
    specs: Path


@pytest.fixture(scope="module")
def ui(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ui]:
    """The small lake catalogued, with the UI and the daemon running over it."""
    folder = tmp_path_factory.mktemp("ui")
    shutil.copytree(ROOT / "examples/lakehouse/ddl/raw", folder / "ddl/raw")
    shutil.copytree(ROOT / "yaml_specs/documentation", folder / "specs")
    platform = folder / "platform.yaml"
    platform.write_text(
        "version: 1\nkind: platform\nsensors: running\nmetastore: {type: ddl, path: ddl}\n"
        "specs: {type: folder, path: specs}\ndestinations:\n  - {type: local}\n  - {type: workbook}\n"
    )
    home = folder / "home"
    env = environment(home, METADATA_PLATFORM=str(platform), DAGSTER_HOME=str(home / "dagster"))
    backfill(env)
    dagster = Dagster(env, folder / "ui.log")
    try:
        dagster.start()
        yield Ui(dagster.url, home, folder / "specs")
    finally:
        dagster.stop()


def _await(condition: Callable[[], bool], seconds: float) -> None:
    assert wait_until(condition, seconds), f"did not happen within {seconds} s"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        require(ServiceUnavailable("chromium is not installed: apt-get install chromium"))
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(_QUIET))
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    found = browser.new_page(viewport={"width": 1500, "height": 950})
    found.set_default_timeout(60_000)
    yield found
    found.close()


def test_the_graph_shows_every_stage_green(ui: Ui, page: Page) -> None:
    page.goto(f"{ui.url}/locations/metadata_assets/asset-groups/metadata/lineage")
    for name in ("hive_databases", "hive_schemas", "sql_lineage", "pii_profiles", "catalog_entities"):
        page.get_by_text(name, exact=True).first.wait_for()
    page.get_by_text("100% filled").first.wait_for()
    assert page.get_by_text("Failed").count() == 0


def test_an_asset_shows_its_counts_and_checks(ui: Ui, page: Page) -> None:
    page.goto(f"{ui.url}/assets/hive_schemas")
    for name in ("listed", "written", "unchanged", "skipped", "failed"):
        page.get_by_text(name, exact=True).first.wait_for()
    page.goto(f"{ui.url}/assets/hive_schemas?view=checks")
    page.get_by_text("counts_add_up").first.wait_for()


def test_shards_are_partitions(ui: Ui, page: Page) -> None:
    page.goto(f"{ui.url}/assets/hive_schemas?view=partitions")
    page.get_by_text("raw", exact=True).first.wait_for()


def test_the_lake_can_be_walked(ui: Ui, page: Page) -> None:
    page.goto(f"{ui.url}/locations/hive_catalog/asset-groups/raw/list")
    page.get_by_text("users").first.wait_for()
    page.goto(f"{ui.url}/assets/hive/raw/users")
    page.get_by_text("cpf", exact=True).first.wait_for()


def test_an_edit_reaches_the_workbook_by_itself_and_only_that_table_is_written(ui: Ui) -> None:
    before = _written(ui)
    path = ui.specs / "raw.yaml"
    text = path.read_text(encoding="utf-8")
    assert "name: raw.users" in text
    start = text.index("owner:", text.index("name: raw.users"))
    path.write_text(text[:start] + "owner: somebody-new" + text[text.index("\n", start) :], encoding="utf-8")
    _await(lambda: _owner(ui) == "somebody-new", 150)
    _await(lambda: _changed(ui, before) >= {("local", "table:raw.users"), ("workbook", "table:raw.users")}, 60)
    assert _changed(ui, before) == {("local", "table:raw.users"), ("workbook", "table:raw.users")}


def _changed(ui: Ui, before: dict[tuple[str, str], float | None]) -> set[tuple[str, str]]:
    return {subject for subject, at in _written(ui).items() if at != before.get(subject)}


def _written(ui: Ui) -> dict[tuple[str, str], float | None]:
    store = Store.open(f"sqlite:///{ui.home / 'store.db'}")
    try:
        return {(s.destination, s.subject): s.written_at for s in store.published.standings()}
    finally:
        store.close()


def _owner(ui: Ui) -> str:
    with closing(load_workbook(ui.home / "catalog.xlsx", read_only=True)) as book:
        rows = list(book["Tables"].values)
    owner, table = rows[0].index("Owner"), rows[0].index("Table")
    return str(next(r[owner] for r in rows[1:] if r[table] == "users"))
