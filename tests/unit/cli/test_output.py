"""What is printed: text from outside stays text, JSON stays JSON, and what cannot be printed is told in a line."""

import json
import subprocess
import sys

import pytest

from metadata_assets.cli.output import print_exactly, print_table, say
from tests.integration.command import ROOT
from tests.memory import World
from tests.unit.cli.conftest import Invoke
from tests.unit.cli.shell import in_shell

AWKWARD = "[/red] :smile: [bold]x[/] \x1b[2J \u009b1m \udcff é →"


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_table_shows_text_from_outside_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_table((AWKWARD,), [(AWKWARD,)], title=AWKWARD)
    shown = printed(capsys)
    assert shown.count("[/red] :smile: [bold]x[/] �[2J �1m � é →") == 3


def test_a_line_holds_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    say(AWKWARD)
    assert printed(capsys) == "[/red] :smile: [bold]x[/] �[2J �1m � é →\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_is_json_whatever_it_holds_and_wherever_it_goes(encoding: str) -> None:
    code = "from metadata_assets.cli.output import print_json; print_json({'a': '\\udcff \\U0001f600 →', 'b': [1e999]})"
    env = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    found = json.loads(done.stdout.decode(encoding), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert found == {"a": "\udcff \U0001f600 →", "b": ["inf"]}


def test_a_patch_is_printed_byte_for_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    print_exactly(b"\xff\x1b\r\n".decode("utf-8", "surrogateescape"))
    assert capfdbinary.readouterr().out == b"\xff\x1b\r\n"


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("P show raw.users >/dev/full", 1, "standard output: No space left on device\n"),
        ("P status --json >/dev/full", 1, "standard output: No space left on device\n"),
        ("P schema >/dev/full", 1, "standard output: No space left on device\n"),
        ("P --help >/dev/full", 1, "No space left on device\n"),
        ("P status >/dev/full 2>/dev/full", 1, ""),
        ("P status >&-", 0, ""),
        ("set -o pipefail; P status | true", 1, ""),
        ("PYTHONIOENCODING=ascii P explain clean.users.cpf >/dev/null", 0, ""),
        (
            "PYTHONIOENCODING=latin-1 P explain clean.users.cpf | grep -qF 'raw.users.cpf \\u2192 clean.users.cpf'",
            0,
            "",
        ),
        ("PYTHONIOENCODING=latin-1 P --help >/dev/null", 0, ""),
    ],
)
def test_what_cannot_be_printed_ends_in_a_line_and_a_status(
    line: str, status: int, told: str, shell: dict[str, str]
) -> None:
    done = in_shell(line, shell)
    assert (done.returncode, done.stderr) == (status, told)


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "\x1b[2J.[/red]"),
        ("show", "\udcff.\udcff"),
        ("status", "a" * 300 + ".b"),
        ("explain", "raw.users.\n"),
        ("impact", "[bold].users"),
        ("history", "'\".*"),
        ("plan", "--destination", "\x1b[2J"),
        ("status", "--select", "[/red]"),
        ("replay", "--source", "[/red]"),
    ],
)
def test_names_with_odd_characters_are_answered_in_words(
    arguments: tuple[str, ...], catalogued: World, invoke: Invoke
) -> None:
    for form in ((), ("--json",)):
        result = invoke(*arguments, *form)
        assert result.exit_code in (0, 2)
        assert "\x1b" not in result.output
        for line in result.stdout.splitlines() if form else ():
            json.loads(line)
