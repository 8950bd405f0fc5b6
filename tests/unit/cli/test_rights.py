"""A home that a user may only read: questions are answered from it, and what would write there says what to do."""

from pathlib import Path

import pytest

from metadata_assets.store.dead_letters import BadMessage
from metadata_assets.store.inbox import Arrivals
from metadata_assets.store.store import Store
from tests.rights import read_only
from tests.unit.cli.shell import in_shell


@pytest.fixture
def home(shell: dict[str, str]) -> Path:
    return Path(shell["METADATA_HOME"])


@pytest.mark.parametrize(
    "command",
    ["status", "show raw.users", "explain clean.users.cpf", "impact raw.users", "history raw.users", "plan --json"],
)
def test_reading_needs_no_rights_to_write(command: str, shell: dict[str, str], home: Path) -> None:
    wanted = in_shell(f"P {command}", shell)
    before = sorted(home.iterdir())
    with read_only(home):
        done = in_shell(f"P {command}", shell)
    assert (done.returncode, done.stdout, done.stderr) == (0, wanted.stdout, wanted.stderr)
    assert sorted(home.iterdir()) == before


def test_what_somebody_is_writing_is_read_too(shell: dict[str, str], home: Path) -> None:
    store = Store.open(f"sqlite:///{home / 'store.db'}")
    store.inbox.take_in(Arrivals(dead=(BadMessage("topic", "p@1", b"x", "garbage", 7.0),)))
    with read_only(home):
        done = in_shell("P status", shell)
    store.close()
    assert "1 dead letter" in done.stdout, done.stderr


@pytest.mark.parametrize(("command", "status"), [("backfill", 2), ("prepare", 2), ("prune --older-than 1d", 1)])
def test_what_writes_says_what_to_do(command: str, status: int, shell: dict[str, str], home: Path) -> None:
    (home / "dagster").mkdir(exist_ok=True)
    (home / "dagster/dagster.yaml").touch()
    with read_only(home):
        done = in_shell(f"P {command}", shell)
    assert done.returncode == status
    assert "set METADATA_HOME to a folder that can be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_home_that_cannot_be_made(shell: dict[str, str], home: Path) -> None:
    with read_only(home):
        done = in_shell("P status", {**shell, "METADATA_HOME": str(home / "deeper")})
    assert done.returncode == 1
    assert "set METADATA_HOME to a folder that can be written" in done.stderr
