"""A table that is being played: one command at a time, its bots' turns, its window, and the log that is the truth.

Whatever happens is written before anybody is told. Where another process was first to write, the table is read again and the same
is tried on it as it now stands. A session starts no thread: where its bots think is given to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from mekuri.engine.errors import MekuriError
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, Log, LogError, NewMatch
from mekuri.table.release import Release, Sleep
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks

T = TypeVar("T")

_log = logging.getLogger("mekuri.table")
_TRIES = 20  # at a table at which other processes keep being first


class Closed(MekuriError):
    """A session has ended: begin another for its table."""


@dataclass(frozen=True)
class Context:
    """What sessions work with.

    Attributes:
        log: where tables are kept.
        clock: what says the time, in milliseconds since 1970.
        load: reads a table from the log. Raises ProblemError where there is none.
        choose: what a bot does, or another for it.
        tasks: what is being done.
        pace: how many seconds others wait for a bot's answer at least.
        thinking: how many seconds a bot may think.
        sleep: what waits for so many seconds.
    """

    log: Log
    clock: Callable[[], int]
    load: Callable[[str], Awaitable[Table]]
    choose: Callable[[Turn], Awaitable[Answer]]
    tasks: Tasks
    pace: float = 0
    thinking: float = 0
    sleep: Sleep = asyncio.sleep


class Session:
    """A table over its log.

    Attributes:
        id: of the table.
        table: the table; None until it has been read from the log. What is not in the log yet is seen by nobody else.
        lock: held by whoever reads or changes the table.
        bots: the task that plays its bots; None while none owes a turn.
        window: the timer that closes its window.
        closed: whether it has ended: the log has no such table, or it has been put away.
    """

    def __init__(self, id: str, context: Context) -> None:
        self.id = id
        self.table: Table | None = None
        self.lock = asyncio.Lock()
        self.bots: asyncio.Task[None] | None = None
        self.window: asyncio.TimerHandle | None = None
        self.closed = False
        self._context = context
        self._release = Release(context.clock, context.pace, context.thinking, context.sleep)
        self._stopped = False

    @property
    def busy(self) -> bool:
        """Whether something goes on at the table just now."""
        return bool(self.bots or self.window or self.lock.locked())

    def stop(self) -> None:
        """Begin no more bots' turns, and close no window; whoever reads the log next does."""
        self._stopped = True
        if self.bots:
            self.bots.cancel()
        if self.window:
            self.window.cancel()

    # --- Doing ---

    async def do(self, command: Callable[[Table, int], T]) -> T:
        """Do something at the table: when this returns it is in the log, and everybody has been told.

        It is done whole, or not at all, even where whoever asked goes away. Raises Closed where the session has ended.
        """
        return await self._context.tasks.do(self._do(command))

    async def read(self, look: Callable[[Table], T]) -> T:
        """Look at the table as the log has it. Raises Closed where the session has ended."""
        async with self.held() as table:
            return look(table)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Table]:
        """The table, with its lock held. Raises Closed where the session has ended."""
        async with self.lock:
            if self.closed:
                raise Closed("this table is not kept here any more")
            yield await self.open() if self.table is None else self.table

    async def open(self) -> Table:
        """Read the table from the log, in place of the one in memory. Called with the lock held."""
        self.table = None
        try:
            table = await self._context.load(self.id)
        except ProblemError:
            self.closed = True
            raise
        self.exchange(table)
        self.wake(table)
        return table

    async def _do(self, command: Callable[[Table, int], T]) -> T:
        for _ in range(_TRIES):
            async with self.held() as table:
                try:
                    result = command(table, self._context.clock())
                    await self._write(table)
                except ProblemError:
                    if table.fresh:
                        self.table = None
                    raise
                except BaseException as error:
                    # What the table in memory is now, nobody knows; the log does.
                    self.table = None
                    if isinstance(error, Conflict):
                        continue
                    if isinstance(error, LogError):
                        _log.error("%s", error)
                        raise ProblemError(error.refusal) from error
                    raise
                self.tell(table)
                self.wake(table)
                return result
        raise ProblemError("busy")

    async def _write(self, table: Table) -> None:
        if table.fresh:
            due = commands.bot_due(table, self._context.clock()) is not None
            founded = new_match(table.founded) if table.founded else None
            await self._context.log.append(self.id, table.fresh, table.state, due, founded, table.lone)
            table.fresh, table.founded = [], None

    # --- Telling ---

    def exchange(self, table: Table) -> None:
        """Put the table, read again from the log, in place of the one in memory."""
        self.table = table

    def tell(self, table: Table) -> None:
        """Tell everybody what has happened, now that the log has it."""
        table.history.pending.clear()

    # --- Bots and windows ---

    def wake(self, table: Table) -> None:
        """See to the bots that owe a turn, and to the window that is open."""
        if self.bots is None and not self._stopped and commands.bot_due(table, self._context.clock()) is not None:
            self.bots = asyncio.create_task(self._play_bots())
        if self.window:
            self.window.cancel()
            self.window = None
        if table.closes is not None and commands.silent(table) and not self._stopped:
            wait = max(0, table.closes - self._context.clock()) / 1000
            self.window = asyncio.get_running_loop().call_later(wait, lambda: self._context.tasks.begin(self._close_window()))

    async def _play_bots(self) -> None:
        """Play the bots until none owes a turn. While they think, the table is free for everybody else."""
        try:
            while not self._stopped:
                turn = await self.read(self._begin_turn)
                if turn is None:
                    return
                answer = await self._context.choose(turn)
                if await self.read(partial(commands.seen_by_others, turn=turn, answer=answer)):
                    await self._release.wait(turn.seat)
                await self.do(partial(commands.bot_answer, turn=turn, action=answer.action, bot=answer.bot))
        except (ProblemError, LogError, Closed) as error:
            _log.warning("A bot's turn is put off: %s", error)
        finally:
            self.bots = None

    def _begin_turn(self, table: Table) -> Turn | None:
        turn = commands.bot_turn(table, self._context.clock())
        if turn:
            self._release.begin(table.rounds, table.version(None))
        return turn

    async def _close_window(self) -> None:
        try:
            await self._do(commands.close_window)
        except (ProblemError, LogError, Closed) as error:
            _log.error("A window is not closed yet: %s", error)
        except Exception:
            _log.exception("A window is not closed")


def new_match(table: Table) -> NewMatch:
    """A table that the log does not have yet."""
    maker = table.fresh[0].person
    due = commands.bot_due(table, table.changed_at) is not None
    return NewMatch(table.id, table.game.id, table.root, maker, table.public, table.fresh, table.state, due, table.lone)
