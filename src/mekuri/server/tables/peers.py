"""This process among those that serve the same log: its lease, and what it and the others hand on to each other."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from mekuri.server.base.settings import Settings, place_of
from mekuri.server.base.stream import Stream
from mekuri.server.cluster.homes import RENEWALS, Cluster, NotHere
from mekuri.server.cluster.peer_client import PeerClient
from mekuri.server.cluster.peer_protocol import NEW_KINDS
from mekuri.server.cluster.peer_server import PeerServer
from mekuri.server.cluster.routing import Routing, run_here
from mekuri.server.storage.store import Store, StoreError
from mekuri.server.tables.streams import Streams
from mekuri.server.tables.table_cache import TableCache
from mekuri.table.errors import ProblemError
from mekuri.table.time import time_limit

_log = logging.getLogger("mekuri.server")
_OVER = 0.01  # seconds after which a lease is over by any clock of this process


class Peers:
    """The lease of this process, and the calls to and from the others.

    It is made before the tables and streams of this process, which need it, and joined with them by `join`.

    Args:
        store: the log.
        settings: how the server is set up.
        methods: the object whose methods, those marked `at_home`, the other processes call.

    Attributes:
        cluster: the processes, as this one knows them.
        routing: finds the home of each table.
    """

    def __init__(self, store: Store, settings: Settings, methods: object) -> None:
        self.cluster = Cluster(store, settings.lease or store.lease, self._lapsed)
        self._time = store.time
        self._client = PeerClient(lambda: store.id, self._ended, store.time)
        self.routing = Routing(self.cluster, self._client, self._follow, settings.patience, store.time)
        self._server = PeerServer(self, lambda: store.id, self.cluster.secret, store.time)
        self._place = settings.peers
        self._rows = store.rows
        self._may_be_cut_off = store.may_be_cut_off
        self._methods = methods
        self._cache: TableCache
        self._streams: Streams
        self._blamed: set[str] = set()  # the processes of which it was logged that nobody can ask them

    def join(self, cache: TableCache, streams: Streams) -> None:
        """Name the tables and streams of this process."""
        self._cache, self._streams = cache, streams

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

        Where it is over, and others may take the tables, these are dropped at once: nobody shall look on at what stands still. A
        file that one process cannot write no other can.
        """
        while True:
            await self._time.sleep(self.cluster.lease / RENEWALS)
            renewal = asyncio.create_task(self._try_to_renew())
            try:
                # Where the database is out of reach, no answer may come before the lease is over.
                with suppress(TimeoutError):
                    async with time_limit(self._time, max(0.0, self.cluster.left) + _OVER):
                        await asyncio.shield(renewal)
                if self._may_be_cut_off and not self.cluster.valid:
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
        await self.cluster.renew({id: sorted(people) for id, people in self._cache.gathering().items()})
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
        if self._cache.live_tables:
            _log.warning("The lease of this process was over: other processes may have taken its tables")
        self._cache.drop_all()

    def _ended(self, stream: Stream) -> None:
        self._streams.end_follow(stream)

    async def _follow(self, stream: Stream, table: str) -> None:
        await self._streams.follow_here(stream, table)

    # --- What other processes ask ---

    async def do_here(self, name: str, body: bytes) -> bytes:
        """Run one of the methods marked `at_home`, with arguments and result in msgpack. Raises NotHere."""
        return await run_here(self._methods, name, body)

    async def follow_here(self, stream: Stream, process: str) -> None:
        """Let a stream of another process follow its table.

        Where nobody follows the table here, that process becomes its home: so a table is where its people are.

        Raises:
            NotHere: this process is not the home, or has just ceased to be.
        """
        for table in stream.versions:
            with suppress(StoreError):  # the database cannot be written just now: the table stays here
                if await self._cache.hand_over(table, process):
                    raise NotHere(None)
            await self._follow(stream, table)

    async def give_up(self, table: str, process: str, version: int, unfollowed: bool) -> None:
        """Give up a table for a process of another version.

        Args:
            table: the table.
            process: the id of that process, which becomes the home; empty where it is not known.
            version: its version of the protocol.
            unfollowed: whether the table stays here if somebody follows it.

        Raises:
            ProblemError: the table stays here for now, or for as long as it has rows that the process does not know.
            StoreError: the database cannot be read or written.
        """
        new = NEW_KINDS.get(version)
        if new and not new.isdisjoint(row.kind for row in await self._rows(table)):
            raise ProblemError("busy")
        await self._cache.give_up(table, process, unfollowed)

    def unfollow_here(self, stream: Stream) -> None:
        """Let a stream of another process follow its table no longer."""
        self._streams.unfollow_here(stream)
