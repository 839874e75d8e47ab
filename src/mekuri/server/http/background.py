"""Background tasks: bots are woken, what others write is followed, and unused tables are closed."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from mekuri import games
from mekuri.desk.homes import NotHere
from mekuri.desk.live_table import LiveTable
from mekuri.desk.loading import Waiting
from mekuri.server.guests.visitors import Visitors
from mekuri.server.ops.admin import DAY_MS
from mekuri.server.storage.moderation import NEW_ID
from mekuri.server.storage.store import StoreError
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.log import State
from mekuri.table.table import Table

_log = logging.getLogger("mekuri.server")
_SWEEP = 1.0  # seconds between two sweeps
_TIDY = 10  # sweeps between two that tidy up
_AT_ONCE = 100  # tables of one query
_ENDED, _ENDED_LEAST = 0.05, 10  # the share of the tables in a state that are ended until the next tidying, and the least number
_FEW = 10  # matches that one sweep deletes
_FORGOTTEN_MS = 5_000  # after which a bot's turn that no process computes is resumed


async def wake_bots(desk: ServerDesk) -> None:
    """Load the matches in which a bot has to move, so that it moves. All other tables are loaded when they are requested."""
    await desk.peers.bury_dead()
    for id in await desk.store.bots_due(desk.time.now() + 1):
        await desk.tables.visit(id)


class Feeds:
    """Follows what other processes and `mekuri admin` write: changes of guests, acts, and tables of which this is the home.

    Each is a feed in the database, read from the position of the last read. In PostgreSQL a write wakes all processes. In SQLite
    the feeds are read four times a second.
    """

    def __init__(self, desk: ServerDesk, visitors: Visitors) -> None:
        self._desk = desk
        self._visitors = visitors
        self._people_place = self._acts_place = self._tables_place = 0  # where each feed was read last
        self._changed: set[str] = set()  # changed guests whose tables are not updated yet

    async def begin(self) -> None:
        """Note where the feeds are now. Raises StoreError."""
        store = self._desk.store
        self._people_place, self._acts_place = await store.people_place(), await store.acts_place()
        self._tables_place = await store.table_news_place()

    async def follow(self) -> None:
        """Apply what is new. Never returns; errors are logged."""
        async with self._desk.store.wake_ups() as next_one:
            while True:
                await next_one()
                try:
                    await self._read()
                except StoreError as error:
                    _log.error("What other processes have written is not known: %s", error)
                except Exception:
                    _log.exception("News of other processes cannot be passed on")

    async def _read(self) -> None:
        desk, store = self._desk, self._desk.store
        self._people_place, others = await store.people_news(self._people_place)
        self._changed |= others
        if self._changed:
            await self._desk.refresh(self._changed)
            self._changed = set()
        for act in await store.acts(self._acts_place):
            await desk.apply(act)
            if act.kind == NEW_ID:
                await self._visitors.begin()
            self._acts_place = act.id
        self._tables_place, written = await store.table_news(self._tables_place)
        for id in written:
            await _tend(desk.tables.read_again(id))


class Endings:
    """Ends tables by the clock, of those in a state at most 5 %, or 10 where there are few.

    If the time is wrong in a way that no process can notice, most tables are still there when an operator looks.
    """

    def __init__(self, desk: ServerDesk) -> None:
        self._desk = desk
        self._left: dict[State, int] = {}  # how many more tables may be ended, by the state from which they are

    async def end(self, state: State, ids: Sequence[str], command: Callable[[Table, int], None]) -> None:
        """Run a command, which may end a table, at tables in a state, until as many are ended as may be."""
        if ids and state not in self._left:
            self._left[state] = max(_ENDED_LEAST, int(await self._desk.store.count(state) * _ENDED))
        for number, id in enumerate(ids):
            if not self._left[state]:
                waiting = len(ids) - number
                _log.error("Too many %s tables would end at once: %d or more wait. Is the clock right?", state, waiting)
                return
            await _tend(self._desk.tables.run(id, partial(self._run, state, command)))

    def _run(self, state: State, command: Callable[[Table, int], None], table: Table, at: int) -> None:
        was = table.state
        command(table, at)
        self._left[state] -= table.state != was


async def sweep(desk: ServerDesk) -> None:
    """Run `sweep_once` every second, and tidy up every tenth time. Never returns; errors are logged."""
    endings = Endings(desk)
    for number in itertools.count():
        await desk.time.sleep(_SWEEP)
        if tidy := number % _TIDY == 0:
            endings = Endings(desk)
        try:
            await sweep_once(desk, tidy, endings)
        except Exception:
            _log.exception("A sweep was broken off")


async def sweep_once(desk: ServerDesk, tidy: bool = True, endings: Endings | None = None) -> None:
    """Do the periodic work once. While the clock has leapt, nothing is decided by it: see `ClockWatch`.

    It resumes bot turns that no process computes, does what was agreed where a term has passed, gives seats of absent people to
    bots and back, and evicts idle desk. To tidy up is to close tables that nobody uses, to delete old matches and entries of the
    feeds, and to draw the deals of the day.
    """
    decides = await desk.clock_watch.look()
    at = desk.time.now()
    for id in await desk.store.bots_due(at - _FORGOTTEN_MS):
        await desk.tables.visit(id)
    if tidy:
        await desk.attendance.note()
    if decides:
        await _end_tables(desk, at, tidy, endings or Endings(desk))
    for live in list(desk.tables.live_tables.values()):
        await _tend(_look_after(desk, live, at, decides))
    desk.tables.put_away_surplus()
    if tidy and decides:
        await desk.daily.keep()
        await desk.store.delete_old_news()


async def _end_tables(desk: ServerDesk, at: int, tidy: bool, endings: Endings) -> None:
    """Do what was agreed where a term has passed, close tables that nobody uses, and delete old matches."""
    await endings.end("running", await desk.store.overdue(at, games.names(), _AT_ONCE), commands.pass_term)
    if tidy:
        for state, ids in (await _unneeded(desk, at)).items():
            await endings.end(state, ids, commands.abandon)
        await _prune(desk)


async def _prune(desk: ServerDesk) -> None:
    """Delete a few of the matches that are past their retention, each in transactions of its own, so that no move waits long."""
    if desk.settings.retention:
        found = await desk.store.old(await desk.store.ago(round(desk.settings.retention * DAY_MS)), _FEW)
        for id in found:
            await desk.store.remove(id)
        if found:
            await desk.put_away_deleted()
            _log.info("Retention: matches deleted: %d", len(found))


async def _unneeded(desk: ServerDesk, at: int) -> dict[State, list[str]]:
    """Return the tables that have been unused for longer than the settings allow, by their state."""
    store, settings = desk.store, desk.settings

    def since(seconds: float) -> int:
        return at - int(seconds * 1000)

    return {
        "open": [
            *await desk.attendance.unattended(at),
            *await store.unchanged("open", since(settings.unused), games.names(), _AT_ONCE),
            *await store.unfilled(since(settings.unfilled), games.names(), _AT_ONCE),
        ],
        "running": [
            *await store.unchanged("running", since(settings.forgotten), games.names(), _AT_ONCE),
            *await store.lone(since(settings.alone), games.names(), _AT_ONCE),
        ],
    }


async def _look_after(desk: ServerDesk, live: LiveTable, at: int, decides: bool) -> None:
    if live.table is None and live.streams:
        await desk.tables.visit(live.id)  # a failed write has dropped it from memory: read it again
    await desk.streams.give_back(live)  # where the table was read after its person had come
    for person in live.forgotten():
        await desk.tables.run(live.id, partial(_leave, person))
    live.publish_presence()  # time alone changes who may have a bot play
    for seat in live.absent(at) if decides else ():
        await desk.tables.run(live.id, partial(commands.hold, seat=seat))
    if at - live.touched > desk.settings.idle * 1000:
        desk.tables.put_away(live)


def _leave(person: str, table: Table, at: int) -> None:
    commands.leave(table, person, at)


async def _tend(work: Awaitable[object]) -> None:
    """Await work at one table. Errors are logged, so that they do not keep the other tables from being looked after."""
    try:
        await work
    except (Waiting, NotHere):
        return
    except (ProblemError, StoreError) as error:
        _log.error("A table cannot be looked after: %s", error)
    except Exception:
        _log.exception("A table cannot be looked after")
