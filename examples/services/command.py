"""What the commands of all services share: their arguments, and starting, stopping and killing."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Service(Protocol):
    """A service that goes on with its data when it is started again."""

    def start(self) -> float: ...

    def stop(self) -> None: ...

    def kill9(self) -> None: ...


def service_parser(description: str | None, port: int) -> argparse.ArgumentParser:
    """The arguments `start|stop|kill --dir FOLDER [--port N]`; a service may add its own."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["start", "stop", "kill"])
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--port", type=int, default=port)
    return parser


def run_action(action: str, service: Service, told: Callable[[], str]) -> None:
    """Do what was asked; after a start say what `told` says of the service, and how long it took."""
    if action == "start":
        seconds = service.start()
        sys.stdout.write(f"{told()}, ready in {seconds:.1f} s\n")
    elif action == "stop":
        service.stop()
    else:
        service.kill9()
