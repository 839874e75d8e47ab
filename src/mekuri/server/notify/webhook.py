"""The webhook of a club's own chat: a line for each turn at the tables whose makers wanted that.

The messages fit the incoming webhooks of Slack and Mattermost (`text`) and of Discord (`content`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from mekuri.desk.limits import RateLimit
from mekuri.server.base import metrics
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time, time_limit

if TYPE_CHECKING:
    import httpx

_log = logging.getLogger("mekuri.server")
_PATIENCE = 10.0  # seconds for one try
_PAUSES = (1.0, 10.0, 60.0)  # seconds before each further try, where the chat names none
_AN_HOUR, _TOGETHER = 20, 60  # lines in an hour about the tables of one maker, and of all
_MAKERS = 2  # makers with all their lines for whom a neighbourhood has room: guests are free to make, addresses are not
# What would call people, or be taken for a link or for markup, in one of these chats.
_HARMLESS = str.maketrans(
    {"@": "＠", "<": "‹", ">": "›", "`": "'", "*": "∗", "_": "＿", "[": "［", "]": "］", ".": "․", ":": "：", "/": "／"}
)


def harmless(name: str) -> str:
    """Return a name that calls nobody, and is neither a link nor markup in a chat."""
    return " ".join(name.translate(_HARMLESS).split())


class Webhook:
    """Posts lines to a chat.

    Args:
        url: its address, which is a secret; its path is never logged.
        transport: how requests are sent; None for the network.
        time: the clock, and the ways to wait for it.
    """

    def __init__(self, url: str, time: Time, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._transport = transport
        self._time = time
        self._client: httpx.AsyncClient | None = None
        self._sent = RateLimit(_AN_HOUR, time, _TOGETHER, seconds=3_600)

    async def send(self, text: str, maker: str, neighbourhood: str, passed: Callable[[], Awaitable[bool]]) -> None:
        """Post a line, and try again a few times where the chat may take it later. Failures are logged.

        Args:
            text: the line.
            maker: the id of the guest who has made its table. A line beyond a limit is not posted.
            neighbourhood: the network of the request that caused the line. The first line of each within an hour is always posted.
            passed: returns whether the line is no longer true. It is not posted then.
        """
        if await passed():
            return
        try:
            self._sent.count(((f"maker {maker}", 1), (neighbourhood, _MAKERS)))
        except ProblemError:
            metrics.NOTICES.labels("webhook", "dropped").inc()
            return
        for pause in (*_PAUSES, None):
            why, wait = await self._post(text, pause)
            if not why:
                metrics.NOTICES.labels("webhook", "told").inc()
                return
            if wait is None:
                break
            await self._time.sleep(wait)
            if await passed():
                return
        metrics.NOTICES.labels("webhook", "failed").inc()
        _log.warning("The webhook cannot be reached: %s", why)

    async def _post(self, text: str, pause: float | None) -> tuple[str, float | None]:
        """Post a line once.

        Args:
            text: the line.
            pause: the seconds before it is tried again, where the chat names none; None for the last try.

        Returns:
            Why that failed, an empty text where it did not; and the seconds before it is tried again, None where it is not.
        """
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=None, follow_redirects=False, transport=self._transport)
        body = {"text": text, "content": text, "allowed_mentions": {"parse": []}}
        try:
            async with time_limit(self._time, _PATIENCE), self._client.stream("POST", self._url, json=body) as answer:
                status, asked = answer.status_code, answer.headers.get("retry-after", "")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            return type(error).__name__, pause  # its message may have the address
        if status < 300:
            return "", None
        if status < 500 and status != 429:
            pause = None  # the chat would refuse it again
        elif pause is not None and asked.isdecimal():
            pause = min(max(float(asked), _PAUSES[0]), _PAUSES[-1])  # no line holds the next ones for longer
        return f"status {status}", pause

    async def close(self) -> None:
        """Close the connections."""
        if self._client:
            await self._client.aclose()
