"""A session: a table in memory over its log. It executes commands one at a time, and runs the table's bots and timers.

Rows are written to the log before any viewer gets an event of them. If another process has written first, the session reads the
table again and repeats the command on it. A session starts no threads: its caller passes the function by which bots choose.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from mekuri.engine.errors import MekuriError
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, Log, LogError, Moved, NewMatch, Row
from mekuri.table.release import Release
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks
from mekuri.table.time import Time, Timer

T = TypeVar("T")

_log = logging.getLogger("mekuri.table")
_TRIES = 20  # how often a command is tried while other processes keep writing first


class Closed(MekuriError):
    """The session has ended; another one has to be made for its table."""


@dataclass(frozen=True)
class Context:
    """The log, the time and the functions that sessions share.

    Attributes:
        log: the log of tables.
        time: the clock, and the ways to wait for it.
        load: reads a table from the log by its id; raises ProblemError where there is none.
        choose: lets a bot, or another in its place, choose an action.
        tasks: the tasks that must not be broken off.
        pace: the shortest time that others wait for a bot's answer, in seconds.
        thinking: the longest time that a bot may think, in seconds.
    """

    log: Log
    time: Time
    load: Callable[[str], Awaitable[Table]]
    choose: Callable[[Turn], Awaitable[Answer]]
    tasks: Tasks
    pace: float = 0
    thinking: float = 0


class Session:
    """A table in memory over its log.

    Attributes:
        id: the table's id.
        table: the table; None until it has been read from the log, and after an error.
        lock: held while the table is read or changed.
        bots: the task that plays the table's bots; None while no bot owes a turn.
        window: the timer that closes the table's window; None while no window is open.
        closed: whether the session has ended: the log has no such table, or the table was unloaded.
    """

    def __init__(self, id: str, context: Context) -> None:
        self.id = id
        self.table: Table | None = None
        self.lock = asyncio.Lock()
        self.bots: asyncio.Task[None] | None = None
        self.window: Timer | None = None
        self.closed = False
        self._context = context
        self._release = Release(context.time, context.pace, context.thinking)
        self._stopped = False

    @property
    def busy(self) -> bool:
        """Whether a bot is playing, a window is open, or the table is being read or changed."""
        return bool(self.bots or self.window or self.lock.locked())

    def stop(self) -> None:
        """Cancel the bots' turns and the window's timer; the next session of this table starts them again."""
        self._stopped = True
        if self.bots:
            self.bots.cancel()
        if self.window:
            self.window.cancel()

    # --- Doing ---

    async def do(self, command: Callable[[Table, int], T]) -> T:
        """Execute a command on the table. When this returns, its rows are in the log and its events have been sent.

        It is done whole or not at all, even where the caller is cancelled.

        Args:
            command: is called with the table and the time, in milliseconds since 1970; again if another process wrote first.

        Returns:
            The result of the command.

        Raises:
            ProblemError: the command was refused, or the log cannot be written.
            Closed: the session has ended.
        """
        return await self._context.tasks.do(self._do(command))

    async def read(self, look: Callable[[Table], T]) -> T:
        """Return what a function that changes nothing returns for the table. Raises Closed where the session has ended."""
        async with self.held() as table:
            return look(table)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Table]:
        """A context manager that gives the table with its lock held. Raises Closed where the session has ended."""
        async with self.lock:
            if self.closed:
                raise Closed("this table is not kept here any more")
            yield await self.open() if self.table is None else self.table

    async def open(self) -> Table:
        """Read the table from the log, in place of the one in memory. The caller must hold the lock.

        Raises ProblemError where the log has no such table; then the session has ended.
        """
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
                    result = command(table, self._context.time.now())
                    await self._write(table)
                except ProblemError:
                    if table.fresh:
                        self.table = None
                    raise
                except BaseException as error:
                    # The table in memory may be half changed: it is read again from the log.
                    self.table = None
                    if isinstance(error, Moved):
                        self.closed = True
                        raise Closed("this table is kept by another process now") from error
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
            due = commands.bot_due(table, self._context.time.now()) is not None
            founded = new_match(table.founded) if table.founded else None
            rows = table.fresh
            await self._context.log.append(self.id, rows, table.state, due, founded, table.lone, commands.due_at(table))
            table.fresh, table.founded = [], None
            self.written(table, rows)

    # --- Telling ---

    def exchange(self, table: Table) -> None:
        """Replace the table in memory by one that was read from the log. A subclass may carry its viewers over."""
        self.table = table

    def tell(self, table: Table) -> None:
        """Send the pending events, whose rows are in the log. This class only drops them: a subclass sends them."""
        table.history.pending.clear()

    def written(self, table: Table, rows: Sequence[Row]) -> None:
        """Note that this process has written rows of the table. This class does nothing; a subclass may notify the players."""

    # --- Bots and windows ---

    def wake(self, table: Table) -> None:
        """Start the task of bots that owe a turn, and set the timer of the open window."""
        if self.bots is None and not self._stopped and commands.bot_due(table, self._context.time.now()) is not None:
            self.bots = asyncio.create_task(self._play_bots())
        if self.window:
            self.window.cancel()
            self.window = None
        # A window that is open for days has no timer: its end is found in the log when the term passes.
        if table.closes is not None and not table.history.source.untimed and commands.silent(table) and not self._stopped:
            wait = max(0, table.closes - self._context.time.now()) / 1000
            self.window = self._context.time.call_later(wait, lambda: self._context.tasks.begin(self._close_window()))

    async def _play_bots(self) -> None:
        """Play the bots until none owes a turn. The lock is not held while a bot chooses."""
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
        turn = commands.bot_turn(table, self._context.time.now())
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
    """Return the match to be added to the log for a new table, all of whose rows are fresh."""
    maker = table.fresh[0].person
    due = commands.bot_due(table, table.changed_at) is not None
    return NewMatch(
        table.id,
        table.game.id,
        table.root,
        maker,
        table.public,
        table.fresh,
        table.state,
        due,
        table.lone,
        term=table.history.source.term,
        due_at=commands.due_at(table),
    )
