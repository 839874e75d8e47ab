"""The heartbeat between the processes that serve one log, by which each knows which people are connected to its peers.

Each process keeps one row in the database: a counter that changes with every heartbeat, and the people who follow each table there.
A peer whose counter has not changed for 15 rounds is dead, and the first process that notices deletes its row. No clocks are
compared: machines may disagree about the time, and a machine that slept finds its peers unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mekuri.server.store import Lines, Store

_BEAT = 5  # heartbeats after which a process writes its row even where nothing has changed
_SILENT = 15  # heartbeats after which a peer whose counter stays the same counts as dead

Elsewhere = Mapping[str, Collection[str]]


class Cluster:
    """The peers of this process, as its heartbeats have found them. `heartbeat` is called once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._meetings = 0
        self._heard: dict[tuple[str, int], int] = {}  # own heartbeat at which each peer's counter was first seen
        self._told: Lines | None = None  # what this process published last
        self._told_at = 0

    async def heartbeat(self, own: Lines) -> Elsewhere:
        """Publish who is connected to this process, and return who is connected to its peers.

        The row is written only if it has changed, or every fifth time. A process without peers publishes no people.

        Args:
            own: the people who follow each table at this process.

        Returns:
            The people who follow each table at other processes.

        Raises:
            StoreError: the database cannot be read or written.
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
