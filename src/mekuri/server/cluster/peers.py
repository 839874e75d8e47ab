"""This process among the processes that serve the same log: its lease, and the calls and messages between them."""

from __future__ import annotations

import asyncio
import itertools
import logging
from contextlib import suppress
from functools import cache
from typing import Any, get_type_hints

import msgspec

from mekuri.desk.desk import Desk
from mekuri.desk.homes import AT_HOME, Elsewhere, Homes, NotHere
from mekuri.desk.stream import Stream
from mekuri.protocol.coding import decoded, encoded
from mekuri.server.base import metrics
from mekuri.server.base.settings import Settings, place_of
from mekuri.server.cluster.homes import RENEWALS, Cluster
from mekuri.server.cluster.peer_client import OtherVersion, PeerClient, Refused
from mekuri.server.cluster.peer_protocol import NEW_KINDS, Lost
from mekuri.server.cluster.peer_server import PeerServer
from mekuri.server.storage.cluster_store import Process
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.errors import ProblemError
from mekuri.table.time import time_limit

_log = logging.getLogger("mekuri.server")
_OVER = 0.01  # seconds after which a lease is over by any clock of this process
_AGAIN = 0.1  # seconds until a table is looked for again whose home could not be asked
_UNTIL_QUIET = 5.0  # seconds in which a table must have a quiet moment that a process of another version asks for


