"""Places: how many connections there may be, in all and from one address, and whom they are kept for when they run short.

A connection on which nothing is under way *waits*: it is new, or has sent half a head, or is kept open after an answer. Whoever
waits makes room for a newcomer, the longest wait first; so nobody is shut out by those who ask for nothing. A connection with a
request under way, a stream above all, is never closed to make room. The last places of all are for requests of those at tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from ipaddress import IPv6Address, IPv6Network, ip_address

from mekuri.server.settings import Settings
from mekuri.table.errors import ProblemError

_log = logging.getLogger("mekuri.server")
_KEPT = 4  # one place in so many is for those at tables
_MINUTE = 60.0  # seconds between two lines of the log about one limit
_MOST_TOLD = 1000  # addresses that are told apart in one such line
_AGAIN = 5  # seconds after which a connection that was kept open after an answer is gone


class Tally:
    """What the log is told of limits: the first time at once, then how often and from how many addresses, once a minute."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._addresses: dict[str, set[str]] = {}  # for each limit that was reached a short while ago

    def count(self, limit: str, address: str) -> None:
        """A limit was reached. To be called in the server's own loop."""
        if limit not in self._addresses:
            _log.warning("Limit reached: %s. How often is told once a minute from now on.", limit)
            self._begin(limit)
            return
        self._times[limit] += 1
        if len(self._addresses[limit]) < _MOST_TOLD:
            self._addresses[limit].add(address)

    def _begin(self, limit: str) -> None:
        self._addresses[limit] = set()
        asyncio.get_running_loop().call_later(_MINUTE, self._tell, limit)

    def _tell(self, limit: str) -> None:
        times, addresses = self._times.pop(limit, 0), len(self._addresses.pop(limit))
        if times:
            more = "" if addresses < _MOST_TOLD else " or more"
            _log.warning("Limit reached: %s: %d times more in a minute, from addresses: %d%s.", limit, times, addresses, more)
            self._begin(limit)


class ConnectionLimits:
    """All connections of a server.

    Attributes:
        tally: what the log is told.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections
        self._each = settings.connections_each
        self._open: dict[asyncio.Transport, str] = {}  # and the household of each
        self._waiting: dict[asyncio.Transport, None] = {}  # the longest wait first
        self._from: Counter[str] = Counter()  # connections of each household
        self._asking: Counter[str] = Counter()  # requests under way of each household
        self.tally = Tally()

    def enter(self, connection: asyncio.Transport, address: str, speaks_for_others: bool) -> None:
        """Take a place, and wait. Raises ProblemError where there is none. Whoever `speaks_for_others` may take any number."""
        household = "" if speaks_for_others else household_of(address)
        if household and self._from[household] >= self._each:
            self.tally.count(f"{self._each} connections from one address; more are refused", address)
            raise ProblemError("too-many", seconds=_AGAIN)
        if len(self._open) >= self._most:
            longest = next(iter(self._waiting), None)
            if longest is None:
                self.tally.count(f"{self._most} connections, each with a request under way; newcomers are refused", address)
                raise ProblemError("busy")
            self.tally.count(f"{self._most} connections; those that wait longest make room for newcomers", address)
            self.leave(longest)
            longest.abort()
        self._open[connection] = household
        self._from[household] += 1
        self.wait(connection)

    def wait(self, connection: asyncio.Transport) -> None:
        """Nothing is under way on a connection."""
        if connection in self._open:
            self._waiting[connection] = None

    def begin(self, connection: asyncio.Transport) -> None:
        """A request is under way."""
        self._waiting.pop(connection, None)

    def leave(self, connection: asyncio.Transport) -> None:
        """A connection is closed; one that had no place is none of ours."""
        household = self._open.pop(connection, None)
        if household is not None:
            self._waiting.pop(connection, None)
            _take(self._from, household)

    def __len__(self) -> int:
        """How many connections are open."""
        return len(self._open)

    @property
    def scarce(self) -> bool:
        """Whether no place is left but those that are kept."""
        return len(self._open) - len(self._waiting) > self._most - self._most // _KEPT

    def ask(self, household: str) -> None:
        """A request of a household is under way. Raises ProblemError where too many are; a proxy brings those of many people."""
        if self._asking[household] >= self._each:
            self.tally.count(f"{self._each} requests under way from one address; more are refused", household)
            raise ProblemError("too-many", seconds=_AGAIN)
        self._asking[household] += 1

    def answered(self, household: str) -> None:
        """A request of a household is not under way any more."""
        _take(self._asking, household)


def household_of(address: str) -> str:
    """Under what an address counts: of IPv6 the network of 64 bits, of which whoever has one address has all."""
    if ":" not in address:
        return address
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


def _take(counts: Counter[str], name: str) -> None:
    """Count one less. What is not counted any more is not kept."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]
