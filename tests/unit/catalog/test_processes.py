"""Jobs and their outputs as processes."""

from metadata_assets.catalog.processes import to_processes
from metadata_assets.model.entity import ProcessEntry
from metadata_assets.model.lineage import Script
from metadata_assets.model.table import TableName
from tests.unit.catalog.made import declared, edge, name, script, statement

KNOWN = {name(t) for t in "abcdef"}


def processes(*scripts: Script, known: set[TableName] = KNOWN) -> list[ProcessEntry]:
    return to_processes(scripts, [], known)


def test_statements_of_one_job_that_fill_a_table_are_one_process() -> None:
    found = processes(
        script(
            statement("c", "b", edge("b.x>c.x"), line=9),
            statement("c", "a", edge("a.x>c.x"), line=3),
            statement("d", "a"),
        )
    )
    assert found == [
        ProcessEntry("job", name("c"), (name("a"), name("b")), (edge("a.x>c.x"), edge("b.x>c.x"))),
        ProcessEntry("job", name("d"), (name("a"),)),
    ]
    assert [p.subject for p in found] == ["process:job->raw.c", "process:job->raw.d"]
    assert found[0].sources == {"inputs": "job.sql:3"}


def test_each_job_has_its_own_process() -> None:
    found = processes(script(statement("c", "a", file="z.sql")), script(statement("c", "a", file="b/a.sql")))
    assert [p.job for p in found] == ["b/a", "z"]


def test_tables_that_nobody_knows_are_left_out() -> None:
    found = script(statement("c z", "a y", edge("a.x>c.x"), edge("y.x>c.x"), edge("a.x>z.x")), statement("d", "y"))
    assert processes(found) == [ProcessEntry("job", name("c"), (name("a"),), (edge("a.x>c.x"),))]


def test_a_table_is_no_input_of_its_own() -> None:
    found = script(statement("a", "a b", edge("a.x>a.y"), edge("b.x>a.x")), statement("c", "c", edge("c.x>c.y")))
    assert processes(found) == [ProcessEntry("job", name("a"), (name("b"),), (edge("b.x>a.x"),))]


def test_columns_belong_to_the_process_of_their_table() -> None:
    found = processes(script(statement("c d", "a", edge("a.x>c.x"), edge("a.x>d.x"))))
    assert [p.columns for p in found] == [(edge("a.x>c.x"),), (edge("a.x>d.x"),)]


def test_declared_jobs_are_marked() -> None:
    assert to_processes([], [declared("spark", "b c", "a", edge("a.x>b.x"))], KNOWN) == [
        ProcessEntry("spark", name("b"), (name("a"),), (edge("a.x>b.x"),), declared=True),
        ProcessEntry("spark", name("c"), (name("a"),), (), declared=True),
    ]


def test_a_job_that_is_declared_and_has_sql_is_one_process() -> None:
    found = to_processes([script(statement("c", "a"))], [declared("job", "c", "b"), declared("job", "d", "b")], KNOWN)
    assert found == [
        ProcessEntry("job", name("c"), (name("a"), name("b"))),
        ProcessEntry("job", name("d"), (name("b"),), declared=True),
    ]
    assert len({p.subject for p in found}) == len(found)
