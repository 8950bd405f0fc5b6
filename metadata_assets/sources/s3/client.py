"""Lists and reads the objects below a prefix of a bucket."""

from collections.abc import Container, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from botocore.exceptions import ClientError

from metadata_assets.errors import Permanent, Transient
from metadata_assets.sources.aws import code_of, translated
from metadata_assets.sources.base import MAX_TEXT_BYTES, TOO_BIG, TextFile
from metadata_assets.sources.s3.config import path_in

_PAGE = 1000  # the most that S3 gives at once
_MOST_PAGES = 200
_READERS = 8
_AT_ONCE = 64  # contents held at a time
_GONE = frozenset({"NoSuchKey", "404"})
# Of one object, where others of the bucket may be read: its own policy, its key, or an archive that holds it.
_CLOSED = frozenset({"AccessDenied", "403", "InvalidObjectState", "KMS.DisabledException"})


@dataclass(frozen=True, slots=True)
class _Object:
    path: str
    key: str
    version: str
    size: int


class Bucket:
    """Files with certain endings below a prefix, hidden ones left alone.

    The version of a file is its ETag: it differs whenever the content does. Listings do not tell version ids, and a
    listing that does goes through every old version of every object; two versions with one ETag hold the same bytes.
    """

    def __init__(self, client: Any, bucket: str, folder: str, suffixes: tuple[str, ...]) -> None:
        self._client = client
        self._bucket = bucket
        self._folder = folder
        self._suffixes = suffixes

    def read_versions(self) -> Mapping[str, str]:
        """Path → ETag of every file.

        Every look lists everything and compares it with what was last read, by path: S3 lists what was written before
        the listing began, and times play no part. So nothing is missed that was written within the same second or
        between two pages of an earlier look, as with a cursor of times, and no window has to overlap.

        Raises:
            Permanent, Transient: the bucket cannot be listed to the end: what was not listed would look deleted.
        """
        return {found.path: found.version for found in self._listed()}

    def read_files(self, paths: Container[str] | None = None) -> Iterator[TextFile]:
        """Every file, or those at these paths, ordered by path; read by several threads, a few held at a time.

        Raises:
            Permanent, Transient: the bucket cannot be listed to the end, or does not answer.
        """
        wanted = (found for found in self._listed() if paths is None or found.path in paths)
        objects = iter(sorted(wanted, key=lambda found: found.path))
        with ThreadPoolExecutor(_READERS, "s3") as readers:
            while part := list(islice(objects, _AT_ONCE)):
                yield from (file for file in readers.map(self._read, part) if file is not None)

    def locate(self, path: str) -> str:
        return f"s3://{self._bucket}/{self._folder}{path}"

    def _listed(self) -> list[_Object]:
        where = f"listing {self.locate('')}"
        found: list[_Object] = []
        pages = 0
        cut = False
        with translated(where):
            asked = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._folder, PaginationConfig={"PageSize": _PAGE}
            )
            for page in asked:
                pages += 1
                if pages > _MOST_PAGES:
                    most = f"{_MOST_PAGES * _PAGE:,}"
                    raise Permanent(f"{where}: more than {most} objects: set `prefix` to a folder with text files only")
                cut = bool(page.get("IsTruncated"))
                found += [o for o in map(self._to_object, page.get("Contents", ())) if o is not None]
        if cut:
            # The client takes a page that promises more, and does not say where, for the last one.
            raise Transient(f"{where}: the listing broke off after {pages} pages")
        return found

    def _to_object(self, item: Mapping[str, Any]) -> _Object | None:
        path = path_in(self._folder, item["Key"])
        if path is None or not path.endswith(self._suffixes):
            return None
        return _Object(path, item["Key"], _etag(item), int(item["Size"]))

    def _read(self, listed: _Object) -> TextFile | None:
        """The file; None where it is gone since the listing: the next look will not list it."""
        if listed.size > MAX_TEXT_BYTES:
            return TextFile(listed.path, b"", listed.version, TOO_BIG)
        with translated(f"reading {self.locate(listed.path)}"):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=listed.key)
            except ClientError as error:
                if code_of(error) in _GONE:
                    return None
                if code_of(error) in _CLOSED:
                    problem = f"the bucket does not hand it out: {code_of(error)}"
                    return TextFile(listed.path, b"", listed.version, problem)
                raise
            with answer["Body"] as body:
                if int(answer["ContentLength"]) > MAX_TEXT_BYTES:  # it grew since the listing
                    return TextFile(listed.path, b"", _etag(answer), TOO_BIG)
                return TextFile(listed.path, body.read(), _etag(answer))


def _etag(answer: Mapping[str, Any]) -> str:
    return str(answer["ETag"]).strip('"')
