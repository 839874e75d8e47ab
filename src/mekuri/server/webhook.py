"""The webhook of a club's own chat: a line for each turn at the tables whose makers wanted that.

What is sent fits the incoming webhooks of Slack and Mattermost (`text`) and of Discord (`content`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import httpx

from mekuri.server import metrics

_log = logging.getLogger("mekuri.server")
_PATIENCE = 10.0  # seconds for one try
_PAUSES = (1.0, 10.0, 60.0)  # seconds before each further try
# What would call people, or be taken for a link or for markup, in one of these chats.
_HARMLESS = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "'", "*": "∗", "_": "＿", "[": "［", "]": "］"})

Sleep = Callable[[float], Awaitable[None]]


def harmless(name: str) -> str:
    """Return a name that calls nobody and is no markup in a chat."""
    return " ".join(name.translate(_HARMLESS).split())


class Webhook:
    """Posts lines to a chat.

    Args:
        url: its address, which is a secret; its path is never logged.
        transport: how requests are sent; None for the network.
        sleep: waits for a number of seconds.
    """

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None = None, sleep: Sleep = asyncio.sleep) -> None:
        self._url = url
        self._transport = transport
        self._sleep = sleep
        self._client: httpx.AsyncClient | None = None

    async def send(self, text: str) -> None:
        """Post a line, and try again a few times where that fails. Failures are logged."""
        for pause in (*_PAUSES, None):
            why = await self._post(text)
            if not why:
                metrics.NOTICES.labels("webhook", "told").inc()
                return
            if pause is not None:
                await self._sleep(pause)
        metrics.NOTICES.labels("webhook", "failed").inc()
        _log.warning("The webhook could not be told: %s", why)

    async def _post(self, text: str) -> str:
        """Post a line once. Returns why that failed; an empty text where it did not."""
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=_PATIENCE, follow_redirects=False, transport=self._transport)
        body = {"text": text, "content": text, "allowed_mentions": {"parse": []}}
        try:
            async with asyncio.timeout(_PATIENCE), self._client.stream("POST", self._url, json=body) as answer:
                return "" if answer.status_code < 300 else f"status {answer.status_code}"
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            return type(error).__name__  # its message may have the address

    async def close(self) -> None:
        """Close the connections."""
        if self._client:
            await self._client.aclose()
