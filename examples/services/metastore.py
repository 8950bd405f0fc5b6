"""A real Hive metastore on an embedded Derby database, with notification events on.

    python -m examples.services.metastore start --dir DATA [--port 9083] [--version 2.3.10] [--lake s3://lake]
    python -m examples.services.metastore stop|kill --dir DATA

Needs Java 17 and Maven. Hive 2.3 and 3.1 have no setting for the address they listen on: they listen on all.
"""

import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from examples.services.command import run_action, service_parser
from examples.services.maven import fetch_jars
from examples.services.process import ChildService, require_java, run_tool
from examples.services.versions import HIVE_METASTORE

# The schema that DataNucleus derives creates NOTIFICATION_SEQUENCE too late for a first event on newer versions, and a
# MESSAGE column of 32,700 characters, so that altering a wide table would fail: both tables are made before the start.
_NOTIFICATION_TABLES = """
CREATE TABLE "APP"."NOTIFICATION_LOG" (
  "NL_ID" BIGINT NOT NULL CONSTRAINT "NOTIFICATION_LOG_PK" PRIMARY KEY, "EVENT_ID" BIGINT NOT NULL,
  "EVENT_TIME" INTEGER NOT NULL, "EVENT_TYPE" VARCHAR(32) NOT NULL, "CAT_NAME" VARCHAR(256), "DB_NAME" VARCHAR(128),
  "TBL_NAME" VARCHAR(256), "MESSAGE" CLOB, "MESSAGE_FORMAT" VARCHAR(16));
CREATE UNIQUE INDEX "APP"."NOTIFICATION_LOG_EVENT_ID" ON "APP"."NOTIFICATION_LOG" ("EVENT_ID");
CREATE TABLE "APP"."NOTIFICATION_SEQUENCE" (
  "NNI_ID" BIGINT NOT NULL CONSTRAINT "NOTIFICATION_SEQUENCE_PK" PRIMARY KEY, "NEXT_EVENT_ID" BIGINT NOT NULL);
INSERT INTO "APP"."NOTIFICATION_SEQUENCE" VALUES (1, 1);
exit;
"""
_LOGGING = """status=error
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d{ISO8601} %-5p [%t] %c{1}: %m%n
rootLogger.level=warn
rootLogger.appenderRef.out.ref=out
"""
_OPENED = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.lang", "java.net", "java.util")]


