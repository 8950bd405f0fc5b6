"""Pinned jars from Maven Central, fetched once by `mvn` into a cache outside the tree."""

import fcntl
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from examples.services.process import ServiceFailed, ServiceUnavailable, require_tool, run_tool
from examples.services.versions import MAVEN_DEPENDENCY_PLUGIN, Artifact

# "Not found" is an answer and stays one; a connection that broke is worth another try.
_BROKEN_CONNECTION = re.compile(r"timed out|Connection re(set|fused)|Premature end|GOAWAY|did not end within")
_TRIES = 3


def jar_cache(environ: Mapping[str, str] = os.environ) -> Path:
    """METADATA_JARS, else `~/.cache/metadata-assets/jars`."""
    named = environ.get("METADATA_JARS")
    return Path(named) if named else Path.home() / ".cache" / "metadata-assets" / "jars"


def fetch_jars(name: str, artifacts: Sequence[Artifact], cache: Path | None = None) -> Path:
    """The folder that holds the artifacts and all they depend on; a second call with the same list does nothing.

    Raises:
        ServiceUnavailable: `mvn` is missing, or an artifact was refused.
    """
    root = (cache or jar_cache()) / name
    text = to_pom(artifacts)
    stamp, digest = root / "complete", hashlib.sha256(text.encode()).hexdigest()
    if _reads(stamp, digest):
        return root / "jars"
    mvn = require_tool("mvn", "apt-get install maven")
    root.mkdir(parents=True, exist_ok=True)
    with locked(root / "lock"):
        if not _reads(stamp, digest):  # another process may have fetched them while this one waited
            stamp.unlink(missing_ok=True)
            shutil.rmtree(root / "jars", ignore_errors=True)
            (root / "pom.xml").write_text(text)
            _copy(mvn, name, root)
            stamp.write_text(digest)
    return root / "jars"


def to_pom(artifacts: Sequence[Artifact]) -> str:
    """A Maven project whose only content is its dependencies."""
    return (
        "<project><modelVersion>4.0.0</modelVersion><groupId>metadata-assets</groupId><artifactId>jars</artifactId>"
        "<version>1</version><packaging>pom</packaging><dependencies>\n"
        + "\n".join(_to_dependency(artifact) for artifact in artifacts)
        + "\n</dependencies></project>\n"
    )


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file lock: test workers share the cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _to_dependency(artifact: Artifact) -> str:
    group, name, version = artifact.coordinates.split(":")
    parts = {"groupId": group, "artifactId": name, "version": version, "classifier": artifact.classifier}
    body = "".join(f"<{tag}>{escape(value)}</{tag}>" for tag, value in parts.items() if value)
    exclusions = "".join(
        f"<exclusion><groupId>{g}</groupId><artifactId>{a}</artifactId></exclusion>"
        for g, a in (pattern.split(":") for pattern in artifact.exclude)
    )
    return f"<dependency>{body}<exclusions>{exclusions}</exclusions></dependency>"


def _reads(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


def _copy(mvn: str, name: str, root: Path) -> None:
    argv = [
        mvn, "-B", "-ntp", "-q", "-f", str(root / "pom.xml"), f"{MAVEN_DEPENDENCY_PLUGIN}:copy-dependencies",
        "-Dstyle.color=never", "-DincludeScope=runtime", f"-DoutputDirectory={root / 'jars'}",
    ]  # fmt: skip
    for attempt in range(1, _TRIES + 1):
        try:
            run_tool(argv, root, timeout=900)
        except ServiceFailed as error:
            if attempt == _TRIES or not _BROKEN_CONNECTION.search(str(error)):
                raise ServiceUnavailable(f"the jars of {name} cannot be fetched: {_first_error(error)}") from error
            time.sleep(3 * attempt)
        else:
            return


def _first_error(error: ServiceFailed) -> str:
    """What Maven says first: the rest of its page is advice on how to call it."""
    found = re.search(r"\[ERROR\] +(\S.*?)(?: -> \[Help|$)", str(error), re.MULTILINE)
    return found[1][:500] if found else str(error).splitlines()[0]
