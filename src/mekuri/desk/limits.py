"""Limits of what one guest or one household may do, and of what all together may do.

A household with IPv6 has a network of 64 bits, of 56 or of 48; the last holds 65,536 of the first. An address does not say which.
So a request without a guest is counted once for each of the three networks that contain its address. A network of 56 bits has the
allowance of 4 households, one of 48 bits that of 16.
"""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address, ip_address

from mekuri.desk.options import Options
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time

_MINUTE = 60.0  # seconds
_GROWTH = ((64, 1), (56, 4), (48, 16))  # the bits of IPv6 networks, and how many households' allowances each has
ALLOWANCES = tuple(times for _, times in _GROWTH)

Networks = tuple[tuple[str, int], ...]  # the networks of an address, the smallest first, and how many allowances each has


def networks_of(address: str) -> Networks:
    """Return under which names an IP address is counted: itself, or for IPv6 its networks of 64, 56 and 48 bits.

    An IPv4 address that is written as IPv6 counts as what it is, and text that is no address as it is.
    """
    if ":" not in address:
        return ((address, 1),)
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ((address, 1),)
    if not isinstance(found, IPv6Address):
        return ((address, 1),)
    if found.ipv4_mapped:
        return ((str(found.ipv4_mapped), 1),)
    number = int(found)
    return tuple((f"{number >> 128 - bits:x}/{bits}", times) for bits, times in _GROWTH)


def household_of(address: str) -> str:
    """Return the name of the household at an IP address: the smallest of its networks."""
    return networks_of(address)[0][0]


def neighbourhood_of(address: str) -> str:
    """Return the name of all who may be one at an IP address: the largest of its networks. They share what is scarce."""
    return networks_of(address)[-1][0]


def _counted(who: str | Networks) -> Networks:
    return ((who, 1),) if isinstance(who, str) else who


class RateLimit:
    """Counts calls in fixed windows of a minute, or another time.

    The caller is identified by the id of a guest or the like, or by the networks of an address.

    Args:
        each: how many calls each may make; None for any number.
        time: the clock.
        together: how many all may make, but for the first of each (of the largest network of each); None for any number.
        seconds: how long a window is.
    """

    def __init__(self, each: int | None, time: Time, together: int | None = None, seconds: float = _MINUTE) -> None:
        self._each = each
        self._together = together
        self._monotonic = time.monotonic
        self._window = seconds
        self._since = float("-inf")
        self._times: Counter[str] = Counter()
        self._all = 0

    def count(self, who: str | Networks) -> None:
        """Count a call. Raises ProblemError with the seconds to wait where the limit is reached; such a call is not counted."""
        if self._each is None:
            return
        now = self._monotonic()
        if now - self._since >= self._window:
            self.forget()
            self._since = now
        names = _counted(who)
        full = self._together is not None and self._all >= self._together and self._times[names[-1][0]] > 0
        if full or any(self._times[name] >= self._each * times for name, times in names):
            raise ProblemError("too-many", seconds=max(1, round(self._since + self._window - now)))
        self._times.update(name for name, _ in names)
        self._all += 1

    def forget(self) -> None:
        """Forget whose calls were counted in a window that is over."""
        if self._monotonic() - self._since >= self._window:
            self._times.clear()
            self._all = 0

    def forgive(self, who: str | Networks) -> None:
        """Undo one counted call."""
        for name, _ in _counted(who):
            self._times[name] -= self._times[name] > 0
        self._all -= self._all > 0


class AtOnce:
    """Counts what is open at the same time, such as connections.

    Args:
        each: how many each may have.
    """

    def __init__(self, each: int) -> None:
        self.each = each
        self._open: Counter[str] = Counter()

    def full(self, who: str | Networks) -> bool:
        """Whether there may be no more."""
        return any(self._open[name] >= self.each * times for name, times in _counted(who))

    def enter(self, who: str | Networks) -> None:
        """Count one more."""
        self._open.update(name for name, _ in _counted(who))

    def leave(self, who: str | Networks) -> None:
        """Count one less."""
        for name, _ in _counted(who):
            self._open[name] -= 1
            if self._open[name] <= 0:
                del self._open[name]

    def __getitem__(self, name: str) -> int:
        """Return how many are open of a guest or a network."""
        return self._open[name]

    def __len__(self) -> int:
        """Return of how many guests and networks some are open."""
        return len(self._open)


class Shares:
    """Places that all share, such as those in a queue. Each neighbourhood may have some, and its first is always let in.

    Args:
        most: how many there are, but for the first of each.
        each: how many of them a neighbourhood may have.
    """

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._taken: Counter[str] = Counter()
        self._all = 0

    def full(self, who: str) -> bool:
        """Whether there is no place for a neighbourhood."""
        taken = self._taken[who]
        return taken > 0 and (taken >= self._each or self._all >= self._most)

    def enter(self, who: str) -> None:
        """Take a place."""
        self._taken[who] += 1
        self._all += 1

    def leave(self, who: str) -> None:
        """Give a place back."""
        self._all -= 1
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]


class Limits:
    """The limits of a desk that are counted by guest or address.

    Attributes:
        guests: that are new, in a minute.
        codes: wrong codes for a device, in a minute.
        streams: of a guest.
        strangers: streams of an address without a guest.
    """

    def __init__(self, options: Options, time: Time) -> None:
        self.guests = RateLimit(options.guests or None, time)
        self.codes = RateLimit(options.codes, time)
        self.streams = AtOnce(options.streams)
        self.strangers = AtOnce(options.strangers)
