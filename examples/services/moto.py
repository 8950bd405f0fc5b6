"""S3, SQS, SNS and EventBridge on one loopback port: the moto server.

    python -m examples.services.moto start --dir DATA [--port 5000]
    python -m examples.services.moto stop|kill --dir DATA

It keeps its state in memory: a stop or a kill loses it, unlike that of the other services.
"""

import http.client
import importlib.util
import sys
from dataclasses import dataclass

from examples.services.command import run_action, service_parser
from examples.services.process import ChildService, ServiceUnavailable


@dataclass
class Moto(ChildService):
    """A server for any access key and any region."""

    port: int = 5000

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
    asked = service_parser(__doc__, 5000).parse_args()
    service = Moto(asked.dir, asked.port)
    run_action(asked.action, service, lambda: f"moto at {service.endpoint}, process {service.child.pid}")


if __name__ == "__main__":
    main()
