"""Budgets of processor time: for a guest, and for all at one address. What somebody asks for is paid when it is done.

A budget fills up as time goes by, and never holds more than a minute brings. Whoever has some left is answered, whatever that comes
to; who has none waits until the debt is paid off. An IPv6 network of 64 bits is one address.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

SAVED = 60.0  # seconds that fill an empty budget
_MOST = 20_000  # budgets of a kind that are known; beyond that those are forgotten that have been quiet longest
_LIGHT = 0.1  # of what a guest may use, what somebody may use all the time who asks for little
_AT_TIMES = 2.0  # seconds of that which may be used in a row
_TOGETHER = 0.2  # seconds of processor in one second that all who ask for much may use together
_AT_ONCE = 0.05  # of them what may be used in a row
_OWED = 1.0  # of them what is waited for at most


class Budgets:
    """The budgets of a kind, in seconds of processor time, by name.

    Args:
        rate: what each gets in a second.
        most: what each holds at most.
        clock: says the time in seconds.
        debt: what each owes at most; as much as it holds, if left out.
    """

    def __init__(self, rate: float, most: float, clock: Callable[[], float], debt: float | None = None) -> None:
        self.rate = rate
        self.most = most
        self._debt = most if debt is None else debt
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = (
            OrderedDict()
        )  # what was left when it was charged last, and when that was

    def __len__(self) -> int:
        return len(self._left)

    def left(self, name: str) -> float:
        """What is left; less than nothing for a debt."""
        found = self._left.get(name)
        return self.most if found is None else self._now(*found)

    def charge(self, name: str, seconds: float) -> None:
        """Take what has been used."""
        self._left[name] = max(self.left(name) - seconds, -self._debt), self._clock()
        self._left.move_to_end(name)
        oldest = next(iter(self._left))
        # A budget that is full again needs no note.
        if len(self._left) > _MOST or self.left(oldest) >= self.most:
            del self._left[oldest]

    def wait(self, name: str) -> float:
        """In how many seconds something will be left; 0 where something is."""
        return max(0.0, -self.left(name) / self.rate) if self.rate else 0.0

    def _now(self, left: float, at: float) -> float:
        return min(self.most, left + (self._clock() - at) * self.rate)


class Purse:
    """What one request is paid from: the budget of a guest, or of those at its address who are none, and that of its address.

    Attributes:
        name: of the guest, or the address.
        heavy: whether much has been asked for under that name lately. Those who are heavy are answered one after the other.
    """

    def __init__(self, bank: Bank, name: str, household: str) -> None:
        self._bank = bank
        self._household = household
        self.name = name
        self.heavy = bank.light.wait(name) > 0

    @property
    def wait(self) -> float:
        """In how many seconds a request is taken up; 0 for now.

        What others at the address have used keeps nobody out who has half of an own budget left.
        """
        own, together = self._bank.guests, self._bank.households
        if own.left(self.name) > own.most / 2:
            return 0.0
        return max(own.wait(self.name), together.wait(self._household))

    def charge(self, seconds: float) -> None:
        """Pay for what has been done."""
        self.charge_play(seconds)
        self._bank.light.charge(self.name, seconds)
        if self.heavy:
            self._bank.heavy.charge("", seconds)

    def charge_play(self, seconds: float) -> None:
        """Pay for what has happened at a table. The game says how much that may be, so nobody is heavy for it."""
        self._bank.spent += seconds
        self._bank.guests.charge(self.name, seconds)
        self._bank.households.charge(self._household, seconds)


class Bank:
    """All budgets of a server.

    Attributes:
        guests: those of guests, and of all at one address who are none.
        households: those of addresses.
        light: what guests may use and still be among those who ask for little.
        heavy: what all together may use who have asked for more.
        spent: all that was ever charged, in seconds.
    """

    def __init__(self, guest_ms: int, address_ms: int, clock: Callable[[], float]) -> None:
        self.guests = Budgets(guest_ms / 1000, guest_ms / 1000 * SAVED, clock)
        self.households = Budgets(address_ms / 1000, address_ms / 1000 * SAVED, clock)
        self.light = Budgets(_LIGHT * guest_ms / 1000, _LIGHT * guest_ms / 1000 * _AT_TIMES, clock)
        self.heavy = Budgets(_TOGETHER, _AT_ONCE, clock, _OWED)
        self.spent = 0.0

    def purse(self, guest: str, household: str) -> Purse:
        """What a request is paid from. `guest` is empty for somebody who is none."""
        return Purse(self, guest or household, household)
