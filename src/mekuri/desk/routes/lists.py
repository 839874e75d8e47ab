"""The route of the lists of tables: those at which a guest may sit down, and the guest's own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec import Raw

from mekuri.desk.desk import Desk
from mekuri.desk.homes import at_home
from mekuri.desk.live_table import LiveTable
from mekuri.desk.route import Visitor
from mekuri.desk.work import metered
from mekuri.table import commands
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.showing import owed_by
from mekuri.table.table import Table
from mekuri.table.time import time_limit

_PATIENCE = 2.0  # seconds after which a table is left out of a list, as its home does not answer; clients wait longer
_NOT_LISTED = {"no-such-table", "no-such-game", "newer", "daily-sealed"}  # errors of tables that no list can have
_NEWEST = 20  # the most tables of a guest in one list
_NEVER = 1 << 62
_DUE = 50  # the most tables of a guest in that list that are played turn by turn and wait for a player

Entry = tuple[int, bytes]
"""A table in a list: until when the guest owes something there, in milliseconds since the epoch, and the table as JSON."""


async def list_tables(desk: Desk, who: Visitor) -> bytes:
    """Return the public tables with a free seat for you, and your tables in progress."""
    free, _ = await _entries(desk, await desk.lobby.listed(), who.id, True)
    own, unanswered = await _own(desk, who.id) if who.id else ([], 0)
    lists = {"open": [Raw(body) for _, body in free], "yours": [Raw(body) for _, body in own], "unanswered": unanswered}
    return msgspec.json.encode(lists)


@partial(at_home, unfollowed=True)  # lists would end the streams of all tables
async def listed(desk: Desk, id: str, person: str | None, free: bool) -> Entry | None:
    """Return a table as a guest sees it in a list.

    Args:
        desk: the desk.
        id: the table.
        person: the guest, who does not count as present for it; None for a spectator.
        free: whether it is the list of tables at which the guest may sit down, and not of those at which the guest sits.

    Returns:
        Until when the guest owes something there, in milliseconds since the epoch, and the table as JSON; None where it does not
        belong into the list.
    """

    def find(live: LiveTable, table: Table) -> Entry | None:
        seat = seat_of(table, person)
        may_sit = table.state == "open" and seat is None and bool(commands.free_seats(table, person, desk.time.now()))
        if not (may_sit if free else seat is not None):
            return None
        owed = owed_by(table, seat) if seat is not None else None
        return (owed.until if owed else _NEVER), live.whole(seat)

    return await desk.tables.read(id, find, asker=person)


async def _own(desk: Desk, person: str) -> tuple[list[Entry], int]:
    """Return a guest's tables, those first that wait for the guest, and how many have not answered."""
    newest = await desk.store.of_person(person, ("open", "running"), _NEWEST)
    due = await desk.store.due_of_person(person, _DUE)  # none of these is left out, however old it is
    found, unanswered = await _entries(desk, list(dict.fromkeys([*newest, *due])), person, False)
    return sorted(found, key=lambda one: one[0]), unanswered


async def _entries(desk: Desk, ids: Sequence[str], person: str | None, free: bool) -> tuple[list[Entry], int]:
    """Return those of some tables that belong into a list, and how many of the tables have not answered in time.

    A table whose home does not answer holds up none of the others.
    """
    unanswered = 0

    async def entry(id: str) -> Entry | None:
        nonlocal unanswered
        try:
            async with time_limit(desk.time, _PATIENCE):
                return await metered(listed(desk, id, person, free))
        except ProblemError as error:
            unanswered += error.problem.error not in _NOT_LISTED
        except TimeoutError:
            unanswered += 1
        return None

    return [one for one in await asyncio.gather(*map(entry, ids)) if one], unanswered
