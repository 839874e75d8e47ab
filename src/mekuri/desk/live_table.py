"""A table in memory, with its event streams and the presence of its people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence, Set
from functools import partial

import msgspec

from mekuri.desk.event_cache import EventCache
from mekuri.desk.stream import Stream
from mekuri.protocol import table as wire
from mekuri.table.commands import awaited, bot_due, need_to_wait, seat_of, waiting
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.log import Row
from mekuri.table.seating import Sitter
from mekuri.table.session import Context, Session
from mekuri.table.showing import show
from mekuri.table.table import Table, learn
from mekuri.table.transitions import DRAWN

FindNames = Callable[[Sequence[str]], Awaitable[dict[str, str]]]  # from ids of people to their names by id

_MOST_AGAIN = 3 << 18  # bytes of events that are sent again at once; beyond that the table as it is now is shorter
_LATELY = 50  # events that are encoded ahead for a viewer who polls
_REFRESH_MS = 10_000  # between two notes that a client without a stream is present
_LAST_MS = 60_000  # in which it is counted down until the others may have a bot play


class LiveTable(Session):
    """A table in memory: a client watches or plays, or a bot owes a turn.

    Attributes:
        streams: the streams that follow it, and the seat each sees it from (None for a spectator).
        touched: when it was last requested, in milliseconds since the epoch.
        event_cache: the encoded events and responses about it.
    """

    def __init__(
        self,
        id: str,
        context: Context,
        grace_ms: int,
        stalled_ms: int,
        drop: Callable[[Stream], None],
        names: FindNames,
        event_cache: EventCache,
        one_device: bool = False,
    ) -> None:
        super().__init__(id, context)
        self._names = names
        self._called: dict[str, str] = {}  # the names of its people when events were last sent
        self.event_cache = event_cache
        self.streams: dict[Stream, Viewer] = {}
        self._lately: dict[Viewer, int] = {}  # viewers who poll, and the version up to which events are made for each
        self.touched = self._context.time.now()
        self._since = self.touched
        self._grace_ms = grace_ms
        self._stalled_ms = stalled_ms
        self._one_device = one_device
        self._people_only_since: int | None = None  # since when neither a bot nor a window has been owed here, as far as is known
        self._ends: tuple[int, set[str]] = 0, set()  # the people who have asked to end the match, and `Table.asked` then
        self._drop = drop  # called with a stream that has ended
        self._gone_at: dict[str, int] = {}  # when each person was last present
        self._held: set[str] = set()  # the people whose seats bots held when events were last sent
        self._presence: list[wire.Presence] = []  # as it was last sent
        self._asked: set[tuple[int, int | None]] = set()  # the seats that owed something when events were last sent, and until when
        self.tell_turns: Callable[[Table, Sequence[int]], None] | None = None  # called with the seats that are newly asked

    @property
    def busy(self) -> bool:
        """Whether a stream follows the table, or work on it is in progress."""
        return bool(self.streams) or super().busy

    def written(self, table: Table, rows: Sequence[Row]) -> None:
        """Notify the players who owe a move after these rows, except the rows' own authors."""
        if self.tell_turns is None or table.term is None:
            return
        authors = {row.person for row in rows if row.person}
        fresh = [seat for seat in table.owing if (seat, table.due) not in self._asked and table.seats[seat].person not in authors]
        if fresh:
            self.tell_turns(table, fresh)

    # --- Presence ---

    def here(self, person: str) -> bool:
        """Whether a person follows the table now, from any process. All people who share one device are here if one is."""
        return any(stream.person == person or self._one_device for stream in self.streams)

    def connected(self) -> set[str]:
        """Return the people with a stream who sit at the table or have made it."""
        maker = self.table.maker if self.table else None
        return {
            stream.person for stream, seat in self.streams.items() if stream.person and (seat is not None or stream.person == maker)
        }

    @property
    def gathers(self) -> bool:
        """Whether the table waits for players and is listed in the lobby."""
        return self.table is not None and self.table.state == "open" and self.table.public

    def waiting(self) -> set[str]:
        """Return the people who wait at the table: people with a stream, and seated people who poll without one."""
        late = self._context.time.now() - self._grace_ms
        return self.connected() | {person for person, at in self._gone_at.items() if at > late and self._sits(person)}

    def touch(self, person: str | None) -> None:
        """Note a request for the table. A person who sits there and has no stream counts as present by making requests."""
        self.touched = at = self._context.time.now()
        if person and self._sits(person) and at - self._gone_at.get(person, 0) > _REFRESH_MS:
            self._gone_at[person] = at

    def move_clock(self, by: int) -> None:
        """Move all times in memory by a leap of the clock, in milliseconds, when its new time was confirmed.

        Those of the match move with a row of its log, after which the table is read again, perhaps before this.
        """
        self.touched += by
        self._since += by
        self._people_only_since = None if self._people_only_since is None else self._people_only_since + by
        self._gone_at = {person: at + by for person, at in self._gone_at.items()}
        if self.table and not self.table.fresh:
            self.wake(self.table)
            self.publish_presence()

    def _sits(self, person: str) -> bool:
        return self.table is not None and seat_of(self.table, person) is not None

    def presence(self) -> list[wire.Presence]:
        """Return for the seat of each person whether that person is connected, and when a bot takes over."""
        sitters = enumerate(self.table.seats) if self.table else ()
        stalled_at, awaited = self._stalled()
        stalled = stalled_at is not None and self._context.time.now() >= stalled_at
        return [
            wire.Presence(
                seat=seat,
                here=self.here(sitter.person),
                bot_at=self._bot_at(sitter),
                stalled_at=stalled_at if seat in awaited else None,
                stalled=stalled and seat in awaited,
                ends=stalled and sitter.person in self._ending(),
            )
            for seat, sitter in sitters
            if sitter.person
        ]

    def _stalled(self) -> tuple[int | None, list[int]]:
        """Return from when on people who wait may have bots play, in milliseconds since the epoch, and for which seats.

        It is None until the last minute before that. The time counts from the moment at which the seats were asked, but not from
        before this process had the table, nor while a bot or a window is owed.
        """
        at, since = self._context.time.now(), self._people_only_since
        if not self.table or since is None or not self._stalled_ms:
            return None, []
        stalled_at = max(self.table.asked, since) + self._stalled_ms
        if at < stalled_at - _LAST_MS or not (seats := awaited(self.table, at)):
            return None, []
        return stalled_at, seats

    def need_stalled(self, person: str) -> int | None:
        """Return `Table.asked` of what the others have been waited for for too long; None where that is settled already.

        Raises:
            ProblemError: the person does not wait for others, or has not waited long enough.
        """
        assert self.table
        at, _ = self._stalled()
        now = at is not None and self._context.time.now() >= at
        if not now and (self.table.why == "stalled" or any(sitter.stalled for sitter in self.table.seats)):
            return None
        need_to_wait(self.table, person)
        if not now:
            raise ProblemError("not-stalled")
        return self.table.asked

    def ask_end(self, person: str) -> int | None:
        """Note that a person asks to end the match without a result, because others do not act.

        Returns:
            `Table.asked` where all people who wait have asked for it; None where others have still to ask.

        Raises:
            ProblemError: as `need_stalled`.
        """
        asked = self.need_stalled(person)
        assert self.table
        if asked is None:
            return None
        self._ends = asked, self._ending() | {person}
        self.publish_presence()
        return asked if {self.table.seats[seat].person for seat in waiting(self.table)} <= self._ending() else None

    def _ending(self) -> set[str]:
        """The people who have asked to end the match because of what is waited for now."""
        asked, people = self._ends
        return people if self.table and self.table.asked == asked else set()

    def absent(self, at: int) -> list[int]:
        """Return the seats whose absent people have been waited for long enough by time `at`, in milliseconds since the epoch.

        It goes by the presence that was published last.
        """
        return [seat.seat for seat in self._presence if seat.bot_at is not None and seat.bot_at <= at]

    def returned(self, opened: str | None = None) -> list[str]:
        """Return the connected people for whom a bot plays, except people who have left or did not act.

        At a table that is played turn by turn a page may stay open for days: only `opened`, who has just connected, counts there.
        """
        if not self.table or self.table.state != "running":
            return []
        held = {sitter.person for sitter in self.table.seats if sitter.person and sitter.bot}
        held -= {sitter.person for sitter in self.table.seats if sitter.left or sitter.stalled}
        there = self.connected() & {opened} if self.table.term else self.connected()
        return sorted(held & there) if held else []

    def _bot_at(self, sitter: Sitter) -> int | None:
        """Return when a bot takes over a seat, in milliseconds since the epoch; None where the person is here or nobody waits."""
        if not self.table or self.table.state != "running" or not sitter.person or sitter.bot or self.here(sitter.person):
            return None
        if self.table.term:
            return None  # nobody is absent where a move may take days
        others = [other.person for other in self.table.seats if other.person and other is not sitter and not other.left]
        if not any(map(self.here, others)):
            return None
        return self._gone_at.get(sitter.person, self._since) + self._grace_ms

    # --- Streams ---

    def follow(self, stream: Stream) -> None:
        """Send a stream everything since the version its client knows, or the whole table where that is not possible."""
        assert self.table
        if stream.closed:
            return  # it ended while it waited for the table: nobody would ever take it away again
        viewer = seat_of(self.table, stream.person)
        self._see_as(stream, viewer)
        again = self.missed(stream)
        # A client that missed a draw of lots has seen the table from another seat. And more messages than the stream's queue
        # takes would close it again and again.
        if again is None or again.tells(DRAWN) or again.until - again.after > stream.room:
            self._send_whole(stream, viewer)
            return
        events = self.event_cache.events_now(again)
        # A client that requests all of this again and again, and reads nothing, would cost a megabyte each time.
        if sum(len(data) for _, data in events) > _MOST_AGAIN:
            self._send_whole(stream, viewer)
            return
        for version, data in events:
            stream.put(self.id, "event", data, version)
        # Presence has no version, so a client that was disconnected may have missed a change.
        stream.put(self.id, "presence", self._presence_json(self.presence()))

    def missed(self, stream: Stream) -> Again | None:
        """Return the events after the version that a stream's client knows; None where the whole table must be sent instead."""
        assert self.table
        after = stream.versions[self.id]
        return None if after is None else self.table.history.since(seat_of(self.table, stream.person), after)

    def again(self, viewer: Viewer, after: int) -> Again | None:
        """Return the events that a viewer saw after a version; None where these are too old.

        New events are encoded for this viewer for a while, as a client that polls will ask for them next.
        """
        assert self.table
        self._lately[viewer] = self.table.version(viewer) + _LATELY
        self._watch()
        return self.table.history.since(viewer, after)

    def unfollow(self, stream: Stream) -> None:
        """Remove a stream that was closed, and note when its person was last here."""
        self.streams.pop(stream, None)
        if stream.person and self._sits(stream.person):
            self._gone_at[stream.person] = self._context.time.now()
        self._watch()

    def tell(self, table: Table) -> None:
        """Send the new events to all streams, and the whole table to people who have sat down, stood up or changed seats."""
        self._turn(table)
        # A draw of lots moves people to other seats. An event with a view from the old seat shows another person's cards, so
        # it is not sent.
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
            self._drop(stream)  # its client reads too slowly

    def publish_presence(self) -> None:
        """Send the presence of the table's people to all streams, if it has changed."""
        # Rows that are not in the log yet are sent to nobody. Presence is sent after they are written, or read again.
        if self.table is None or self.table.fresh:
            return
        presence = self.presence()
        if presence != self._presence:
            self._presence = presence
            data = self._presence_json(presence)
            for stream in self.streams:
                stream.put(self.id, "presence", data)

    async def rename(self, people: Set[str]) -> None:
        """Read the names of people anew, and send the table to all streams where one of them sits there under another name."""
        async with self.held() as table:
            before = dict(table.names)
            known = [person for person in before if person in people]
            learn(table, dict.fromkeys(known) | await self._names(known))
            if table.names != before:
                self._turn(table)
                for stream, viewer in list(self.streams.items()):
                    self._send_whole(stream, viewer)

    def forgotten(self) -> list[str]:
        """Return the people who sit here and have been deleted."""
        if self.table is None or self.table.state == "over":
            return []
        there = [sitter.person for sitter in self.table.seats if sitter.person and not sitter.left]
        return [person for person in there if person not in self.table.names]

    def _presence_json(self, presence: list[wire.Presence]) -> bytes:
        return msgspec.json.encode(wire.TablePresence(table=self.id, presence=presence))

    def exchange(self, table: Table) -> None:
        """Replace the table in memory by one that was read again from the log, and send the streams what they have missed."""
        super().exchange(table)
        self._people_only_since = None  # while it was not here, perhaps nobody could act
        for person in self._held - _held(table):
            self.touch(person)  # people who have come back
        self._turn(table)
        for stream in list(self.streams):
            self.follow(stream)
        self.publish_presence()

    def _turn(self, table: Table) -> None:
        """Drop cached states of the table after a change; where a name has changed, drop cached events, too."""
        self.event_cache.turn()
        if any(table.called.get(person) != name for person, name in self._called.items()):
            self.event_cache.clear()
        self._called = dict(table.called)
        at = self._context.time.now()
        if table.closes is not None or bot_due(table, at) is not None:
            self._people_only_since = None
        elif self._people_only_since is None:
            self._people_only_since = at
        self._asked = {(seat, table.due) for seat in table.owing}
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
        """Return the table as a viewer sees it, as JSON."""
        assert self.table
        presence = self.presence()
        return self.event_cache.whole(viewer, presence, partial(show, self.table, viewer, presence))

    def _streams_of(self, viewer: Viewer) -> Iterable[Stream]:
        return [stream for stream, seen_as in self.streams.items() if seen_as == viewer]


def _held(table: Table) -> set[str]:
    """Return the people whose seats bots hold."""
    return {sitter.person for sitter in table.seats if sitter.person and sitter.bot and not sitter.passed}
