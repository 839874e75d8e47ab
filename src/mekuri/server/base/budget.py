"""Budgets of processor time (token buckets): for each guest, and for all requests of one address.

A budget refills steadily and never holds more than a minute's worth. A request is charged when its work is done, so a budget may
become negative; while it is, requests wait or are refused. An IPv6 address has a budget for each of its networks (see `limits`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from mekuri.desk.limits import ALLOWANCES, networks_of

SAVED = 60.0  # seconds in which an empty budget refills
_MOST = 20_000  # budgets of a kind in memory; beyond that the least recently charged is dropped
_LIGHT = 0.1  # the part of a guest's rate that may be used all the time without being heavy
_AT_TIMES = 2.0  # seconds of that rate that may be saved up
_TOGETHER = 0.2  # seconds of processor time a second for all heavy requests together
_AT_ONCE = 0.05  # seconds of that which may be saved up
_OWED = 1.0  # the largest debt of that, in seconds


class Budgets:
    """Budgets of one kind, in seconds of processor time, by name.

    Args:
        rate: how much each refills, in seconds of processor time a second.
        most: how much each holds at most.
        clock: returns the time in seconds.
        debt: how far each may go below 0; `most` if left out.
    """

    def __init__(self, rate: float, most: float, clock: Callable[[], float], debt: float | None = None) -> None:
        self.rate = rate
        self.most = most
        self._debt = most if debt is None else debt
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what was left at the last charge, and its time

    def __len__(self) -> int:
        return len(self._left)

    def left(self, name: str) -> float:
        """Return what is left, in seconds; negative for a debt."""
        found = self._left.get(name)
        return self.most if found is None else self._now(*found)

    def charge(self, name: str, seconds: float) -> None:
        """Take seconds from a budget."""
        self._left[name] = max(self.left(name) - seconds, -self._debt), self._clock()
        self._left.move_to_end(name)
        oldest = next(iter(self._left))
        # A full budget need not be stored.
        if len(self._left) > _MOST or self.left(oldest) >= self.most:
            del self._left[oldest]

    def wait(self, name: str) -> float:
        """Return in how many seconds a budget is positive again; 0 where it is not negative."""
        return max(0.0, -self.left(name) / self.rate) if self.rate else 0.0

    def _now(self, left: float, at: float) -> float:
        return min(self.most, left + (self._clock() - at) * self.rate)


class Purse:
    """The two budgets that one request is charged to: that of its guest, and that of its address.

    Requests without a guest share one budget for each household in the place of a guest's.

    Attributes:
        name: the guest's id, or the household.
        neighbourhood: the largest network of the address, whose people share one turn where something is done in turn.
        shared: whether the name is the household, in which there may be several people.
        heavy: whether this name has used much lately. Heavy requests are answered one at a time. One for a file is never heavy.
    """

    def __init__(self, bank: Bank, guest: str, address: str, file: bool) -> None:
        self._bank = bank
        self._networks = networks_of(address)
        self._own = ((guest, 1),) if guest else self._networks
        self._file = file
        self.name = self._own[0][0]
        self.neighbourhood = self._networks[-1][0]
        self.shared = not guest
        self.heavy = not file and bank.light.wait(self.name) > 0

    @property
    def wait(self) -> float:
        """In how many seconds the request may be processed; 0 for now.

        A guest with more than half of the own budget left is not held up by others at the same address.
        """
        own, together = self._bank.guests, self._bank.networks
        if all(own[times].left(name) > own[times].most / 2 for name, times in self._own):
            return 0.0
        return max(
            *(own[times].wait(name) for name, times in self._own), *(together[times].wait(name) for name, times in self._networks)
        )

    def charge(self, seconds: float) -> None:
        """Charge seconds of processor time for a request."""
        self.charge_play(seconds)
        if not self._file:
            self._bank.light.charge(self.name, seconds)
        if self.heavy:
            self._bank.heavy.charge("", seconds)

    def charge_play(self, seconds: float) -> None:
        """Charge seconds for work at a table. It does not make a request heavy, as the game limits how much there can be."""
        self._bank.spent += seconds
        for name, times in self._own:
            self._bank.guests[times].charge(name, seconds)
        for name, times in self._networks:
            self._bank.networks[times].charge(name, seconds)


class Bank:
    """All budgets of a server.

    Attributes:
        guests: by guest, or by network for requests without one; for each number of allowances that a network may have.
        networks: by network, for all who come from there; as above.
        light: by guest or household; a name whose budget here is used up is heavy.
        heavy: one budget that all heavy requests share.
        spent: how many seconds were charged in all.
    """

    def __init__(self, guest_ms: int, address_ms: int, clock: Callable[[], float]) -> None:
        self.guests, self.networks = (
            {times: Budgets(times * rate, times * rate * SAVED, clock) for times in ALLOWANCES}
            for rate in (guest_ms / 1000, address_ms / 1000)
        )
        self.light = Budgets(_LIGHT * guest_ms / 1000, _LIGHT * guest_ms / 1000 * _AT_TIMES, clock)
        self.heavy = Budgets(_TOGETHER, _AT_ONCE, clock, _OWED)
        self.spent = 0.0

    def purse(self, guest: str, address: str, file: bool = False) -> Purse:
        """Return the budgets of a request.

        Args:
            guest: the guest's id; empty for a request without one.
            address: the IP address of the client.
            file: whether it asks for a file of the page, which has dozens. Such a request is never heavy: otherwise some would
                be refused, and the page would lack a part.
        """
        return Purse(self, guest, address, file)
