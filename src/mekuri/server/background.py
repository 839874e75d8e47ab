"""Background tasks: bots of restarted servers are woken, other processes' rows are followed, and unused tables are closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from functools import partial

from mekuri import games
from mekuri.server.admin import DAY_MS
from mekuri.server.guests import Guests
from mekuri.server.live_table import LiveTable
from mekuri.server.loading import Waiting
from mekuri.server.store import StoreError
from mekuri.server.table_registry import TableRegistry
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.table import Table

_log = logging.getLogger("mekuri.server")
_NEWS = 0.25  # seconds between two polls for rows of other processes
_SWEEP = 1.0  # seconds between two sweeps
_AT_ONCE = 100  # tables that one sweep closes
_FEW = 10  # matches that one sweep deletes
_FORGOTTEN_MS = 5_000  # after which a bot's turn that no process computes is resumed


async def wake_bots(tables: TableRegistry) -> None:
    """Load the matches in which a bot has to move, so that it moves. All other tables are loaded when they are requested."""
    for id in await tables.store.bots_due(tables.clock() + 1):
        await tables.cache.visit(id)


async def follow_log(tables: TableRegistry, guests: Guests, place: int, people_place: int, acts_place: int) -> None:
    """Poll the database four times a second for changes by other processes and by `mekuri admin`, and apply them. Never returns.

    Args:
        tables: all tables.
        guests: all guests.
        place: the position in the log to begin after, see `Store.place`.
        people_place: the position in the changes of guests.
        acts_place: the position in the administrative acts.
    """
    changed: set[str] = set()  # changed guests whose tables are not updated yet
    while True:
        await asyncio.sleep(_NEWS)
        try:
            people_place, others = await tables.store.people_news(people_place)
            changed |= others
            if changed:
                await guests.heard_of(changed)
                changed = set()
            for act in await tables.store.acts(acts_place):
                await tables.heard_act(act)
                acts_place = act.id
            place, news = await tables.store.news(place)
        except StoreError as error:
            _log.error("What other processes have written is not known: %s", error)
            continue
        except Exception:
            _log.exception("What other processes have written cannot be told")
            continue
        for id, rows in news.items():
            try:
                await tables.cache.catch_up(id, rows)
            except Exception:
                _log.exception("What other processes have written at a table cannot be told")


async def sweep(tables: TableRegistry) -> None:
    """Run `sweep_once` every second. Never returns; errors are logged."""
    while True:
        await asyncio.sleep(_SWEEP)
        try:
            await sweep_once(tables)
        except Exception:
            _log.exception("A sweep was broken off")


async def sweep_once(tables: TableRegistry) -> None:
    """Do the periodic work once.

    It sends a heartbeat, resumes bot turns that no process computes, does what was agreed where a term has passed, closes tables
    that nobody uses, deletes old matches, gives seats of absent people to bots and back, evicts idle tables, and draws the deals of
    the day.
    """
    await tables.streams.heartbeat()
    at = tables.clock()
    await tables.lobby.note(at)
    for id in await tables.store.bots_due(at - _FORGOTTEN_MS):
        await tables.cache.visit(id)
    for id in await tables.store.overdue(at, games.names(), _AT_ONCE):
        await _tend(tables.cache.do(id, None, commands.pass_term))
    for id in await _unneeded(tables, at):
        await _tend(tables.cache.do(id, None, commands.abandon))
    await _prune(tables, at)
    for live in list(tables.cache.live_tables.values()):
        await _tend(_look_after(tables, live, at))
    await tables.daily.keep()


async def _prune(tables: TableRegistry, at: int) -> None:
    """Delete a few of the matches that are past their retention, each in transactions of its own, so that no move waits long."""
    if tables.settings.retention:
        found = await tables.store.old(at - round(tables.settings.retention * DAY_MS), _FEW)
        for id in found:
            await tables.store.remove(id)
        if found:
            await tables.put_away_deleted()
            _log.info("Retention: matches deleted: %d", len(found))


async def _unneeded(tables: TableRegistry, at: int) -> list[str]:
    """Return the tables that have been unused for longer than the settings allow."""
    store, settings = tables.store, tables.settings

    def since(seconds: float) -> int:
        return at - int(seconds * 1000)

    return [
        *await tables.lobby.unattended(at),
        *await store.unchanged("open", since(settings.unused), games.names(), _AT_ONCE),
        *await store.unfilled(since(settings.unfilled), games.names(), _AT_ONCE),
        *await store.unchanged("running", since(settings.forgotten), games.names(), _AT_ONCE),
        *await store.lone(since(settings.alone), games.names(), _AT_ONCE),
    ]


async def _look_after(tables: TableRegistry, live: LiveTable, at: int) -> None:
    if live.table is None and live.streams:
        await tables.cache.visit(live.id)  # a failed write has dropped it from memory: read it again
    # Another process may have given a seat to a bot before it heard that its person is connected here.
    await tables.streams.give_back(live)
    for person in live.forgotten():
        await tables.cache.do(live.id, None, partial(_leave, person))
    for seat in live.absent(at):
        await tables.cache.do(live.id, None, partial(commands.hold, seat=seat))
    if at - live.touched > tables.settings.idle * 1000:
        tables.cache.put_away(live)


def _leave(person: str, table: Table, at: int) -> None:
    commands.leave(table, person, at)


async def _tend(work: Awaitable[object]) -> None:
    """Await work at one table. Errors are logged, so that they do not keep the other tables from being looked after."""
    try:
        await work
    except Waiting:
        return
    except (ProblemError, StoreError) as error:
        _log.error("A table cannot be looked after: %s", error)
    except Exception:
        _log.exception("A table cannot be looked after")
