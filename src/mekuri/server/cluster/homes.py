"""The processes that serve one log, as this one knows them, and the home of each table among them.

Each process holds a lease in the database, which it renews several times while it lasts. As long as it is not over, nobody else
takes its tables. It is measured on both sides: others ask the clock of the database; the process itself counts from before it asked
for the renewal, by a clock that never jumps, so that it stops sooner than others may begin.
"""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import msgspec

from mekuri.desk.homes import Elsewhere, NotHere
from mekuri.server.storage.cluster_store import Process, Waiting
from mekuri.server.storage.store import Store
from mekuri.table.time import REAL

RENEWALS = 3  # within one lease
_KNOWN = 20_000  # tables of other processes whose homes are kept in memory


class Cluster:
    """The lease of this process, and its peers.

    Args:
        store: the log.
        lease: for how long a process keeps its tables without renewing its lease, in seconds.
        lapsed: called when the lease is taken again after it was over: other processes may have taken any table meanwhile.

    Attributes:
        lease: as above.
        peers: the other processes by their ids, as they were found last.
        elsewhere: the people who wait at each listed table at other processes.
    """

    def __init__(self, store: Store, lease: float, lapsed: Callable[[], None]) -> None:
        self._store = store
        self._lapsed = lapsed
        self._monotonic = store.time.monotonic
        self._until = 0.0  # when the lease of this process is over
        self._homes: OrderedDict[str, str] = OrderedDict()  # the processes that were found to be the homes of tables
        self._claiming: Counter[str] = Counter()  # tables of which this process just becomes the home, or finds that it is
        self._leaving: set[str] = set()  # tables that it just hands over
        self._own = Process("", "", machine(), secrets.token_hex(32), {})  # its id is not used: it is that of the store
        self.lease = lease
        self.peers: dict[str, Process] = {}
        self.elsewhere: Elsewhere = {}

    @property
    def secret(self) -> str:
        """By which other processes show that they can read the database."""
        return self._own.secret

    @property
    def left(self) -> float:
        """For how many seconds the lease of this process lasts; negative where it is over."""
        return self._until - self._monotonic()

    @property
    def valid(self) -> bool:
        """Whether this process may act for its tables now."""
        return self.left > 0

    async def begin(self, address: str) -> None:
        """Take a lease, under which this process answers others at an address. Raises StoreError."""
        self._own = msgspec.structs.replace(self._own, address=address)
        await self.renew({})
        self._store.serves = True

    async def renew(self, waiting: Waiting) -> None:
        """Renew the lease, and look who the peers are. Called several times within a lease.

        Args:
            waiting: the people who wait at each listed table at this process.

        Raises:
            StoreError: the database cannot be read or written.
        """
        begun = self._monotonic()
        # Nobody asks a process without peers who waits there.
        own = msgspec.structs.replace(self._own, waiting=waiting if self.peers else {})
        kept = await self._store.renew(own, round(self.lease * 1000))
        if kept and not self.valid:
            # It came so late that others may have found the lease over before: they may just be taking tables.
            await self._store.leave()
            begun = self._monotonic()
            kept = await self._store.renew(own, round(self.lease * 1000))
        if not kept:
            self._lapsed()
        self._until = begun + self.lease
        await self._look_around()

    async def _look_around(self) -> None:
        self.peers = {peer.id: peer for peer in await self._store.peers()}
        elsewhere: dict[str, set[str]] = {}
        for peer in self.peers.values():
            for table, people in peer.waiting.items():
                elsewhere.setdefault(table, set()).update(people)
        self.elsewhere = elsewhere

    async def find_peer(self, process: str) -> Process | None:
        """Return the peer of this id, also one that has begun since this process last looked. Raises StoreError."""
        if process not in self.peers:
            await self._look_around()
        return self.peers.get(process)

    async def need_home(self, table: str) -> None:
        """Make this process the home of a table, if it has none that is alive.

        Raises:
            NotHere: another process is the home, or this one has no lease.
            StoreError: the database cannot be read or written.
        """
        if not self.valid or table in self._leaving:
            raise NotHere(None)
        known = self.peers.get(self._homes.get(table, ""))
        if known:
            raise NotHere(known)
        lease = self._store.id
        home = await self._claim(table)
        if home is None:
            if not self.valid or self._store.id != lease:  # it took so long that others may have taken the table since
                raise NotHere(None)
            return
        self._note_home(table, home)
        raise NotHere(await self.find_peer(home))

    async def hand_over(self, table: str, to: str) -> bool:
        """Make a peer the home of a table whose home is this process, and which is not in memory. Returns whether it was done.

        Nothing is done while the table is being requested here. Until the handover is done, no request finds the table here. If
        `to` is empty, the process that needs the table first becomes its home.

        Raises:
            StoreError: the database cannot be read or written: it may have been done.
        """
        if (to and to not in self.peers) or table in self._claiming or table in self._leaving:
            return False
        self._leaving.add(table)
        try:
            done = await self._store.hand_over(table, to)
        finally:
            self._leaving.discard(table)
        if done and to:
            self._note_home(table, to)
        return done

    async def _claim(self, table: str) -> str | None:
        self._claiming[table] += 1
        try:
            return await self._store.claim(table)
        finally:
            self._claiming[table] -= 1
            self._claiming += Counter()  # removes the counts that are 0

    def _note_home(self, table: str, home: str) -> None:
        self._homes[table] = home
        self._homes.move_to_end(table)
        if len(self._homes) > _KNOWN:
            self._homes.popitem(last=False)

    def forget_home(self, table: str) -> None:
        """Ask the database for the home of a table next time, as it was not the process that it had been."""
        self._homes.pop(table, None)

    def beside(self, peer: Process) -> bool:
        """Whether a process answers at the loopback of this machine: where nobody listens there, it has ended."""
        return ip_address(host_of(peer.address)).is_loopback and peer.machine is not None and peer.machine == self._own.machine

    def unreachable(self) -> list[Process]:
        """Return the processes that answer at the loopback of another machine, where nobody can ask them."""
        there = [peer for peer in self.peers.values() if ip_address(host_of(peer.address)).is_loopback]
        return [peer for peer in there if peer.machine != self._own.machine]

    async def bury(self, peer: Process) -> None:
        """End the lease of a process that has ended without doing so itself. Raises StoreError."""
        self.peers.pop(peer.id, None)
        await self._store.bury(peer.id)

    async def leave(self) -> None:
        """End the lease of this process. Raises StoreError."""
        self._until = 0.0
        await self._store.leave()


def host_of(address: str) -> str:
    """Return the IP address in `HOST:PORT`."""
    return address.rpartition(":")[0].strip("[]")


def machine() -> str | None:
    """Return what is the same for all processes that share a loopback, and for no others; None where the system does not tell.

    A container has a loopback of its own, so the machine alone is not enough.
    """
    boot = REAL.boot()
    try:
        return boot and f"{boot}/{Path('/proc/self/ns/net').stat().st_ino}"
    except OSError:
        return None
