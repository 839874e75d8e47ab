"""The limits of a server: those of its desk, and those of connections and requests."""

from __future__ import annotations

from mekuri.desk import limits
from mekuri.desk.limits import AtOnce, RateLimit
from mekuri.server.base.settings import Settings, desk_options
from mekuri.table.time import Time


class Limits(limits.Limits):
    """All limits of a server that are counted by guest or address: those of its desk, and these.

    Attributes:
        requests: of a guest, or of an address without one, in a second.
        connections: that are open.
        asking: requests in progress.
    """

    def __init__(self, settings: Settings, time: Time) -> None:
        super().__init__(desk_options(settings), time)
        self.requests = RateLimit(settings.requests or None, time, seconds=1)
        self.connections = AtOnce(settings.connections_each)
        self.asking = AtOnce(settings.connections_each)

    def forget(self) -> None:
        """Forget who was counted in a time that has passed."""
        for limit in (self.requests, self.guests, self.codes):
            limit.forget()