class Peers(Homes):
    """The lease of this process, and the calls to and from the other processes that serve the same log.

    It is made before the desk of this process, which needs it, and joined with it by `join`.

    Args:
        store: the log.
        settings: how the server is set up.

    Attributes:
        cluster: the processes, as this one knows them.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self.cluster = Cluster(store, settings.lease or store.lease, self._lapsed)
        self._time = store.time
        self._client = PeerClient(lambda: store.id, self._ended, store.time)
        self._longest = settings.patience
        self._server = PeerServer(self, lambda: store.id, self.cluster.secret, store.time)
        self._place = settings.peers
        self._store = store
        self._desk: Desk
        self._blamed: set[str] = set()  # the processes of which it was logged that nobody can ask them

    def join(self, desk: Desk) -> None:
        """Name the desk of this process."""
        self._desk = desk

    async def begin(self) -> None:
        """Answer other processes, and take a lease. Before that no table can be read.

        Raises:
            StoreError: the database cannot be read or written, or the address for other processes is not free.
        """
        host, port = place_of(self._place, "other processes are answered")
        try:
            address = await self._server.listen(host, port)
        except OSError as error:
            raise StoreError(f"other processes cannot be answered at {self._place}: {error.strerror}") from error
        await self.cluster.begin(address)

    async def keep_lease(self) -> None:
        """Renew the lease of this process several times while it lasts. Never returns.

        If the lease is over, and others may take the tables, all tables are dropped at once, so that clients do not watch a table
        that has stopped. This does not apply to a file: if one process cannot write it, no other can.
        """
        while True:
            await self._time.sleep(self.cluster.lease / RENEWALS)
            renewal = asyncio.create_task(self._try_to_renew())
            try:
                # If the database is out of reach, no answer may come before the lease is over.
                with suppress(TimeoutError):
                    async with time_limit(self._time, max(0.0, self.cluster.left) + _OVER):
                        await asyncio.shield(renewal)
                if self._store.may_be_cut_off and not self.cluster.valid:
                    self._lapsed()
                await renewal
            finally:
                renewal.cancel()

    async def _try_to_renew(self) -> None:
        try:
            await self.renew()
        except StoreError as error:
            _log.error("The lease of this process cannot be renewed: %s", error)
        except Exception:
            _log.exception("The lease of this process cannot be renewed")

    async def renew(self) -> None:
        """Renew the lease of this process, and look who the others are. Raises StoreError."""
        await self.cluster.renew({id: sorted(people) for id, people in self._desk.tables.gathering().items()})
        # The tables of a process whose lease is over may have another home, of which it would tell nothing.
        self._client.keep(self.cluster.peers)
        for peer in self.cluster.unreachable():
            if peer.id not in self._blamed:
                self._blamed.add(peer.id)
                _log.error("A process of another machine can be asked by nobody, as it has no --peers address: %s", peer.address)

    async def close(self) -> None:
        """End all connections, and the lease of this process: the others may take its tables at once."""
        self._client.close()
        await self._server.close()
        try:
            await self.cluster.leave()
        except StoreError as error:
            _log.warning("Other processes will notice only later that this one has stopped: %s", error)

    def _lapsed(self) -> None:
        """Drop all tables from memory, as this process may not be their home any more."""
        if self._desk.tables.live_tables:
            _log.warning("The lease of this process was over: other processes may have taken its tables")
        self._desk.tables.drop_all()

    def _ended(self, stream: Stream) -> None:
        self._desk.streams.end_follow(stream)

    # --- What the desk asks ---

    @property
    def elsewhere(self) -> Elsewhere:
        """The people who wait at each listed table at other processes."""
        return self.cluster.elsewhere

    @property
    def valid(self) -> bool:
        """Whether this process may act for its tables now."""
        return self.cluster.valid

    async def need_home(self, table: str) -> None:
        """Make this process the home of a table. Raises as `Cluster.need_home`."""
        await self.cluster.need_home(table)

    def dropped(self, table: str) -> None:
        """Forget the fencing number of a table that is not in memory any more."""
        self._store.fences.pop(table, None)

    async def offer(self, table: str) -> None:
        """Let the process that needs a table first become its home, as this one cannot read it."""
        if self.cluster.peers:
            await self.cluster.hand_over(table, "")

    async def do(self, desk: Desk, name: str, args: tuple[Any, ...], there: NotHere, unfollowed: bool) -> Any:
        """Run a function about a table at the table's home: see `Homes.do`.

        Raises:
            ProblemError: the request is refused, or no home answers.
        """
        _, result = _types(name)
        body = msgspec.msgpack.encode(args)
        until = self._time.monotonic() + self._longest
        while True:
            if there.home:
                try:
                    answer = await self._client.do(there.home, name, body)
                except (Lost, NotHere) as error:
                    await self._missed(there.home, args[0], error, unfollowed)
                else:
                    metrics.HANDED_ON.inc()
                    return msgspec.msgpack.decode(answer, type=result, dec_hook=decoded)
            await self._wait(until)
            try:
                return await AT_HOME[name](desk, *args)
            except NotHere as error:
                there = error

    async def follow(self, stream: Stream, table: str, there: NotHere) -> None:
        """Let a stream follow a table at the table's home, or here if this process has become its home. Raises as `do`."""
        until = self._time.monotonic() + self._longest
        for tries in itertools.count():
            moved = False
            if there.home:
                try:
                    return await self._client.follow(there.home, table, stream)
                except (Lost, NotHere) as error:
                    await self._missed(there.home, table, error)
                    moved = isinstance(error, NotHere) and not tries  # it may just have made this process the home
            if not moved:
                await self._wait(until)
            try:
                return await self._desk.streams.follow_here(stream, table)
            except NotHere as error:
                there = error

    def unfollow(self, stream: Stream) -> None:
        """End what other processes tell a stream."""
        self._client.unfollow(stream)

    async def bury_dead(self) -> None:
        """End the leases of processes of this machine that have ended without doing so themselves, as after a crash."""
        for peer in [peer for peer in self.cluster.peers.values() if self.cluster.beside(peer)]:
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
        self.cluster.forget_home(table)
        if isinstance(error, OtherVersion):
            with suppress(Lost, NotHere):
                await self._client.ask_for(peer, table, unfollowed)
        if isinstance(error, Refused) and self.cluster.beside(peer):
            await self.cluster.bury(peer)

    # --- What other processes ask ---

    async def do_here(self, name: str, body: bytes) -> bytes:
        """Run one of the functions marked `at_home`, with arguments and result in msgpack. Raises NotHere."""
        taken, _ = _types(name)
        args = msgspec.msgpack.decode(body, type=taken)
        return msgspec.msgpack.encode(await AT_HOME[name](self._desk, *args), enc_hook=encoded)

    async def follow_here(self, stream: Stream, process: str) -> None:
        """Let a stream of another process follow its table.

        If no stream follows the table here, that process becomes its home. A table is thus where its people are.

        Raises:
            NotHere: this process is not the home, or has just ceased to be.
        """
        for table in stream.versions:
            with suppress(StoreError):  # the database cannot be written just now: the table stays here
                if await self.hand_over(table, process):
                    raise NotHere
            await self._desk.streams.follow_here(stream, table)

    async def hand_over(self, table: str, to: str) -> bool:
        """Make a peer the home of a table that nobody follows here. Its bots go on there.

        Returns:
            Whether it was done.

        Raises:
            StoreError: the database cannot be read or written.
        """
        if not await self.cluster.find_peer(to):
            return False  # before it is dropped from memory
        if live := self._desk.tables.live_tables.get(table):
            async with live.lock:  # not amid a command
                if live.closed or live.streams:
                    return False
                self._desk.tables.drop(live)
        return await self.cluster.hand_over(table, to)

    async def give_up(self, table: str, process: str, version: int, unfollowed: bool) -> None:
        """Give up a table for a process of another version, at the next quiet moment. Its streams end, and clients connect again.

        A moment is quiet when the table is not being read or changed and no bot is choosing, which a move would break off. Does
        nothing if this process is not the table's home.

        Args:
            table: the table.
            process: the id of that process, which becomes the home; empty if it is not known. If there is no such peer, the process
                that needs the table first becomes its home.
            version: its version of the protocol.
            unfollowed: whether the table stays here if a stream follows it.

        Raises:
            ProblemError: the table stays here for now, or for as long as it has rows that the process does not know.
            StoreError: the database cannot be read or written.
        """
        new = NEW_KINDS.get(version)
        if new and not new.isdisjoint(row.kind for row in await self._store.rows(table)):
            raise ProblemError("busy")
        if process and not await self.cluster.find_peer(process):
            process = ""
        tables = self._desk.tables
        try:
            async with time_limit(self._time, _UNTIL_QUIET):
                while live := tables.live_tables.get(table):
                    if unfollowed and live.streams:
                        raise ProblemError("busy")
                    if live.bots:
                        await asyncio.wait([live.bots])
                    async with live.lock:
                        if not live.bots:
                            tables.drop(live)
        except TimeoutError:
            raise ProblemError("busy") from None
        await self.cluster.hand_over(table, process)

    def unfollow_here(self, stream: Stream) -> None:
        """Let a stream of another process follow its table no longer."""
        self._desk.streams.unfollow_here(stream)


@cache
def _types(name: str) -> tuple[Any, Any]:
    """Return the types of a function's arguments after the desk, as one tuple, and of its result."""
    _, *taken, result = get_type_hints(AT_HOME[name]).values()
    return tuple[tuple(taken)], result  # type: ignore[misc]
