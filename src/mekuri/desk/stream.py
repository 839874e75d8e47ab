"""One open event stream (server-sent events) to a client, about one table or several.

The id of a message is the viewer's version of the table; of several tables, their versions in the order of the request. A client
that reconnects with the id of its last message misses nothing and gets nothing twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence

from mekuri.table.time import REAL, Time, time_limit

_MOST_WAITING = 400  # messages in the queue of a slow client: more than are ever sent again at once
_BESIDE = 20  # places in the queue for messages that are no events
_MOST_BYTES = 1 << 20  # bytes in the queue of a slow client
_AT_ONCE = 1 << 16  # bytes that are sent at once: so many lie with the connection of a client that does not read
_BEAT = 15.0  # seconds of silence after which a keep-alive comment is sent
BYE = b"event: bye\ndata: {}\n\n"  # the last message of a stream whose client is to come again
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects


class Stream:
    """An event stream to one client. Messages wait in a queue until they are sent; it is closed when the queue is full.

    A message to several streams is one object in all their queues.

    Args:
        person: the guest; None without one.
        address: the IP address of the client.
        tables: the ids of the tables it follows.
        after: for each of these the version that its client knows; None for none.
        device: the id of the guest's device; None without a guest.
        time: the clock, and the ways to wait for it.

    Attributes:
        person, device, address: as above.
        size: how many bytes wait in the queue.
        weighed: called with what is added to that, or taken from it.
        count: called with the kind of each message.
        versions: by table, the version that its client knows once all messages are sent; None before the first.
        closed: whether it has ended; messages in the queue are still sent.
    """

    def __init__(
        self,
        person: str | None,
        address: str,
        tables: Sequence[str],
        after: Sequence[int | None],
        device: int | None = None,
        time: Time = REAL,
    ) -> None:
        self.person = person
        self.device = device
        self._time = time
        self.address = address
        self.versions: dict[str, int | None] = dict(zip(tables, after, strict=True))
        self._waiting: deque[tuple[bytes, ...]] = deque()
        self.size = 0
        self.weighed: Callable[[int], None] = lambda size: None
        self.count: Callable[[str], None] = lambda kind: None
        self._something = asyncio.Event()
        self.closed = False
        self._add(_RETRY)

    @property
    def room(self) -> int:
        """How many more events fit in the queue, with some places left for messages that are no events."""
        return _MOST_WAITING - _BESIDE - len(self._waiting)

    def put(self, table: str, kind: str, data: bytes, version: int | None = None) -> None:
        """Queue a message. If the queue is full, because the client reads too slowly, the stream is closed.

        Args:
            table: the id of the table; empty for an announcement.
            kind: the kind of message, such as `event` or `presence`.
            data: its JSON.
            version: the viewer's version after it; None for a message that leaves the version as it is.
        """
        id = b""
        if version is not None:
            self.versions[table] = version
            id = b"id: %b\n" % ",".join("" if known is None else str(known) for known in self.versions.values()).encode()
        if len(self._waiting) >= _MOST_WAITING or self.size >= _MOST_BYTES:
            self.cut_off()
        if not self.closed:
            self.count(kind)
            self._add(b"%bevent: %b\ndata: " % (id, kind.encode()), data, b"\n\n")

    def _add(self, *parts: bytes) -> None:
        self._waiting.append(parts)
        self._weigh(sum(map(len, parts)))
        self._something.set()

    def _weigh(self, size: int) -> None:
        self.size += size
        self.weighed(size)

    def close(self, farewell: bytes = b"") -> None:
        """Close the stream once its queue is sent, with `farewell` as its last message. The client reconnects."""
        if farewell and not self.closed:
            self._add(farewell)
        self.closed = True
        self._something.set()

    def cut_off(self) -> None:
        """Close the stream at once, and discard its queue."""
        self._waiting.clear()
        self._weigh(-self.size)
        self.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the messages as they come, several at once where they are queued, and a comment after 15 seconds of silence."""
        while True:
            if self._waiting:
                yield self._next()
            elif self.closed:
                return
            else:
                self._something.clear()
                try:
                    async with time_limit(self._time, _BEAT):  # wait_for would begin a task for every message
                        await self._something.wait()
                except TimeoutError:
                    yield b":\n\n"

    def _next(self) -> bytes:
        """Take messages from the queue: one, and as many more as are sent at once."""
        found = b"".join(self._waiting.popleft())
        while self._waiting and len(found) + sum(map(len, self._waiting[0])) <= _AT_ONCE:
            found += b"".join(self._waiting.popleft())
        self._weigh(-len(found))
        return found


def parse_id(given: str | None, tables: int) -> list[int | None]:
    """Return the versions in a `Last-Event-ID`; None for each that is missing or not valid, so that the whole table is sent."""
    parts = (given or "").split(",")
    if len(parts) != tables:
        return [None] * tables
    return [int(part) if part.isascii() and part.isdecimal() and len(part) < 16 else None for part in parts]
