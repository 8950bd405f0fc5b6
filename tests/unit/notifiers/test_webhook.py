"""A webhook gets one POST, and its address stays out of everything that is said."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from metadata_assets.errors import Permanent, PlatformError, Transient
from metadata_assets.model.notice import Notice
from metadata_assets.model.surroundings import Surroundings
from metadata_assets.notifiers.webhook import Webhook, WebhookConfig

NOTICES = [Notice("a", "warning", "raw.a.x was dropped"), Notice("b", "error", "events of hms cannot be read")]


class _Receiver(BaseHTTPRequestHandler):
    got: ClassVar[list[Any]] = []
    status: ClassVar[int] = 200

    def do_POST(self) -> None:
        self.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def address() -> Iterator[str]:
    _Receiver.got.clear()
    _Receiver.status = 200
    with HTTPServer(("127.0.0.1", 0), _Receiver) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hook/s3cret"
        server.shutdown()
        thread.join()


def test_all_notices_go_in_one_post(address: str) -> None:
    Webhook("ops", address, 5).send(NOTICES)
    assert len(_Receiver.got) == 1
    assert _Receiver.got[0]["text"] == "[!] raw.a.x was dropped\n[!!] events of hms cannot be read"
    assert [n["key"] for n in _Receiver.got[0]["notices"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("status", "kind"), [(500, Transient), (429, Transient), (404, Permanent), (302, Permanent), (403, Permanent)]
)
def test_a_refusal_is_told_without_the_address(address: str, status: int, kind: type[Exception]) -> None:
    _Receiver.status = status
    with pytest.raises(kind, match=f"webhook ops answers with status {status}") as raised:
        Webhook("ops", address, 5).send(NOTICES)
    assert "s3cret" not in str(raised.value)


def test_nobody_listening_is_told_without_the_address() -> None:
    with pytest.raises(Transient) as raised:
        Webhook("ops", "http://127.0.0.1:1/hook/s3cret", 1).send(NOTICES)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("environ", "message"), [({}, "HOOK .* is not set"), ({"HOOK": "ftp://x"}, "no http or https")]
)
def test_a_missing_or_odd_address_is_told_by_its_variable(environ: dict[str, str], message: str) -> None:
    config = WebhookConfig.model_validate({"type": "webhook", "url_env": "HOOK"})
    with pytest.raises(PlatformError, match=message):
        config.connect(Surroundings(environ, Path(), Path()))
