"""Programs that obey the rights of files also where the tests run as root."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_DROP_FROM_BOUNDS = 24  # PR_CAPBSET_DROP of prctl(2)
_OVERRIDES = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


def obey_rights() -> None:
    """For `preexec_fn`: what is executed next may no longer write and read whatever the rights of files say."""
    if os.geteuid() == 0:
        for capability in _OVERRIDES:
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder and all in it are only to be read, until the block ends."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
