"""Requests about tables: done here where this process is the table's home, and otherwise handed on to the process that is."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import cache, wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, get_type_hints

import msgspec

from mekuri.protocol.coding import decoded, encoded
from mekuri.server.base import metrics
from mekuri.server.base.stream import Stream
from mekuri.server.cluster.homes import Cluster, NotHere
from mekuri.server.cluster.peer_client import OtherVersion, PeerClient, Refused
from mekuri.server.cluster.peer_protocol import Lost
from mekuri.server.storage.cluster_store import Process
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time

P = ParamSpec("P")
T = TypeVar("T")

_AGAIN = 0.1  # seconds until a table is looked for again whose home could not be asked


class Routed(Protocol):
    """What has methods about tables, such as the registry of all tables."""

    routing: Routing


R = TypeVar("R", bound=Routed)
Method = Callable[Concatenate[R, str, P], Coroutine[Any, Any, T]]

_METHODS: dict[str, Callable[..., Awaitable[Any]]] = {}  # by class and name, as they are run by the home


def at_home(method: Method[R, P, T]) -> Method[R, P, T]:
    """Let a method, whose first argument is the id of a table, be run by the process that is the home of that table.

    It may be run more than once, where a process is lost before it answers: it must do the same as if it was run once, as for a
    request that is sent again. Arguments and result travel in msgpack.

    Raises TypeError where a method of the same class and name is marked already.
    """
    return _routed(method, unfollowed=False)


def at_home_of_list(method: Method[R, P, T]) -> Method[R, P, T]:
    """Do as `at_home` for a method that is called for each table of a list.

    A home of another version gives a table up only if nobody follows it: lists would end the streams of all tables.
    """
    return _routed(method, unfollowed=True)


def _routed(method: Method[R, P, T], unfollowed: bool) -> Method[R, P, T]:
    name, parameters = method.__qualname__, signature(method)
    if name in _METHODS:
        raise TypeError(f"two methods are called {name}: other processes could not tell them apart")
    _METHODS[name] = method

    @wraps(method)
    async def routed(self: R, id: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(self, id, *args, **kwargs)
        except NotHere as there:
            told = parameters.bind(self, id, *args, **kwargs)
            told.apply_defaults()
            found: T = await self.routing.do(self, name, told.args[1:], there, unfollowed)
            return found

    return routed


class Routing:
    """Finds the home of each table, and hands on to it what concerns the table.

    Args:
        cluster: the processes.
        client: the connections to them.
        here: lets a stream follow a table whose home is this process.
        longest: after how many seconds a request is given up for which no home answers.
        time: the clock, and the ways to wait for it.
    """

    def __init__(
        self,
        cluster: Cluster,
        client: PeerClient,
        here: Callable[[Stream, str], Awaitable[None]],
        longest: float,
        time: Time,
    ) -> None:
        self._cluster = cluster
        self._client = client
        self._here = here
        self._longest = longest
        self._time = time

    async def do(self, of: object, name: str, args: tuple[Any, ...], there: NotHere, unfollowed: bool) -> Any:
        """Run a method at the home of a table.

        Args:
            of: the object whose method it is.
            name: the qualified name of the method, such as `TableRegistry.look`.
            args: its arguments, of which the first is the table.
            there: as what it was refused here.
            unfollowed: whether a home of another version is asked for the table only if nobody follows it.

        Raises:
            ProblemError: the request is refused, or no home answers.
        """
        _, result = _types(name)
        body = msgspec.msgpack.encode(args)
        until = self._time.monotonic() + self._longest
        while True:
            if there.home:
                try:
                    told = await self._client.do(there.home, name, body)
                except (Lost, NotHere) as error:
                    await self._missed(there.home, args[0], error, unfollowed)
                else:
                    metrics.HANDED_ON.inc()
                    return msgspec.msgpack.decode(told, type=result, dec_hook=decoded)
            await self._wait(until)
            try:
                return await _METHODS[name](of, *args)
            except NotHere as error:
                there = error

    async def follow(self, table: str, stream: Stream) -> None:
        """Let a stream follow a table, here or at the process that is its home. Raises as `do`."""
        until = self._time.monotonic() + self._longest
        for tries in itertools.count():
            try:
                return await self._here(stream, table)
            except NotHere as there:
                if there.home:
                    try:
                        return await self._client.follow(there.home, table, stream)
                    except (Lost, NotHere) as error:
                        await self._missed(there.home, table, error)
                        if isinstance(error, NotHere) and not tries:
                            continue  # it may just have made this process the home
            await self._wait(until)

    def unfollow(self, stream: Stream) -> None:
        """End what other processes tell a stream."""
        self._client.unfollow(stream)

    async def bury_dead(self) -> None:
        """End the leases of processes of this machine that have ended without doing so themselves, as after a crash."""
        for peer in [peer for peer in self._cluster.peers.values() if self._cluster.beside(peer)]:
            try:
                await self._client.reach(peer)
            except Lost as error:
                await self._missed(peer, "", error)

    async def _wait(self, until: float) -> None:
        if self._time.monotonic() > until:
            raise ProblemError("busy")
        await self._time.sleep(_AGAIN)

    async def _missed(self, peer: Process, table: str, error: Exception, unfollowed: bool = False) -> None:
        """Note that a process was not there as a home. If nothing listens at its address on this machine, it has ended.

        A home of another version is asked to give the table up. Raises ProblemError while it does not.
        """
        self._cluster.forget_home(table)
        if isinstance(error, OtherVersion):
            with suppress(Lost, NotHere):
                await self._client.ask_for(peer, table, unfollowed)
        if isinstance(error, Refused) and self._cluster.beside(peer):
            await self._cluster.bury(peer)


async def run_here(of: object, name: str, body: bytes) -> bytes:
    """Run a method, as its home, for another process. Arguments and result are in msgpack. Raises NotHere."""
    taken, _ = _types(name)
    args = msgspec.msgpack.decode(body, type=taken)
    return msgspec.msgpack.encode(await _METHODS[name](of, *args), enc_hook=encoded)


@cache
def _types(name: str) -> tuple[Any, Any]:
    """Return the types of a method's arguments, as one tuple, and of its result."""
    hints = get_type_hints(_METHODS[name])
    result = hints.pop("return")
    return tuple[tuple(hints.values())], result  # type: ignore[misc]
