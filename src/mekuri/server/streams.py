"""The open streams: who follows which tables, here and at other processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence, Set

import msgspec

from mekuri.protocol import table as wire
from mekuri.server.guestbook import Device
from mekuri.server.live import Live
from mekuri.server.neighbours import Neighbours
from mekuri.server.registry import Registry
from mekuri.server.settings import Settings
from mekuri.server.stream import Stream
from mekuri.server.tape import Tape
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.history import Again
from mekuri.table.table import Table


class Streams:
    """The streams that are open at this process.

    Attributes:
        open: all of them.
        notice: what is announced.
    """

    def __init__(self, registry: Registry, settings: Settings, neighbours: Neighbours) -> None:
        self.open: set[Stream] = set()
        self._registry = registry
        self._settings = settings
        self._neighbours = neighbours
        self.notice = wire.Notice(texts={})
        self._closing = False

    async def connect(self, stream: Stream) -> None:
        """Let a stream follow its tables. Raises ProblemError where there is no such table, or too many streams."""
        if self._closing:
            raise ProblemError("busy")
        self._need_room(stream)
        self.open.add(stream)
        if self.notice.texts:
            self._tell(stream)
        try:
            for id in stream.versions:
                await self._make_ready(stream, id)
                await self._registry.read(id, stream.person, lambda live, table: live.follow(stream))
                live = self._registry.lives[id]
                live.publish_presence()
                await self.give_back(live)
        except BaseException:
            self.disconnect(stream)
            raise

    async def _make_ready(self, stream: Stream, id: str) -> None:
        """Have what a stream has missed at a table told again, beside the event loop, before its turn comes."""

        def missed(live: Live, table: Table) -> tuple[Tape, Again | None]:
            return live.tape, live.missed(stream)

        tape, again = await self._registry.read(id, stream.person, missed)
        if again:
            await tape.tell(again)

    def _need_room(self, stream: Stream) -> None:
        if stream.person:
            full = sum(other.person == stream.person for other in self.open) >= self._settings.streams
        else:
            strangers = [other for other in self.open if other.person is None and other.address == stream.address]
            full = len(strangers) >= self._settings.strangers
        if full:
            raise ProblemError("too-many-streams")

    def disconnect(self, stream: Stream) -> None:
        """A stream is closed, by either side."""
        self.open.discard(stream)
        for id in stream.versions:
            live = self._registry.lives.get(id)
            if live and stream in live.streams:
                live.unfollow(stream)
                live.publish_presence()

    def hang_up(self) -> None:
        """End every stream, and open no more; clients reconnect to whoever serves next."""
        self._closing = True
        for stream in list(self.open):
            stream.close(b"event: bye\ndata: {}\n\n")

    def announce(self, notice: wire.Notice) -> None:
        """Tell everybody something, or that nothing is told any more."""
        if notice != self.notice:
            self.notice = notice
            for stream in self.open:
                self._tell(stream)

    def _tell(self, stream: Stream) -> None:
        stream.put("", "notice", msgspec.json.encode(self.notice))

    def end(self, live: Live) -> None:
        """End what follows a table that is no more; whoever reconnects is told so."""
        for stream in list(live.streams):
            stream.close()
            self.disconnect(stream)

    async def sign_out(self, people: Set[str], devices: Callable[[str], Awaitable[Sequence[Device]]]) -> None:
        """Cut off what is followed with devices that these people do not come with any more."""
        for person in people & {stream.person for stream in self.open if stream.person}:
            known = {device.id for device in await devices(person)}
            for stream in [stream for stream in self.open if stream.person == person and stream.device not in known]:
                stream.cut_off()
                self.disconnect(stream)

    async def meet(self) -> None:
        """Tell other processes who follows each table here, and hear who does there."""
        own = {id: sorted(people) for id, live in self._registry.lives.items() if (people := live.connected())}
        # Done whole: once the house is closed, nothing more may be said of it.
        self._registry.learn(await self._registry.tasks.do(self._neighbours.meet(own)))

    async def give_back(self, live: Live) -> None:
        """Give people who follow a table here their seats back from the bots that held them."""
        for person in live.returned():
            await self._come_back(live.id, person)

    async def _come_back(self, id: str, person: str) -> None:
        await self._registry.do(id, person, lambda table, at: commands.come_back(table, person, at))
