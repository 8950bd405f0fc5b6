"""Scripts are read in processes that may be killed at any statement, and nothing but that statement is lost."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from metadata_assets.lineage import workers
from metadata_assets.lineage.messages import Limits, ScriptText
from metadata_assets.lineage.script import infer_script
from metadata_assets.lineage.workers import end_idle, read_scripts
from metadata_assets.model.lineage import Script, StatementLineage, view_script
from metadata_assets.model.table import Table, TableName
from tests.lake import table

# A sum that is parsed for minutes.
ENDLESS = f"insert into mart.sums select {' + '.join(f'c{i}' for i in range(20_000))} from raw.many"
SHORT = Limits(seconds=1.0)
LAKE = {t.name: t for t in (table("raw.a", "id bigint", "v string"), table("mart.b", "id bigint", "v string"))}


def job(text: str, name: str = "job.sql") -> ScriptText:
    return ScriptText(name, text, "spark")


def statements(*texts: ScriptText, tables: Mapping[TableName, Table] = LAKE, limits: Limits = SHORT) -> list[Script]:
    return list(read_scripts(texts, tables, limits, most=2))


def ends(script: Script) -> list[str]:
    return [s.status for s in script.statements]


def test_what_is_read_in_a_process_is_what_is_read_here() -> None:
    text = "insert into mart.b select * from raw.a; create temp view w as select id from raw.a; insert into x select 1"
    (script,) = statements(job(text))
    assert script == infer_script("job.sql", text, "spark", LAKE)
    assert script.statements[0].columns


def test_scripts_come_in_the_order_of_their_texts() -> None:
    texts = [job(f"insert into mart.t{n} select id from raw.a", f"{n}.sql") for n in range(40)]
    found = statements(*texts)
    assert [s.statements[0].place.file for s in found] == [t.name for t in texts]


def test_a_statement_that_takes_too_long_keeps_its_tables_and_hurts_no_other() -> None:
    before, after = "insert into mart.b select * from raw.a", "insert into mart.b select v, id from raw.a"
    (slow, quick) = statements(job(f"{before};\n{ENDLESS};\n{after}"), job(before, "quick.sql"))
    assert ends(slow) == ["lineage", "timeout", "lineage"]
    late: StatementLineage = slow.statements[1]
    assert (late.place.line, "1 s of CPU time" in late.reason) == (2, True)
    assert ([str(t) for t in late.inputs], [str(t) for t in late.outputs]) == (["raw.many"], ["mart.sums"])
    assert ends(quick) == ["lineage"]


def test_a_view_that_takes_too_long_is_still_the_view() -> None:
    query = ENDLESS.partition(" select ")[2]
    view = TableName("mart", "v")
    (script,) = statements(ScriptText(view_script(view), f"select {query}", "spark"))
    (statement,) = script.statements
    assert (statement.status, statement.outputs) == ("timeout", (view,))


def test_what_would_need_too_much_memory_is_an_outcome() -> None:
    end_idle()
    huge = "insert into mart.b select " + ", ".join(f"'{'x' * 50}' as c{i}" for i in range(15_000)) + " from raw.a"
    bounded, after = statements(job(huge), job("insert into mart.b select * from raw.a"), limits=Limits(30.0, 90))
    assert len(bounded.statements) == 1
    assert bounded.statements[0].status in ("unparsed", "table_only")
    assert ends(after) == ["lineage"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[workers._Worker]:
    """The processes that readings took, in their order."""
    end_idle()
    taken: list[workers._Worker] = []
    take = workers._take

    def _noted() -> workers._Worker:
        taken.append(take())
        return taken[-1]

    monkeypatch.setattr(workers, "_take", _noted)
    return taken


GOOD = "insert into mart.b select * from raw.a"


def test_a_process_that_died_while_it_waited_is_replaced(started: list[workers._Worker]) -> None:
    statements(job(GOOD))
    started[0]._process.kill()
    started[0]._process.wait()
    assert ends(statements(job(GOOD))[0]) == ["lineage"]
    assert started[0] is not started[1]


def test_a_process_that_dies_at_a_statement_takes_only_that_with_it(started: list[workers._Worker]) -> None:
    class Killing(dict[TableName, Table]):
        """The process that asks for its first table does not live to hear the answer."""

        def get(self, name: TableName, default: object = None) -> Table | None:  # type: ignore[override]
            if len(started) == 1:
                started[0]._process.kill()
            return super().get(name)

    (script,) = statements(job(f"{GOOD};{GOOD}"), tables=Killing(LAKE))
    assert ends(script) == ["unparsed", "lineage"]
    assert "SIGKILL" in script.statements[0].reason
    assert [str(t) for t in script.statements[0].outputs] == ["mart.b"]


def test_a_reading_that_is_left_leaves_no_busy_process(started: list[workers._Worker]) -> None:
    reading = read_scripts([job("select 1"), job(ENDLESS), job(ENDLESS)], {}, Limits(seconds=60), most=2)
    next(reading)
    reading.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(started) == 2
    assert all(w._process.poll() is not None for w in started)


def test_what_is_known_may_change_between_readings() -> None:
    text = job("insert into mart.b select * from raw.a")
    assert ends(statements(text)[0]) == ["lineage"]
    other = LAKE | {TableName("raw", "a"): table("raw.a", "x int")}
    found = statements(text, tables=other)[0].statements[0]
    assert {str(e.source) for e in found.columns} <= {"raw.a.x"}


def test_processes_end_with_the_one_that_asked() -> None:
    """Killed in the middle of a long statement: its processes find nobody to tell, and their time is bounded."""
    program = textwrap.dedent("""
        import os, sys
        from metadata_assets.lineage.messages import Limits, ScriptText
        from metadata_assets.lineage import workers
        class Told(dict):
            def get(self, name, default=None):
                print(*(w._process.pid for w in asked), flush=True)
                os.kill(os.getpid(), 9)
        asked = []
        take = workers._take
        workers._take = lambda: asked.append(take()) or asked[-1]
        list(workers.read_scripts([ScriptText("a.sql", "insert into b select * from a", "spark")], Told(), Limits(1)))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    pids = [int(pid) for pid in done.stdout.split()]
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
