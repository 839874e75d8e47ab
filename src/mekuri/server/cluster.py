"""The other processes that serve the same log, and who is connected to them.

Each process keeps one row in the database: a beat that changes again and again, and who follows which table there. One whose beat
has not changed for a while is gone, and whoever sees that takes its row away. No clock decides this: two machines may differ, and
one that has slept finds the others as they were.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mekuri.server.store import Lines, Store

_BEAT = 5  # meetings after which a process says again that it is there, even where nothing has changed
_SILENT = 15  # meetings after which a process whose beat stays the same is gone

Elsewhere = Mapping[str, Collection[str]]


class Cluster:
    """What a process knows of the others. It meets them once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._meetings = 0
        self._heard: dict[tuple[str, int], int] = {}  # at which meeting each one's last beat was there first
        self._told: Lines | None = None  # to the others, at the last beat of our own
        self._told_at = 0

    async def heartbeat(self, own: Lines) -> Elsewhere:
        """Tell the others who follows each table here, and hear who does there. Raises StoreError.

        Nobody is told where there is nobody to tell: a process that is alone says that it is there, and no more.
        """
        self._meetings += 1
        found = await self._store.peers()
        self._heard = {(other.id, other.beat): self._heard.get((other.id, other.beat), self._meetings) for other in found}
        gone = [other.id for other in found if self._meetings - self._heard[other.id, other.beat] >= _SILENT]
        there = [other for other in found if other.id not in gone]
        lines = own if there else {}
        if gone or lines != self._told or self._meetings - self._told_at >= _BEAT:
            await self._store.beat(self._meetings, lines, gone)
            self._told, self._told_at = lines, self._meetings
        elsewhere: dict[str, set[str]] = {}
        for other in there:
            for table, people in other.lines.items():
                elsewhere.setdefault(table, set()).update(people)
        return elsewhere
