"""News of turns: how people learn, at tables that are played turn by turn, that it is their turn."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mekuri.table.errors import ProblemError
from mekuri.table.table import Table


class Subscription(msgspec.Struct, frozen=True):
    """A device's subscription at its browser's push service, with the fields of `AskPush`. Its `repr` shows no address."""

    device: int
    endpoint: str
    p256dh: str
    auth: str
    lang: str

    def __repr__(self) -> str:
        return f"Subscription(device={self.device})"


class News:
    """Notifies people that it is their turn. This class notifies nobody, as where nobody plays over a network."""

    @property
    def club(self) -> bool:
        """Whether a club's own chat is notified."""
        return False

    async def key(self) -> str | None:
        """Return the public key for web push; None where there is no web push."""
        return None

    async def subscriptions(self, person: str) -> list[Subscription]:
        """Return the subscriptions of a person's devices."""
        return []

    async def subscribe(self, one: Subscription) -> None:
        """Add a subscription of a device. Raises ProblemError where it is refused, and Conflict where the device is gone."""
        raise ProblemError("no-push")

    async def unsubscribe(self, device: int) -> None:
        """Delete the subscription of a device."""

    def tell(self, table: Table, seats: Sequence[int]) -> None:
        """Notify the people in these seats that a table waits for them. Returns at once."""
