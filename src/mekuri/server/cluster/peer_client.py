"""Calls of other processes that serve the same log: about tables whose home they are."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Container

import msgspec

from mekuri.desk.homes import NotHere
from mekuri.desk.stream import Stream
from mekuri.desk.work import PURSE, Purse
from mekuri.protocol.coding import decoded
from mekuri.protocol.table import Problem
from mekuri.server.cluster.homes import host_of
from mekuri.server.cluster.peer_protocol import UNFOLLOWED, VERSION, Call, Follow, Line, Lost, Reply
from mekuri.server.storage.cluster_store import Process
from mekuri.table.errors import ProblemError
from mekuri.table.time import REAL, Time, time_limit

_CONNECTING = 2.0  # seconds until a process that does not answer counts as lost
_REPLY = msgspec.msgpack.Decoder(Reply)
_PROBLEM = msgspec.msgpack.Decoder(Problem, dec_hook=decoded)


class Refused(Lost):
    """Nobody listens at the address of a process."""


class OtherVersion(Lost):
    """A process speaks another version of the protocol, so it can only be asked to give a table up."""


class HandedError(ProblemError):
    """A refusal by the process that is the home of a table."""

    def __init__(self, problem: Problem) -> None:
        self._set(problem)


class PeerClient:
    """The connections to other processes, one to each.

    Args:
        id: returns the id of this process, which changes with its lease.
        ended: called with a stream whose table another process tells no longer.
        time: the clock, and the ways to wait for it.
        version: the version of the protocol that this process speaks.
    """

    def __init__(self, id: Callable[[], str], ended: Callable[[Stream], None], time: Time = REAL, version: int = VERSION) -> None:
        self._id = id
        self._version = version
        self._time = time
        self._ended = ended
        self._peers: dict[str, _Peer] = {}
        self._connecting: dict[str, asyncio.Task[_Peer]] = {}

    async def do(self, process: Process, name: str, body: bytes) -> bytes:
        """Have a process run a method about a table, charged to the current request's budgets. Returns its result in msgpack.

        Raises:
            Lost: it cannot be reached, or was lost before it answered: the method may have run.
            OtherVersion: it speaks another version, and was asked nothing.
            NotHere: it is not the home of the table.
            ProblemError: the request is refused.
        """
        return await (await self._peer(process)).do(name, body)

    async def follow(self, process: Process, table: str, stream: Stream) -> None:
        """Have a process tell a stream what happens at a table, until either side ends it. Charged and raises as `do`."""
        asked = Follow(table, stream.person, stream.address, stream.device, stream.versions[table], stream.room, self._id())
        await (await self._peer(process)).follow(asked, stream)

    async def ask_for(self, process: Process, table: str, unfollowed: bool) -> None:
        """Ask a process of another version to give a table up to this one, or only if nobody follows it. Charged as `do`.

        Raises:
            Lost: it cannot be reached, or was lost before it answered.
            NotHere: it has given the table up.
            ProblemError: it keeps the table for now.
        """
        await (await self._peer(process)).ask_for(table, self._id(), unfollowed)

    async def reach(self, process: Process) -> None:
        """Connect to a process. Raises Lost where it cannot be reached."""
        await self._peer(process)

    def unfollow(self, stream: Stream) -> None:
        """End whatever other processes tell a stream."""
        for peer in self._peers.values():
            peer.unfollow(stream)

    def keep(self, ids: Container[str]) -> None:
        """End the connections to all processes but these: others may be the homes of their tables by now."""
        for id in [id for id in self._peers if id not in ids]:
            self._peers[id].close()

    def close(self) -> None:
        """End all connections."""
        self.keep(())

    async def _peer(self, process: Process) -> _Peer:
        found = self._peers.get(process.id)
        if found and found.open:
            return found
        # Many requests may come at once: one of them connects.
        task = self._connecting.get(process.id)
        if task is None:
            task = self._connecting[process.id] = asyncio.create_task(self._connect(process))
            task.add_done_callback(lambda _: self._connecting.pop(process.id, None))
        return await asyncio.shield(task)

    async def _connect(self, process: Process) -> _Peer:
        host, port = host_of(process.address), int(process.address.rpartition(":")[2])
        try:
            async with time_limit(self._time, _CONNECTING):
                _, line = await asyncio.get_running_loop().create_connection(Line, host, port)
                try:
                    version = await line.prove(process.secret, process.id, self._version)
                except BaseException:
                    line.close()
                    raise
        except ConnectionRefusedError as error:
            raise Refused(f"nobody answers at {process.address}") from error
        except Lost:
            raise
        except (OSError, TimeoutError) as error:
            raise Lost(f"no answer comes from {process.address}") from error
        peer = self._peers[process.id] = _Peer(line, version == self._version, self._ended, lambda: self._forget(process.id, peer))
        line.begin(peer.hear, peer.end)
        return peer

    def _forget(self, id: str, peer: _Peer) -> None:
        if self._peers.get(id) is peer:
            del self._peers[id]


class _Peer:
    """The connection to one process.

    Attributes:
        open: whether it can be called.
    """

    def __init__(self, line: Line, same: bool, ended: Callable[[Stream], None], lost: Callable[[], None]) -> None:
        self._line = line
        self._same = same  # whether it speaks the version of this process
        self._ended = ended
        self._lost = lost
        self._numbers = itertools.count()
        self._calls: dict[int, tuple[asyncio.Future[Reply], Purse | None]] = {}  # what is waited for, and who pays
        self._streams: dict[int, tuple[str, Stream]] = {}
        self._followed: dict[Stream, list[int]] = {}  # the numbers of each stream's calls
        self.open = True

    async def do(self, name: str, body: bytes) -> bytes:
        """Have a method run. Raises as `PeerClient.do`."""
        self._need_same_version()
        return await self._call(next(self._numbers), "do", name, body)

    async def follow(self, asked: Follow, stream: Stream) -> None:
        """Put what happens at a table into a stream."""
        self._need_same_version()
        number = next(self._numbers)
        self._streams[number] = asked.table, stream
        self._followed.setdefault(stream, []).append(number)
        try:
            await self._call(number, "follow", "", msgspec.msgpack.encode(asked))
        except BaseException:
            self._drop(number)
            raise

    async def ask_for(self, table: str, process: str, unfollowed: bool) -> None:
        """Ask for a table. Raises as `PeerClient.ask_for`."""
        number, asked = next(self._numbers), Follow(table, None, "", None, None, 0, process)
        try:
            await self._call(number, "follow", UNFOLLOWED if unfollowed else "", msgspec.msgpack.encode(asked))
        except HandedError:
            pass
        else:
            # A process of version 0 gives up a table only if nobody follows it. Else it lets the caller follow.
            self._line.send(Call(number, "drop"))
        raise ProblemError("busy")

    def _need_same_version(self) -> None:
        if not self._same:
            raise OtherVersion("the process speaks another version of the protocol")

    def unfollow(self, stream: Stream) -> None:
        """End what this process tells a stream."""
        for number in list(self._followed.get(stream, ())):
            self._drop(number)

    def close(self) -> None:
        """End the connection. Callers that wait for an answer are notified at once."""
        self._line.close()
        self.end()

    async def _call(self, number: int, kind: str, name: str, body: bytes) -> bytes:
        if not self.open:
            raise Lost("the connection has ended")
        purse = PURSE.get()
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._calls[number] = waiting, purse  # kept until the reply comes: a caller that no longer waits also pays
        payer = (purse.name, purse.neighbourhood) if purse else ("", "")
        self._line.send(Call(number, kind, name, payer[0], body, payer[1]))
        return _result(await waiting)

    def _drop(self, number: int) -> None:
        if (found := self._streams.pop(number, None)) is None:
            return
        stream = found[1]
        self._followed[stream].remove(number)
        if not self._followed[stream]:
            del self._followed[stream]
        if self.open:
            self._line.send(Call(number, "drop"))

    def hear(self, message: bytes) -> None:
        """Take a reply."""
        try:
            reply = _REPLY.decode(message)
        except msgspec.DecodeError:
            self._line.close()
            return
        if reply.kind == "message":
            self._put(reply)
        elif reply.kind == "end":
            self._end(reply.number)
        elif called := self._calls.pop(reply.number, None):
            waiting, purse = called
            if purse:
                purse.charge(reply.seconds)
                purse.charge_play(reply.playing)
            if not waiting.done():
                waiting.set_result(reply)

    def end(self) -> None:
        """Note that the connection has ended."""
        if not self.open:
            return
        self.open = False
        self._lost()
        for waiting, _ in self._calls.values():
            if not waiting.done():
                waiting.set_exception(Lost("the connection ended before the answer came"))
        self._calls.clear()
        for number in list(self._streams):
            self._end(number)

    def _put(self, reply: Reply) -> None:
        table, stream = self._streams.get(reply.number, ("", None))
        if stream:
            stream.put(table, reply.name, reply.body, reply.version)
            if stream.closed:
                self._end(reply.number)  # its client reads too slowly

    def _end(self, number: int) -> None:
        found = self._streams.get(number)
        self._drop(number)
        if found:
            self._ended(found[1])


def _result(reply: Reply) -> bytes:
    if reply.kind == "elsewhere":
        raise NotHere(None)
    if reply.kind == "refused":
        raise HandedError(_PROBLEM.decode(reply.body))
    return reply.body
