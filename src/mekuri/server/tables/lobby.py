"""The lobby: chooses which open tables are listed, fairly among their makers, and which are closed because nobody waits there."""

from __future__ import annotations

import secrets
from collections import OrderedDict

from mekuri import games
from mekuri.server.base.limits import neighbourhood_of
from mekuri.server.base.settings import Settings
from mekuri.server.storage.store import Store
from mekuri.server.tables.table_cache import TableCache

_KEPT = 10_000  # addresses in memory
_LISTED = 20  # tables
_NOTED = 4  # how often presence is recorded within the time after which a table is closed
_AT_ONCE = 100  # tables that one sweep closes


class Lobby:
    """The list of open tables."""

    def __init__(self, store: Store, cache: TableCache, settings: Settings) -> None:
        self._store = store
        self._cache = cache
        self._each = settings.lobby
        self._unattended = settings.unattended
        self._households: OrderedDict[str, str] = OrderedDict()
        self._noted: dict[str, float] = {}  # by table, when presence was last recorded, by the monotonic time in seconds

    def household(self, address: str) -> str:
        """Return the random key under which tables made from one address are counted. It tells nobody what the address is.

        The key is known to this process only, and forgotten with it.
        """
        place = neighbourhood_of(address)
        found = self._households.setdefault(place, secrets.token_hex(8))
        self._households.move_to_end(place)
        if len(self._households) > _KEPT:
            self._households.popitem(last=False)
        return found

    async def listed(self) -> list[str]:
        """Return the open tables to be listed: those whose makers are present, then the newest; few of one maker or address."""
        return await self._store.public_open(_LISTED, self._each, self._cache.attended())

    async def note(self) -> None:
        """Record at which tables somebody waits, so that no process closes them, and delete address keys that are not needed."""
        await self._store.forget_households(_AT_ONCE)
        there, at = self._cache.gathering(), self._store.time.monotonic()
        self._noted = {id: noted for id, noted in self._noted.items() if id in there}
        due = [id for id in there if at - self._noted.get(id, float("-inf")) >= self._unattended / _NOTED]
        if due:
            await self._store.attend(due)
            self._noted |= dict.fromkeys(due, at)

    async def unattended(self, at: int) -> list[str]:
        """Return the listed tables at which nobody has waited for too long."""
        there = self._cache.attended()
        found = await self._store.unattended(at - round(self._unattended * 1000), games.names(), _AT_ONCE + len(there))
        return [id for id in found if id not in there][:_AT_ONCE]
