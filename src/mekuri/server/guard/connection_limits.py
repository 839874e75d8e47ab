"""Limits on connections: how many there may be in all and from one address, and which are closed when they run short.

A connection without a request in progress is *idle*: it is new, has sent half a head, or is kept alive after a response. If all
connections are taken, the longest idle one is closed for a new one. A connection with a request in progress, such as a stream, is
never closed for that. The last quarter of all connections is kept for requests of people who sit at tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from functools import partial

from mekuri.desk.limits import Networks, networks_of
from mekuri.server.base.limits import Limits
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time

_log = logging.getLogger("mekuri.server")
_KEPT = 4  # one in so many connections is kept for people at tables
_MINUTE = 60.0  # seconds between two log messages about one limit
_MOST_TOLD = 1000  # addresses that are counted for one such message
_AGAIN = 5  # seconds of Retry-After: an idle connection is closed after so long


class Tally:
    """Logs that limits were reached: the first time at once, then a summary of times and addresses once a minute."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._times: Counter[str] = Counter()
        self._addresses: dict[str, set[str]] = {}  # by limit that was reached within the last minute

    def count(self, limit: str, address: str) -> None:
        """Note that a limit was reached. Must be called in the server's event loop."""
        if limit not in self._addresses:
            _log.warning("Limit reached: %s. From now on the count is logged once a minute.", limit)
            self._begin(limit)
            return
        self._times[limit] += 1
        if len(self._addresses[limit]) < _MOST_TOLD:
            self._addresses[limit].add(address)

    def _begin(self, limit: str) -> None:
        self._addresses[limit] = set()
        self._time.call_later(_MINUTE, partial(self._tell, limit))

    def _tell(self, limit: str) -> None:
        times, addresses = self._times.pop(limit, 0), len(self._addresses.pop(limit))
        if times:
            more = "" if addresses < _MOST_TOLD else " or more"
            _log.warning("Limit reached: %s: %d times more in a minute, from addresses: %d%s.", limit, times, addresses, more)
            self._begin(limit)


class ConnectionLimits:
    """All connections of a server.

    Args:
        most: how many there may be.
        limits: how many each address may have.
        time: the clock.

    Attributes:
        tally: logs the limits that were reached.
    """

    def __init__(self, most: int, limits: Limits, time: Time) -> None:
        self._most = most
        self._limits = limits
        self._open: dict[asyncio.Transport, Networks] = {}  # with the networks of each
        self._waiting: dict[asyncio.Transport, None] = {}  # idle connections, the longest idle first
        self.tally = Tally(time)

    def enter(self, connection: asyncio.Transport, address: str, speaks_for_others: bool) -> None:
        """Register a new connection, as idle. Closes the longest idle one where all are taken.

        Args:
            connection: its transport.
            address: the IP address of the client.
            speaks_for_others: whether it is a trusted proxy, which may have any number of connections.

        Raises:
            ProblemError: the address has too many connections, or all connections have a request in progress.
        """
        networks = () if speaks_for_others else networks_of(address)
        if self._limits.connections.full(networks):
            self.tally.count(f"{self._limits.connections.each} connections from one address; more are refused", address)
            raise ProblemError("too-many", seconds=_AGAIN)
        if len(self._open) >= self._most:
            longest = next(iter(self._waiting), None)
            if longest is None:
                self.tally.count(f"{self._most} connections, each with a request under way; newcomers are refused", address)
                raise ProblemError("busy")
            self.tally.count(f"{self._most} connections; those that wait longest make room for newcomers", address)
            self.leave(longest)
            longest.abort()
        self._open[connection] = networks
        self._limits.connections.enter(networks)
        self.wait(connection)

    def wait(self, connection: asyncio.Transport) -> None:
        """Mark a connection as idle."""
        if connection in self._open:
            self._waiting[connection] = None

    def begin(self, connection: asyncio.Transport) -> None:
        """Mark a connection as having a request in progress."""
        self._waiting.pop(connection, None)

    def leave(self, connection: asyncio.Transport) -> None:
        """Unregister a closed connection. One that was never registered is ignored."""
        networks = self._open.pop(connection, None)
        if networks is not None:
            self._waiting.pop(connection, None)
            self._limits.connections.leave(networks)

    def __len__(self) -> int:
        """Return how many connections are open."""
        return len(self._open)

    @property
    def scarce(self) -> bool:
        """Whether only the connections are left that are kept for people at tables."""
        return len(self._open) - len(self._waiting) > self._most - self._most // _KEPT

    def ask(self, address: str) -> None:
        """Count a request in progress of an address. Behind a proxy one connection may carry requests of many addresses.

        Raises:
            ProblemError: too many requests of the address are in progress.
        """
        networks = networks_of(address)
        if self._limits.asking.full(networks):
            self.tally.count(f"{self._limits.asking.each} requests under way from one address; more are refused", address)
            raise ProblemError("too-many", seconds=_AGAIN)
        self._limits.asking.enter(networks)

    def answered(self, address: str) -> None:
        """Count a request of an address as done."""
        self._limits.asking.leave(networks_of(address))
