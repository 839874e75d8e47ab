"""The open event streams of this process, and their connection to the tables they follow, here or at other processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence, Set

import msgspec

from mekuri.desk.counts import Counts
from mekuri.desk.event_cache import EventCache
from mekuri.desk.homes import Homes, NotHere
from mekuri.desk.limits import AtOnce, Limits, Networks, networks_of
from mekuri.desk.live_table import LiveTable
from mekuri.desk.stores import Device
from mekuri.desk.stream import BYE, Stream
from mekuri.desk.tables import Tables
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.history import Again
from mekuri.table.table import Table

_MOST_WAITING = 64 << 20  # bytes in the queues of all streams


def _forget(size: int) -> None:
    """Count nothing more of a stream that has ended."""


class Streams:
    """The open streams of this process.

    Attributes:
        open: all of them.
        notice: the current announcement.
    """

    def __init__(self, tables: Tables, limits: Limits, homes: Homes, counts: Counts) -> None:
        self.open: set[Stream] = set()
        self._tables = tables
        self._limits = limits
        self._homes = homes
        self._counts = counts
        self.notice = wire.Notice(texts={})
        self._closing = False
        self._waiting = 0  # bytes in the queues of all

    async def connect(self, stream: Stream) -> None:
        """Register a stream, and let it follow its tables.

        Raises:
            ProblemError: there is no such table, the guest or address has too many streams, or the server is shutting down.
        """
        if self._closing:
            raise ProblemError("busy")
        limit, who = self._limit(stream)
        if limit.full(who):
            raise ProblemError("too-many-streams")
        limit.enter(who)
        self.open.add(stream)
        self._waiting += stream.size
        stream.weighed, stream.count = self._weigh, self._counts.message
        if self.notice.texts:
            self._tell(stream)
        try:
            for id in stream.versions:
                try:
                    await self.follow_here(stream, id)
                except NotHere as there:
                    await self._homes.follow(stream, id, there)
        except BaseException:
            self.disconnect(stream)
            raise

    async def follow_here(self, stream: Stream, id: str) -> None:
        """Let a stream follow a table whose home is this process. Raises NotHere."""
        await self._make_ready(stream, id)
        await self._tables.read(id, lambda live, table: live.follow(stream), stream.person)
        if not stream.closed and (live := self._tables.live_tables.get(id)):
            live.publish_presence()
            await self.give_back(live, stream.person)

    async def _make_ready(self, stream: Stream, id: str) -> None:
        """Encode the events that a stream has missed in a worker thread, before they are sent from the event loop."""

        def missed(live: LiveTable, table: Table) -> tuple[EventCache, Again | None]:
            return live.event_cache, live.missed(stream)

        event_cache, again = await self._tables.read(id, missed, stream.person)
        if again:
            await event_cache.events(again)

    def _limit(self, stream: Stream) -> tuple[AtOnce, str | Networks]:
        """Return the limit that a stream is counted for, and under what."""
        if stream.person:
            return self._limits.streams, stream.person
        return self._limits.strangers, networks_of(stream.address)

    def _weigh(self, size: int) -> None:
        """Count the bytes in all queues. Above the limit, the streams with the largest queues are cut off."""
        self._waiting += size
        if self._waiting > _MOST_WAITING:
            for stream in sorted(self.open, key=lambda stream: -stream.size):
                stream.cut_off()
                if self._waiting <= _MOST_WAITING // 2:
                    return

    def disconnect(self, stream: Stream) -> None:
        """Unregister a stream that was closed by either side."""
        if stream in self.open:
            self.open.remove(stream)
            limit, who = self._limit(stream)
            limit.leave(who)
            stream.weighed = _forget
            self._waiting -= stream.size
        self._homes.unfollow(stream)
        self.unfollow_here(stream)

    def unfollow_here(self, stream: Stream) -> None:
        """Let a stream follow the tables whose home is this process no longer."""
        for id in stream.versions:
            live = self._tables.live_tables.get(id)
            if live and stream in live.streams:
                live.unfollow(stream)
                live.publish_presence()

    def hang_up(self) -> None:
        """Close every stream and accept no more. Clients reconnect to the process that serves next."""
        self._closing = True
        for stream in list(self.open):
            stream.close(BYE)

    def end_follow(self, stream: Stream) -> None:
        """Close a stream of which another process tells a table no longer. Its client reconnects, and misses nothing."""
        stream.close(BYE)
        self.disconnect(stream)

    def announce(self, notice: wire.Notice) -> None:
        """Send an announcement to all streams, if it has changed; one without texts removes the last."""
        if notice != self.notice:
            self.notice = notice
            for stream in self.open:
                self._tell(stream)

    def _tell(self, stream: Stream) -> None:
        stream.put("", "notice", msgspec.json.encode(self.notice))

    def end(self, live: LiveTable) -> None:
        """Close the streams of a table that was deleted. Clients that reconnect get 404."""
        for stream in list(live.streams):
            stream.close()
            self.disconnect(stream)

    async def sign_out(self, people: Set[str], devices: Callable[[str], Awaitable[Sequence[Device]]]) -> None:
        """Close the streams of people on devices that are signed out, and all streams of people who are banned or deleted.

        Args:
            people: the people who have changed.
            devices: returns the devices on which a person is still signed in; none for a banned person.
        """
        for person in people & {stream.person for stream in self.open if stream.person}:
            known = {device.id for device in await devices(person)}
            for stream in [stream for stream in self.open if stream.person == person and stream.device not in known]:
                stream.cut_off()
                self.disconnect(stream)

    async def give_back(self, live: LiveTable, opened: str | None = None) -> None:
        """Give people who follow a table here their seats back from the bots that held them. `opened` has just connected."""
        for person in live.returned(opened):
            await self._tables.do(live.id, person, commands.come_back)
