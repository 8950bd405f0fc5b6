"""A real Kafka broker: one node that is its own controller (KRaft).

    python -m examples.services.kafka start --dir DATA [--port 9092]
    python -m examples.services.kafka stop|kill --dir DATA

Needs Java 17 and Maven. Topics are not made by the first message: a misspelt name is an error, as in production.
"""

import base64
import socket
import struct
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from examples.services.command import run_action, service_parser
from examples.services.maven import fetch_jars
from examples.services.process import ChildService, free_port, require_java, run_tool
from examples.services.versions import KAFKA, KAFKA_VERSION

_QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
_SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "inter.broker.listener.name": "PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "auto.create.topics.enable": "false",
    # One node holds every copy.
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    # Fifty partitions of each internal topic, the default, are fifty folders to open at every start.
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
    "share.coordinator.state.topic.num.partitions": "4",
    # Back within seconds after kill -9, and no wait for members of a group that will not come.
    "broker.heartbeat.interval.ms": "300",
    "broker.session.timeout.ms": "1500",
    "group.initial.rebalance.delay.ms": "0",
    "log.cleaner.dedupe.buffer.size": "8388608",
}


@dataclass
class Kafka(ChildService):
    """A broker whose topics live in `folder`. `settings` are added to its server.properties.

    With `users` (name → password) a second listener, on `sasl_port`, lets in only them (SASL PLAIN, no encryption), and
    whoever brings a token that names anybody (OAUTHBEARER, unsigned: for tests and trials only).
    """

    port: int = 9092
    heap: str = "512m"
    settings: Mapping[str, str] = field(default_factory=dict)
    sasl_port: int = 9094
    users: Mapping[str, str] = field(default_factory=dict)

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def sasl_bootstrap(self) -> str:
        return f"127.0.0.1:{self.sasl_port}"

    def start(self, timeout: float = 60) -> float:
        """Seconds until it takes requests; fetching the jars and formatting the folder are not counted.

        Raises:
            ServiceUnavailable: Java, Maven or an artifact is missing.
            ServiceFailed: it does not come up.
        """
        java = require_java()
        classes = f"{fetch_jars(f'kafka-{KAFKA_VERSION}', KAFKA)}/*"
        configuration = self._write_configuration()
        if not (self.child.folder / "data" / "meta.properties").exists():
            cluster = "A" + base64.urlsafe_b64encode(uuid.uuid4().bytes).decode()[1:22]
            arguments = ["format", "-t", cluster, "-c", str(configuration), "--standalone"]
            tool = [java, "-XX:TieredStopAtLevel=1", _QUIET, "-cp", classes, "kafka.tools.StorageTool", *arguments]
            run_tool(tool, self.child.folder)
        self.child.spawn([
            java, "-Xms128m", f"-Xmx{self.heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Djava.awt.headless=true", _QUIET, "-cp", classes, "kafka.Kafka", str(configuration),
        ])  # fmt: skip
        return self.child.wait_until(lambda: answers("127.0.0.1", self.port), timeout)

    def _write_configuration(self) -> Path:
        folder = self.child.folder
        folder.mkdir(parents=True, exist_ok=True)
        controller = f"127.0.0.1:{self._controller_port()}"
        listeners = f"PLAINTEXT://{self.bootstrap},CONTROLLER://{controller}"
        places = {
            "controller.quorum.bootstrap.servers": controller,
            "listeners": listeners,
            "advertised.listeners": listeners,
            "log.dirs": str(folder / "data"),
        }
        path = folder / "server.properties"
        if self.users:
            places |= self._sasl_settings(listeners)
        path.write_text("".join(f"{k}={v}\n" for k, v in (_SETTINGS | places | dict(self.settings)).items()))
        return path

    def _sasl_settings(self, listeners: str) -> dict[str, str]:
        both = f"{listeners},SASL_PLAINTEXT://{self.sasl_bootstrap}"
        users = " ".join(f'user_{name}="{password}"' for name, password in self.users.items())
        return {
            "listeners": both,
            "advertised.listeners": both,
            "listener.security.protocol.map": (
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT"
            ),
            "sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
            "listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config": (
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;"
            ),
            "listener.name.sasl_plaintext.plain.sasl.jaas.config": (
                f"org.apache.kafka.common.security.plain.PlainLoginModule required {users};"
            ),
        }

    def _controller_port(self) -> int:
        """Kept from the first start: the address is part of what the folder was formatted with."""
        kept = self.child.folder / "controller_port"
        if not kept.exists():
            kept.write_text(str(free_port()))
        return int(kept.read_text())


def answers(host: str, port: int) -> bool:
    """Whether the broker answers an ApiVersions request (version 0): it does so only once it serves clients."""
    body = struct.pack(">hhih", 18, 0, 7, 5) + b"ready"
    try:
        with socket.create_connection((host, port), timeout=1) as link:
            link.settimeout(2)
            link.sendall(struct.pack(">i", len(body)) + body)
            head = link.makefile("rb").read(10)
    except OSError:
        return False
    return len(head) == 10 and struct.unpack(">iih", head)[1:] == (7, 0)


def main() -> None:
    asked = service_parser(__doc__, 9092).parse_args()
    service = Kafka(asked.dir, asked.port)
    run_action(asked.action, service, lambda: f"Kafka at {service.bootstrap}, process {service.child.pid}")


if __name__ == "__main__":
    main()
