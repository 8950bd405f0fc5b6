"""Commands as a shell runs them: with pipes, full disks and the rights of files."""

import subprocess
import sys

from tests.integration.command import PROGRAM, ROOT
from tests.rights import obey_rights


def in_shell(line: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which P is the program."""
    return subprocess.run(
        ["bash", "-c", f'P() {{ "{sys.executable}" -c "{PROGRAM[2]}" "$@"; }}; {line}'],
        env=env, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False, preexec_fn=obey_rights,
    )  # fmt: skip
