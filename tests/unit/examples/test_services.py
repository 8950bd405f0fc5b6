"""The parts of the starters that need no service."""

import socket
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from examples.services import maven, postgres
from examples.services.maven import fetch_jars, jar_cache, to_pom
from examples.services.metastore import Metastore, answers
from examples.services.process import Child, ServiceFailed, ServiceUnavailable, free_port, require_tool
from examples.services.versions import HIVE_METASTORE, Artifact
from tests.conftest import require

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]


def test_a_child_is_known_to_another_starter_and_stops(tmp_path: Path) -> None:
    child = Child(tmp_path / "service")
    child.spawn(SLEEPER)
    assert child.wait_until(lambda: b"up" in child.log.read_bytes(), 10) < 10
    assert Child(tmp_path / "service").pid == child.pid
    assert child.memory_mb > 1
    with pytest.raises(ServiceFailed, match="already served by process"):
        Child(tmp_path / "service").spawn(SLEEPER)
    child.kill9()
    assert child.pid is None
    child.spawn(SLEEPER)
    child.stop()
    assert (child.pid, child.memory_mb) == (None, 0.0)


def test_a_child_that_dies_shows_the_end_of_its_log(tmp_path: Path) -> None:
    child = Child(tmp_path)
    child.spawn([sys.executable, "-c", "raise SystemExit('no database')"])
    with pytest.raises(ServiceFailed, match=r"died while starting(?s:.*)no database"):
        child.wait_until(lambda: False, 10)
    child.stop()


def test_a_child_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    child = Child(tmp_path)
    child.spawn(SLEEPER)
    with pytest.raises(ServiceFailed, match=r"not ready after 0\.2 s"):
        child.wait_until(lambda: False, 0.2)
    child.stop()


def test_a_pid_of_somebody_else_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "pid").write_text("1 12345")
    assert Child(tmp_path).pid is None


def test_free_ports_can_be_bound() -> None:
    with socket.create_server(("127.0.0.1", free_port())):
        pass


def test_a_missing_program_is_named_with_its_package() -> None:
    with pytest.raises(ServiceUnavailable, match="'/nowhere/mvn' is missing: apt-get install maven"):
        require_tool("mvn", "apt-get install maven", {"PATH": "", "MVN": "/nowhere/mvn"})


def test_the_cache_lies_outside_the_tree() -> None:
    assert jar_cache({"METADATA_JARS": "/jars"}) == Path("/jars")
    assert jar_cache({}) == Path.home() / ".cache" / "metadata-assets" / "jars"


@pytest.mark.parametrize("version", list(HIVE_METASTORE))
def test_projects_name_each_artifact(version: str) -> None:
    project = ElementTree.fromstring(to_pom(HIVE_METASTORE[version]))
    names = [node.text for node in project.iter("dependency") for node in node.iter("artifactId")]
    assert "derby" in names


def test_fetching_tries_again_only_when_the_connection_broke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers_left = ["Connection reset", "", "Could not find artifact a:b"]

    def run(argv: list[str], cwd: Path, timeout: float) -> str:
        if said := answers_left.pop(0):
            raise ServiceFailed(said)
        return ""

    monkeypatch.setattr(maven, "require_tool", lambda *_: "mvn")
    monkeypatch.setattr(maven, "run_tool", run)
    monkeypatch.setattr("time.sleep", lambda _: None)
    artifacts = [Artifact("g:a:1")]
    assert fetch_jars("x", artifacts, tmp_path) == tmp_path / "x" / "jars"
    assert fetch_jars("x", artifacts, tmp_path) == tmp_path / "x" / "jars"  # from the cache
    with pytest.raises(ServiceUnavailable, match="the jars of y cannot be fetched: Could not find"):
        fetch_jars("y", artifacts, tmp_path)
    assert answers_left == []


def test_a_lake_is_mapped_to_a_folder(tmp_path: Path) -> None:
    service = Metastore(tmp_path, lake="s3://lake", settings={"a": "<b>"})
    assert service.warehouse == "s3://lake/warehouse"
    conf = ElementTree.parse(service._write_configuration() / "hive-site.xml")
    values = {p.findtext("name"): p.findtext("value") for p in conf.iter("property")}
    assert values["fs.viewfs.mounttable.lake.linkFallback"] == f"file:{tmp_path}/lake"
    assert values["a"] == "<b>"


def test_nobody_answers_at_a_free_port() -> None:
    assert not answers("127.0.0.1", free_port())


def test_missing_postgres_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_PACKAGES", tmp_path)
    with pytest.raises(ServiceUnavailable, match="apt-get install postgresql"):
        postgres.find_programs()


@pytest.mark.parametrize(("required", "outcome"), [("1", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_unavailable_services_skip_or_fail(
    required: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METADATA_REQUIRE_SERVICES", required)
    with pytest.raises(outcome, match="no Java"):
        require(ServiceUnavailable("no Java"))
