"""Every jar that a service needs, pinned: the one file to edit when a version moves."""

from dataclasses import dataclass

MAVEN_DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"


@dataclass(frozen=True, slots=True)
class Artifact:
    """`group:name:version`, without what matches `exclude` (`group:name` patterns; `*:*` leaves it alone)."""

    coordinates: str
    exclude: tuple[str, ...] = ()
    classifier: str = ""


ALONE = ("*:*",)

# What a metastore on an embedded database never calls, what Java 9 and later cannot load (jdk.tools), and second
# bindings of the logger, which print a warning at every start.
_UNUSED = (
    "ant:ant", "co.cask.tephra:*", "com.google.inject.extensions:*", "com.google.inject:*", "com.sun.jersey:*",
    "io.netty:*", "jdk.tools:jdk.tools", "junit:junit", "log4j:log4j", "org.apache.ant:*", "org.apache.hadoop:*",
    "org.apache.hbase:*", "org.apache.parquet:*", "org.apache.tomcat.embed:*", "org.apache.twill:*",
    "org.eclipse.jetty.aggregate:*", "org.eclipse.jetty:*", "org.mortbay.jetty:*", "org.slf4j:slf4j-log4j12",
    "sqlline:sqlline", "tomcat:*",
)  # fmt: skip

_DERBY = (Artifact("org.apache.derby:derby:10.14.2.0"), Artifact("org.apache.derby:derbytools:10.14.2.0"))
_HADOOP = (
    Artifact("org.apache.hadoop:hadoop-client-api:3.3.6"),
    Artifact("org.apache.hadoop:hadoop-client-runtime:3.3.6"),
)

HIVE_METASTORE: dict[str, tuple[Artifact, ...]] = {
    "2.3.10": (
        *_DERBY,
        Artifact("org.apache.hive:hive-metastore:2.3.10", _UNUSED),
        Artifact("org.apache.hive:hive-exec:2.3.10", ALONE, classifier="core"),
        Artifact("org.apache.hive.hcatalog:hive-hcatalog-server-extensions:2.3.10", ALONE),
        *_HADOOP,
    ),
    "3.1.3": (
        *_DERBY,
        Artifact("commons-cli:commons-cli:1.5.0"),
        Artifact("commons-collections:commons-collections:3.2.2"),
        Artifact("org.codehaus.jackson:jackson-mapper-asl:1.9.13"),
        Artifact("org.apache.hive:hive-standalone-metastore:3.1.3", (*_UNUSED, "javax.servlet:*")),
        Artifact("org.apache.hive:hive-common:3.1.3", ALONE),
        Artifact("org.apache.hive.hcatalog:hive-hcatalog-server-extensions:3.1.3", ALONE),
        *_HADOOP,
    ),
}

KAFKA_VERSION = "4.4.0"
KAFKA = (Artifact(f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}"), Artifact("org.slf4j:slf4j-simple:1.7.36"))
