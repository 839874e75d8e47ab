"""One open line to a client: server-sent events of one table or of several.

The id of an event is the viewer's version of the table; of several tables, their versions in the order they were asked for, so
that a client that reconnects with the id of the last event it got misses nothing and gets nothing twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence

from mekuri.server import metrics

_MOST_WAITING = 400  # messages that wait for a slow reader: more than are ever told again at once
_BESIDE = 20  # of them that are no events
_BEAT = 15.0  # seconds of silence after which the line is shown to be alive
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects


class Stream:
    """A line to one client.

    Attributes:
        person: whose it is; None for somebody without a guest's place.
        device: what that person came with.
        address: where it leads.
        versions: for each table the version its client knows; None before it knows any.
        closed: whether it has ended; its client may still read what was sent before.
    """

    def __init__(
        self, person: str | None, address: str, tables: Sequence[str], after: Sequence[int | None], device: int | None = None
    ) -> None:
        self.person = person
        self.device = device
        self.address = address
        self.versions: dict[str, int | None] = dict(zip(tables, after, strict=True))
        self._waiting: deque[bytes] = deque([_RETRY])
        self._something = asyncio.Event()
        self._something.set()
        self.closed = False

    @property
    def room(self) -> int:
        """How many messages it takes before its reader is too slow, but for those that come with others."""
        return _MOST_WAITING - _BESIDE - len(self._waiting)

    def put(self, table: str, kind: str, data: bytes, version: int | None = None) -> None:
        """Send a message. One with a version moves the client on to it. A reader too slow for its messages is cut off."""
        id = b""
        if version is not None:
            self.versions[table] = version
            id = b"id: %b\n" % ",".join("" if known is None else str(known) for known in self.versions.values()).encode()
        if len(self._waiting) >= _MOST_WAITING:
            self.cut_off()
        if not self.closed:
            metrics.MESSAGES.labels(kind).inc()
            self._waiting.append(b"%bevent: %b\ndata: %b\n\n" % (id, kind.encode(), data))
            self._something.set()

    def close(self, farewell: bytes = b"") -> None:
        """End the line. Its client reconnects where it left off."""
        if farewell and not self.closed:
            self._waiting.append(farewell)
        self.closed = True
        self._something.set()

    def cut_off(self) -> None:
        """End the line, and send nothing more of what was to be sent."""
        self._waiting.clear()
        self.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Everything there is to send, as it comes."""
        while True:
            if self._waiting:
                message = b"".join(self._waiting)
                self._waiting.clear()
                yield message
            elif self.closed:
                return
            else:
                self._something.clear()
                try:
                    await asyncio.wait_for(self._something.wait(), _BEAT)
                except TimeoutError:
                    yield b":\n\n"


def parse_id(told: str | None, tables: int) -> list[int | None]:
    """The versions of a `Last-Event-ID`; None where one is none of ours, so that its client gets the table as it stands."""
    parts = (told or "").split(",")
    if len(parts) != tables:
        return [None] * tables
    return [int(part) if part.isascii() and part.isdecimal() and len(part) < 16 else None for part in parts]
