"""The list of tables: those at which a guest may sit down, and the guest's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from mekuri.desk.lobby import Lobby
from mekuri.desk.stores import Stores
from mekuri.desk.work import metered
from mekuri.table.errors import ProblemError
from mekuri.table.time import time_limit

_PATIENCE = 2.0  # seconds after which a table is left out of a list, as its home does not answer; clients wait longer
_NOT_LISTED = {"no-such-table", "no-such-game", "newer", "daily-sealed"}  # errors of tables that no list can have
_NEWEST = 20  # the most tables of a guest in one list
_DUE = 50  # the most tables of a guest in that list that are played turn by turn and wait for somebody

Entry = tuple[int, bytes]
"""A table in a list: until when the guest owes something there, in milliseconds since the epoch, and the table as JSON."""


class TableLists:
    """Makes the lists of tables.

    Args:
        store: the log.
        lobby: chooses which open tables are listed.
        entry: returns a table as a guest sees it in a list, as `mekuri.desk.routes.tables.listed` does.
    """

    def __init__(
        self, store: Stores, lobby: Lobby, entry: Callable[[str, str | None, bool], Coroutine[Any, Any, Entry | None]]
    ) -> None:
        self._store = store
        self._lobby = lobby
        self._entry = entry

    async def told(self, person: str | None) -> bytes:
        """Return, as JSON, the listed tables at which a guest may sit down, and those at which the guest sits."""
        free, _ = await self._entries(await self._lobby.listed(), person, True)
        own, unanswered = await self._own(person) if person else ([], 0)
        told = {"open": [Raw(body) for _, body in free], "yours": [Raw(body) for _, body in own], "unanswered": unanswered}
        return msgspec.json.encode(told)

    async def _own(self, person: str) -> tuple[list[Entry], int]:
        """Return a guest's tables, those first that wait for the guest, and how many have not answered."""
        newest = await self._store.of_person(person, ("open", "running"), _NEWEST)
        due = await self._store.due_of_person(person, _DUE)  # none of these is left out, however old it is
        found, unanswered = await self._entries(list(dict.fromkeys([*newest, *due])), person, False)
        return sorted(found, key=lambda one: one[0]), unanswered

    async def _entries(self, ids: Sequence[str], person: str | None, free: bool) -> tuple[list[Entry], int]:
        """Return those of some tables that belong into a list, and how many of the tables have not answered in time.

        A table whose home does not answer holds up none of the others.
        """
        unanswered = 0

        async def entry(id: str) -> Entry | None:
            nonlocal unanswered
            try:
                async with time_limit(self._store.time, _PATIENCE):
                    return await metered(self._entry(id, person, free))
            except ProblemError as error:
                unanswered += error.problem.error not in _NOT_LISTED
            except TimeoutError:
                unanswered += 1
            return None

        return [one for one in await asyncio.gather(*map(entry, ids)) if one], unanswered
