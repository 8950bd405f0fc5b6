"""A webhook: one POST of JSON. `text` is what Slack, Mattermost and Teams show; `notices` is for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlsplit

import requests
from pydantic import BaseModel, Field

from metadata_assets.errors import Permanent, PlatformError, Transient
from metadata_assets.model.notice import Notice, Severity
from metadata_assets.model.surroundings import Surroundings

_SIGNS: dict[Severity, str] = {"info": "i", "warning": "!", "error": "!!"}


class WebhookConfig(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """A webhook that is sent notices."""

    type: Literal["webhook"] = Field(description="A webhook: one POST of JSON with `text` and `notices`.")
    name: str = Field("webhook", description="Name of the channel.")
    url_env: str = Field(description="Environment variable with the address: whoever knows it can post there.")
    severity: Severity = Field("warning", description="The least severity that is sent: info, warning or error.")
    timeout: float = Field(10, gt=0, le=30, description="Seconds for one POST.")

    def connect(self, around: Surroundings) -> Webhook:
        """The channel.

        Raises:
            PlatformError: the variable is not set, or holds no http address.
        """
        url = around.environ.get(self.url_env)
        if not url:
            raise PlatformError(f"notify: {self.name}: variable {self.url_env} (url_env) is not set")
        if urlsplit(url).scheme not in ("http", "https"):
            raise PlatformError(f"notify: {self.name}: variable {self.url_env} holds no http or https address")
        return Webhook(self.name, url, self.timeout)


class Webhook:
    """Posts notices. Its address is a secret: it is in no message and no log."""

    def __init__(self, name: str, url: str, timeout: float) -> None:
        self._name = name
        self._url = url
        self._timeout = timeout

    def send(self, notices: Sequence[Notice]) -> None:
        body = {
            "text": "\n".join(f"[{_SIGNS[n.severity]}] {n.text}" for n in notices),
            "notices": [{"key": n.key, "severity": n.severity, "text": n.text} for n in notices],
        }
        try:
            answer = requests.post(self._url, json=body, timeout=self._timeout, allow_redirects=False)
        except requests.RequestException as error:  # its message holds the address
            raise Transient(f"webhook {self._name} does not answer: {type(error).__name__}") from None
        if answer.status_code >= 300:
            kind = Transient if answer.status_code in (408, 425, 429) or answer.status_code >= 500 else Permanent
            raise kind(f"webhook {self._name} answers with status {answer.status_code}")
