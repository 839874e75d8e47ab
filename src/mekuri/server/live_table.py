"""A table in memory: its streams, whether its people are there, and what other processes do at it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence, Set
from functools import partial

import msgspec

from mekuri.protocol import table as wire
from mekuri.server.event_cache import EventCache
from mekuri.server.loading import people_of
from mekuri.server.stream import Stream
from mekuri.table.commands import seat_of
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.log import Row
from mekuri.table.seating import Sitter
from mekuri.table.session import Context, Session
from mekuri.table.table import DRAWN, Table, Unreplayable

FindNames = Callable[[Sequence[str]], Awaitable[dict[str, str]]]  # what people are called, by their ids

_LATELY = 50  # events that are made for whoever has asked for some and follows no stream
_REFRESH_MS = 10_000  # how often a client without a stream is noted to be there


class LiveTable(Session):
    """A table that somebody looks at, plays at, or that a bot owes a turn.

    Attributes:
        streams: who follows it, and as what.
        touched: when somebody last asked for it, in milliseconds since 1970.
        event_cache: what was told of it lately.
    """

    def __init__(
        self,
        id: str,
        context: Context,
        grace_ms: int,
        elsewhere: Collection[str],
        drop: Callable[[Stream], None],
        names: FindNames,
        event_cache: EventCache,
    ) -> None:
        super().__init__(id, context)
        self._names = names
        self._called: dict[str, str] = {}  # what its people were called when it was told last
        self.event_cache = event_cache
        self.streams: dict[Stream, Viewer] = {}
        self._lately: dict[Viewer, int] = {}  # who has asked what has happened, and until which version events are made for them
        self.touched = self._context.clock()
        self._since = self.touched
        self._grace_ms = grace_ms
        self._elsewhere = elsewhere  # the people who follow it at other processes
        self._drop = drop  # what is done with a stream that has ended
        self._gone_at: dict[str, int] = {}  # when each person was last there
        self._held: set[str] = set()  # the people whose seats bots held when it was told last
        self._presence: list[wire.Presence] = []  # as it was told last

    @property
    def busy(self) -> bool:
        """Whether somebody is at the table just now."""
        return bool(self.streams) or super().busy

    async def catch_up(self, rows: Sequence[Row]) -> None:
        """Tell of rows that other processes have written."""
        async with self.held() as table:
            for row in rows:
                self.touch(row.person)
            if people := people_of(rows):
                table.learn(await self._names(people))
            try:
                table.catch_up(rows)
            except Unreplayable:
                await self.open()
            else:
                self.tell(table)
                self.wake(table)

    # --- Presence ---

    def here(self, person: str) -> bool:
        """Whether a person follows the table now, at whatever process."""
        return person in self._elsewhere or any(stream.person == person for stream in self.streams)

    def connected(self) -> set[str]:
        """The people of its seats, and its maker, who follow the table at this process."""
        maker = self.table.maker if self.table else None
        return {
            stream.person for stream, seat in self.streams.items() if stream.person and (seat is not None or stream.person == maker)
        }

    @property
    def gathers(self) -> bool:
        """Whether the table waits for players, and is listed meanwhile."""
        return self.table is not None and self.table.state == "open" and self.table.public

    def waiting(self) -> set[str]:
        """The people who wait there: connected, or without a stream and asking now and then."""
        late = self._context.clock() - self._grace_ms
        return self.connected() | {person for person, at in self._gone_at.items() if at > late and self._sits(person)}

    def learn(self, elsewhere: Collection[str]) -> None:
        """Learn who follows the table at other processes now."""
        at = self._context.clock()
        for person in self._elsewhere:
            if person not in elsewhere:
                self._gone_at[person] = at
        self._elsewhere = elsewhere
        self.publish_presence()

    def touch(self, person: str | None) -> None:
        """Note that somebody has asked for the table. Whoever plays without a stream is there by asking."""
        self.touched = at = self._context.clock()
        if person and self._sits(person) and at - self._gone_at.get(person, 0) > _REFRESH_MS:
            self._gone_at[person] = at

    def _sits(self, person: str) -> bool:
        return self.table is not None and seat_of(self.table, person) is not None

    def presence(self) -> list[wire.Presence]:
        """Who is connected."""
        sitters = enumerate(self.table.seats) if self.table else ()
        return [
            wire.Presence(seat=seat, here=self.here(sitter.person), bot_at=self._bot_at(sitter))
            for seat, sitter in sitters
            if sitter.person
        ]

    def absent(self, at: int) -> list[int]:
        """The seats that have waited long enough for their absent people."""
        return [told.seat for told in self.presence() if told.bot_at is not None and told.bot_at <= at]

    def returned(self) -> list[str]:
        """The people who follow the table at this process while bots hold their seats."""
        sitters = self.table.seats if self.table and self.table.state == "running" else ()
        held = {sitter.person for sitter in sitters if sitter.person and sitter.bot and not sitter.left}
        return sorted(held & self.connected()) if held else []

    def _bot_at(self, sitter: Sitter) -> int | None:
        """When a bot is to play for an absent person; None where nobody who is there waits for that."""
        if not self.table or self.table.state != "running" or not sitter.person or sitter.bot or self.here(sitter.person):
            return None
        others = [other.person for other in self.table.seats if other.person and other is not sitter and not other.left]
        if not any(map(self.here, others)):
            return None
        return self._gone_at.get(sitter.person, self._since) + self._grace_ms

    # --- Streams ---

    def follow(self, stream: Stream) -> None:
        """Let a stream follow the table from the version that it knows."""
        assert self.table
        viewer = seat_of(self.table, stream.person)
        self._see_as(stream, viewer)
        again = self.missed(stream)
        # Whoever was away while lots were drawn knows of another seat. And more messages than have room would cut the line off,
        # again and again.
        if again is None or again.tells(DRAWN) or again.until - again.after > stream.room:
            self._send_whole(stream, viewer)
            return
        for version, data in self.event_cache.told(again):
            stream.put(self.id, "event", data, version)
        # Who is there has no version, so whoever was away may have missed it.
        stream.put(self.id, "presence", self._told_presence(self.presence()))

    def missed(self, stream: Stream) -> Again | None:
        """What has happened after the version that a stream knows; None where that cannot be told."""
        assert self.table
        after = stream.versions[self.id]
        return None if after is None else self.table.again(seat_of(self.table, stream.person), after)

    def again(self, viewer: Viewer, after: int) -> Again | None:
        """What a viewer has seen happen after a version; None where that cannot be told. What happens next is made ready, too."""
        assert self.table
        self._lately[viewer] = self.table.version(viewer) + _LATELY
        self._watch()
        return self.table.again(viewer, after)

    def unfollow(self, stream: Stream) -> None:
        """A stream is closed."""
        self.streams.pop(stream, None)
        if stream.person and self._sits(stream.person):
            self._gone_at[stream.person] = self._context.clock()
        self._watch()

    def tell(self, table: Table) -> None:
        """Tell everybody what has happened, and everybody who has sat down or stood up what they see now."""
        self._turn(table)
        # Where lots have been drawn, whoever saw the table from one seat sees it from another: what is told from the old one with
        # cards in it is somebody else's.
        moved = {stream for stream, was in self.streams.items() if was not in (None, seat_of(table, stream.person))}
        for viewer, event in table.history.pending:
            data = self.event_cache.keep(viewer, event)
            for stream in self._streams_of(viewer):
                if event.view is None or stream not in moved:
                    stream.put(self.id, "event", data, event.version)
        super().tell(table)
        self._lately = {viewer: until for viewer, until in self._lately.items() if table.version(viewer) < until}
        self._watch()
        for stream, was in list(self.streams.items()):
            viewer = seat_of(table, stream.person)
            if viewer != was:
                self._see_as(stream, viewer)
                self._send_whole(stream, viewer)
        self.publish_presence()
        for stream in [stream for stream in self.streams if stream.closed]:
            self._drop(stream)  # its reader is too slow

    def publish_presence(self) -> None:
        """Tell everybody who is there, if that has changed."""
        # Who has just sat down is told when the log has it; whoever writes it, or reads the table again, tells this too.
        if self.table is None or self.table.fresh:
            return
        presence = self.presence()
        if presence != self._presence:
            self._presence = presence
            data = self._told_presence(presence)
            for stream in self.streams:
                stream.put(self.id, "presence", data)

    async def rename(self, people: Set[str]) -> None:
        """People have taken another name, or are known here no more: tell everybody, where they are at this table."""
        async with self.held() as table:
            before = dict(table.names)
            known = [person for person in before if person in people]
            table.learn(dict.fromkeys(known) | await self._names(known))
            if table.names != before:
                self._turn(table)
                for stream, viewer in list(self.streams.items()):
                    self._send_whole(stream, viewer)

    def forgotten(self) -> list[str]:
        """The people who sit here and are known here no more."""
        if self.table is None or self.table.state == "over":
            return []
        there = [sitter.person for sitter in self.table.seats if sitter.person and not sitter.left]
        return [person for person in there if person not in self.table.names]

    def _told_presence(self, presence: list[wire.Presence]) -> bytes:
        return msgspec.json.encode(wire.TablePresence(table=self.id, presence=presence))

    def exchange(self, table: Table) -> None:
        """Put the table, read again from the log, in place of the one in memory, and tell everybody what they have missed."""
        super().exchange(table)
        for person in self._held - _held(table):
            self.touch(person)  # who has come back at another process
        self._turn(table)
        for stream in list(self.streams):
            self.follow(stream)
        self.publish_presence()

    def _turn(self, table: Table) -> None:
        """The table is not what it was; where people are called otherwise than before, nor is what was told of it."""
        self.event_cache.turn()
        if any(table.called.get(person) != name for person, name in self._called.items()):
            self.event_cache.clear()
        self._called = dict(table.called)
        self._held = _held(table)

    def _see_as(self, stream: Stream, viewer: Viewer) -> None:
        self.streams[stream] = viewer
        self._watch()

    def _watch(self) -> None:
        if self.table:
            self.table.history.watched = {*self.streams.values(), *self._lately}

    def _send_whole(self, stream: Stream, viewer: Viewer) -> None:
        assert self.table
        stream.put(self.id, "table", self.whole(viewer), self.table.version(viewer))

    def whole(self, viewer: Viewer) -> bytes:
        """The table as a viewer sees it, as it is sent."""
        assert self.table
        presence = self.presence()
        return self.event_cache.whole(viewer, presence, partial(self.table.whole, viewer, presence))

    def _streams_of(self, viewer: Viewer) -> Iterable[Stream]:
        return [stream for stream, seen_as in self.streams.items() if seen_as == viewer]


def _held(table: Table) -> set[str]:
    """The people whose seats bots hold."""
    return {sitter.person for sitter in table.seats if sitter.person and sitter.bot}
