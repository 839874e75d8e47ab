"""Attendance: the listed tables at which people wait. Other listed tables are closed after a while."""

from __future__ import annotations

from mekuri import games
from mekuri.desk.tables import Tables
from mekuri.server.base.settings import Settings
from mekuri.server.storage.store import Store

_NOTED = 4  # how often presence is recorded within the time after which a table is closed
_AT_ONCE = 100  # tables that one sweep closes


class Attendance:
    """The presence of people at listed tables, as the database knows it."""

    def __init__(self, store: Store, tables: Tables, settings: Settings) -> None:
        self._store = store
        self._tables = tables
        self._unattended = settings.unattended
        self._noted: dict[str, float] = {}  # by table, when presence was last recorded, by the monotonic time in seconds

    async def note(self) -> None:
        """Record at which tables people wait, so that no process closes them, and delete address keys that are not needed."""
        await self._store.forget_households(_AT_ONCE)
        there, at = self._tables.gathering(), self._store.time.monotonic()
        self._noted = {id: noted for id, noted in self._noted.items() if id in there}
        due = [id for id in there if at - self._noted.get(id, float("-inf")) >= self._unattended / _NOTED]
        if due:
            await self._store.attend(due)
            self._noted |= dict.fromkeys(due, at)

    async def unattended(self, at: int) -> list[str]:
        """Return the listed tables at which nobody has waited for too long."""
        there = self._tables.attended()
        found = await self._store.unattended(at - round(self._unattended * 1000), games.names(), _AT_ONCE + len(there))
        return [id for id in found if id not in there][:_AT_ONCE]
