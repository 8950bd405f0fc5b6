"""S3, SQS, SNS and EventBridge on one loopback port: the moto server.

    python -m examples.services.moto start --dir DATA [--port 5000]
    python -m examples.services.moto stop|kill --dir DATA

It keeps its state in memory: a stop or a kill loses it, unlike that of the other services.
"""

import argparse
import http.client
import importlib.util
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from examples.services.process import Child, ServiceUnavailable


@dataclass
class Moto:
    """A server for any access key and any region."""

    folder: Path
    port: int = 5000

    @cached_property
    def child(self) -> Child:
        return Child(self.folder)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, timeout: float = 30) -> float:
        """Seconds until it answers.

        Raises:
            ServiceUnavailable: moto with its server is not installed.
            ServiceFailed: it does not come up.
        """
        for module in ("moto", "flask"):
            if importlib.util.find_spec(module) is None:
                raise ServiceUnavailable(f"Python package {module} is missing: pip install 'moto[server]'")
        self.child.spawn([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)])
        return self.child.wait_until(lambda: self._ask("GET", "/moto-api/data.json"), timeout)

    def stop(self) -> None:
        self.child.stop()

    def kill9(self) -> None:
        self.child.kill9()

    def reset(self) -> None:
        """Empty every bucket, queue and topic."""
        self._ask("POST", "/moto-api/reset")

    def _ask(self, method: str, path: str) -> bool:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            link.request(method, path)
            return link.getresponse().status == http.client.OK
        except OSError:
            return False
        finally:
            link.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["start", "stop", "kill"])
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--port", type=int, default=5000)
    asked = parser.parse_args()
    service = Moto(asked.dir, asked.port)
    if asked.action == "start":
        seconds = service.start()
        sys.stdout.write(f"moto at {service.endpoint}, process {service.child.pid}, ready in {seconds:.1f} s\n")
    elif asked.action == "stop":
        service.stop()
    else:
        service.kill9()


if __name__ == "__main__":
    main()