@dataclass
class Metastore(ChildService):
    """A metastore whose data live in `folder`.

    `lake` (such as `s3://lake`) lets table locations under that address exist: they lie in `folder/lake`.
    `durable=False` skips waiting for the disk: for tests that do not pull the plug.
    """

    port: int = 9083
    version: str = "2.3.10"
    lake: str | None = None
    durable: bool = True
    heap: str = "512m"
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def uri(self) -> str:
        return f"thrift://127.0.0.1:{self.port}"

    @property
    def warehouse(self) -> str:
        return f"{self.lake}/warehouse" if self.lake else f"file:{self.child.folder}/warehouse"

    def start(self, timeout: float = 120) -> float:
        """Seconds until it answers; fetching the jars is not counted.

        Raises:
            ServiceUnavailable: Java, Maven or an artifact is missing.
            ServiceFailed: it does not come up.
        """
        java = require_java()
        jars = fetch_jars(f"hive-metastore-{self.version}", HIVE_METASTORE[self.version])
        home = self.child.folder
        (home / "warehouse").mkdir(parents=True, exist_ok=True)
        derby = [f"-Dderby.stream.error.file={home}/derby.log"]
        if not self.durable:
            derby.append("-Dderby.system.durability=test")
        if not (home / "db").exists():
            self._create_database(java, jars, derby)
        self.child.spawn([
            java, f"-Xmx{self.heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *_OPENED, *derby,
            "-cp", f"{self._write_configuration()}:{jars}/*",
            "org.apache.hadoop.hive.metastore.HiveMetaStore", "-p", str(self.port),
        ])  # fmt: skip
        return self.child.wait_until(lambda: answers("127.0.0.1", self.port), timeout)

    def _create_database(self, java: str, jars: Path, derby: list[str]) -> None:
        home = self.child.folder
        script = home / "notifications.sql"
        script.write_text(_NOTIFICATION_TABLES)
        connection = f"-Dij.connection.c=jdbc:derby:{home}/db;create=true"
        quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        run_tool([java, *quick, *derby, connection, "-cp", f"{jars}/*", "org.apache.derby.tools.ij", str(script)], home)

    def _write_configuration(self) -> Path:
        folder = self.child.folder / "conf"
        folder.mkdir(exist_ok=True)
        settings = self._base_settings() | self._lake_settings() | dict(self.settings)
        body = "".join(
            f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>\n"
            for name, value in settings.items()
        )
        site = "hive-site.xml" if self.version.startswith("2.") else "metastore-site.xml"
        (folder / site).write_text(f"<configuration>\n{body}</configuration>\n")
        (folder / "log4j2.properties").write_text(_LOGGING)
        return folder

    def _base_settings(self) -> dict[str, str]:
        settings = {
            "javax.jdo.option.ConnectionURL": f"jdbc:derby:{self.child.folder}/db;create=true",
            "javax.jdo.option.ConnectionDriverName": "org.apache.derby.jdbc.EmbeddedDriver",
            "datanucleus.schema.autoCreateAll": "true",
            "hive.metastore.schema.verification": "false",
            "hive.metastore.warehouse.dir": self.warehouse,
            "hive.async.log.enabled": "false",  # else it dies for want of a logging library that is not shipped
            "hive.metastore.transactional.event.listeners": "org.apache.hive.hcatalog.listener.DbNotificationListener",
            # Hive's default lets nobody but a proxy superuser read the notifications.
            "hive.metastore.event.db.notification.api.auth": "false",
        }
        if not self.version.startswith("2."):
            # The defaults name classes of the query engine, which a stand-alone metastore does not have.
            package = "org.apache.hadoop.hive.metastore"
            settings["metastore.expression.proxy"] = f"{package}.DefaultPartitionExpressionProxy"
            settings["metastore.task.threads.always"] = f"{package}.events.EventCleanerTask"
        return settings

    def _lake_settings(self) -> dict[str, str]:
        if self.lake is None:
            return {}
        scheme, _, bucket = self.lake.partition("://")
        real = self.child.folder / "lake"
        (real / "warehouse").mkdir(parents=True, exist_ok=True)
        mount = f"fs.viewfs.mounttable.{bucket}"
        return {
            f"fs.{scheme}.impl": "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme",
            f"{mount}.linkFallback": f"file:{real}",
            f"{mount}.link./warehouse": f"file:{real}/warehouse",
        }


def answers(host: str, port: int) -> bool:
    """Whether a metastore answers `get_all_databases`, asked in raw Thrift: a starter needs no client library."""
    name = b"get_all_databases"
    # Strict binary protocol: version 1 with message type CALL, name, sequence 1, then an empty argument struct.
    call = struct.pack(">II", 0x80010001, len(name)) + name + struct.pack(">IB", 1, 0)
    try:
        with socket.create_connection((host, port), timeout=2) as link:
            link.settimeout(30)
            link.sendall(call)
            head = b""
            while len(head) < 4:
                received = link.recv(4096)
                if not received:
                    return False
                head += received
    except OSError:
        return False
    return head[3] == 2  # REPLY; 3 would be an exception


def main() -> None:
    parser = service_parser(__doc__, 9083)
    parser.add_argument("--version", choices=list(HIVE_METASTORE), default="2.3.10")
    parser.add_argument("--lake", metavar="s3://NAME", help="let table locations under this address exist")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the metastore")
    asked = parser.parse_args()
    settings = dict(setting.split("=", 1) for setting in asked.set)
    service = Metastore(asked.dir, asked.port, asked.version, asked.lake, settings=settings)
    run_action(
        asked.action,
        service,
        lambda: (
            f"Hive metastore {service.version} at {service.uri}, process {service.child.pid}, "
            f"{service.child.memory_mb:.0f} MB"
        ),
    )


if __name__ == "__main__":
    main()
