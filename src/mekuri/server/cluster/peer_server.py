"""The calls of other processes that serve the same log: about tables whose home is this process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from mekuri.desk.homes import NotHere
from mekuri.desk.stream import Stream
from mekuri.desk.work import PURSE, Purse, metered
from mekuri.engine.errors import MekuriError
from mekuri.protocol.coding import encoded
from mekuri.server.cluster.peer_protocol import UNFOLLOWED, VERSION, Call, Follow, Line, Lost, Reply
from mekuri.server.storage.store import StoreError
from mekuri.table.errors import ProblemError
from mekuri.table.time import REAL, Time, time_limit

_log = logging.getLogger("mekuri.server")
_PROVING = 5.0  # seconds in which a caller must have shown who it is
_CALL = msgspec.msgpack.Decoder(Call)
_FOLLOW = msgspec.msgpack.Decoder(Follow)
_GENTLE = (UNFOLLOWED, "listed")  # of which version 0 calls the latter for each table of a list
_ARGUMENTS = msgspec.msgpack.Decoder(list[Any])


class Home(Protocol):
    """What other processes may ask of the tables whose home is this process."""

    async def do_here(self, name: str, body: bytes) -> bytes:
        """Run a function about a table, with arguments in msgpack, and return its result in msgpack. Raises NotHere."""

    async def follow_here(self, stream: Stream, process: str) -> None:
        """Let a stream of another process follow its table. Raises NotHere."""

    def unfollow_here(self, stream: Stream) -> None:
        """Let a stream follow its table no longer."""

    async def give_up(self, table: str, process: str, version: int, unfollowed: bool) -> None:
        """Give up a table for a process of another version, or only if nobody follows it. Raises ProblemError."""


class _Meter(Purse):
    """The purse of a call: it sums up what the caller will charge."""

    def __init__(self, name: str, neighbourhood: str) -> None:
        self.name = name
        self.neighbourhood = neighbourhood
        self.spent = self.played = 0.0

    @property
    def wait(self) -> float:
        """Nothing waits: the caller has let the request through."""
        return 0.0

    def charge(self, seconds: float) -> None:
        """Add seconds of processor time."""
        self.spent += seconds

    def charge_play(self, seconds: float) -> None:
        """Add seconds for work at a table."""
        self.played += seconds


class _Relayed(Stream):
    """A stream whose client is connected to another process, to which its messages are sent."""

    def __init__(self, asked: Follow, send: Callable[[Reply], None], number: int) -> None:
        super().__init__(asked.person, asked.address, [asked.table], [asked.after], asked.device)
        self._room = asked.room
        self._send = send
        self._number = number

    @property
    def room(self) -> int:
        """How many events the queue of the client had room for when it began to follow."""
        return self._room

    def put(self, table: str, kind: str, data: bytes, version: int | None = None) -> None:
        """Send a message to the process of the client."""
        if self.closed:
            return
        if version is not None:
            self.versions[table] = version
        self._send(Reply(self._number, "message", data, kind, version))

    def close(self, farewell: bytes = b"") -> None:
        """Tell the process of the client that nothing more comes."""
        if not self.closed:
            self._send(Reply(self._number, "end"))
        super().close()


class PeerServer:
    """Answers the other processes.

    Args:
        home: what they may ask.
        id: returns the id of this process, which changes with its lease.
        secret: by which they show that they may ask.
        time: the clock, and the ways to wait for it.
        version: the version of the protocol that this process speaks.
    """

    def __init__(self, home: Home, id: Callable[[], str], secret: str, time: Time = REAL, version: int = VERSION) -> None:
        self._home = home
        self._version = version
        self._time = time
        self._id = id
        self._secret = secret
        self._server: asyncio.Server | None = None
        self._lines: set[Line] = set()
        self._proving: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> str:
        """Listen at an address. Returns it as `HOST:PORT`, with the port that was found for 0. Raises OSError."""
        self._server = await asyncio.get_running_loop().create_server(lambda: Line(self._accept), host, port)
        found = self._server.sockets[0].getsockname()[1]
        return f"[{host}]:{found}" if ":" in host else f"{host}:{found}"

    async def close(self) -> None:
        """Listen no more, and end all connections."""
        if self._server:
            self._server.close()
        for task in list(self._proving):
            task.cancel()
        for line in list(self._lines):
            line.close()

    def _accept(self, line: Line) -> None:
        task = asyncio.create_task(self._check(line))
        self._proving.add(task)
        task.add_done_callback(self._proving.discard)

    async def _check(self, line: Line) -> None:
        try:
            async with time_limit(self._time, _PROVING):
                version = await line.check(self._secret, self._id(), self._version)
        except (Lost, TimeoutError):
            version = None
        if version is None:
            line.close()
            return
        caller = _Caller(self._home, line, None if version == self._version else version)
        self._lines.add(line)

        def lost() -> None:
            self._lines.discard(line)
            caller.end()

        line.begin(caller.hear, lost)


class _Caller:
    """One process that calls."""

    def __init__(self, home: Home, line: Line, other: int | None) -> None:
        self._home = home
        self._line = line
        self._other = other  # its version, where that is not the version of this process
        self._tasks: set[asyncio.Task[None]] = set()
        self._streams: dict[int, _Relayed] = {}

    def hear(self, message: bytes) -> None:
        """Begin to answer a call."""
        try:
            call = _CALL.decode(message)
            if call.kind == "drop":
                self._drop(call.number)
                return
            asked = _FOLLOW.decode(call.body) if call.kind == "follow" else None
            table = asked.table if asked else _ARGUMENTS.decode(call.body)[0] if self._other is not None else ""
        except (msgspec.DecodeError, IndexError) as error:
            _log.error("Another process sends what is no call: %s", error)
            self._line.close()
            return
        if self._other is not None:
            task = asyncio.create_task(self._give_up(call, self._other, table, asked.process if asked else ""))
        elif asked:
            # Made now, as the next message may already drop it.
            stream = self._streams[call.number] = _Relayed(asked, self._line.send, call.number)
            task = asyncio.create_task(self._follow(call, stream, asked.process))
        else:
            task = asyncio.create_task(self._do(call))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        """Let its streams follow nothing any more."""
        for number in list(self._streams):
            self._drop(number)

    async def _do(self, call: Call) -> None:
        self._line.send(await self._metered(call, self._home.do_here(call.name, call.body)))

    async def _give_up(self, call: Call, version: int, table: str, process: str) -> None:
        """Do nothing for a process of another version but give it the table, so that it does by itself what it asks for."""

        async def given_up() -> bytes:
            await self._home.give_up(table, process, version, call.name in _GENTLE)
            raise NotHere(None)

        self._line.send(await self._metered(call, given_up()))

    async def _follow(self, call: Call, stream: _Relayed, process: str) -> None:
        async def followed() -> bytes:
            if not stream.closed:
                await self._home.follow_here(stream, process)
            return b""

        reply = await self._metered(call, followed())
        if reply.kind != "done":
            self._drop(call.number)
        self._line.send(reply)

    async def _metered(self, call: Call, work: Coroutine[Any, Any, bytes]) -> Reply:
        """Return the reply to a call, with what the caller is to charge."""
        meter = _Meter(call.payer, call.neighbourhood) if call.payer else None
        PURSE.set(meter)
        reply = await self._reply(call.number, metered(work))
        return msgspec.structs.replace(reply, seconds=meter.spent, playing=meter.played) if meter else reply

    async def _reply(self, number: int, work: Awaitable[bytes]) -> Reply:
        try:
            return Reply(number, "done", await work)
        except NotHere:
            return Reply(number, "elsewhere")
        except ProblemError as error:
            problem = error.problem
        except StoreError as error:
            problem = ProblemError(error.refusal).problem
        except MekuriError as error:
            _log.error("A call of another process failed: %s", error)
            problem = ProblemError("server").problem
        except Exception:
            _log.exception("A call of another process failed")
            problem = ProblemError("server").problem
        return Reply(number, "refused", msgspec.msgpack.encode(problem, enc_hook=encoded))

    def _drop(self, number: int) -> None:
        if stream := self._streams.pop(number, None):
            stream.closed = True
            with suppress(MekuriError):
                self._home.unfollow_here(stream)
