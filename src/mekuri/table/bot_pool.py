"""Where bots think: beside the tables, so that a slow one keeps nobody waiting but those who wait for it.

Our own bots, and those that games bring, are rules text and think in threads here; all others in processes that can be ended. This
module needs threads and processes; nothing else in `table` does.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from mekuri.bots import OF_RULES, Budget, here, installed, precompile, usual
from mekuri.bots.apart import Apart, Failed
from mekuri.engine.chance import stream
from mekuri.engine.contract import legal
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn

_log = logging.getLogger("mekuri.table")
_log.addHandler(logging.NullHandler())  # in a terminal a line would be written across the table
# Bots that may think here at the same time. Python runs one thread at a time, so each takes its share from those who answer people.
_AT_ONCE = 4
_WAITING = 64  # threads that wait for bots in other processes
_PLAYOUTS = 1000  # more bring nothing (docs/bots.md)
LIMIT = 5.0  # seconds, where nobody has said otherwise


class BotPool:
    """The threads and processes in which bots think.

    Args:
        limit: how many seconds a bot of another distribution may think about one turn. Its budget ends at half of that.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bot")
        self._waiting = ThreadPoolExecutor(_WAITING, thread_name_prefix="bot apart")
        self._apart = Apart(limit)
        self._budget = Budget(_PLAYOUTS, int(limit * 500))

    async def choose(self, turn: Turn) -> Answer:
        """What a bot does. One that fails loses this turn to the usual bot, so that no table stands still."""
        bots = [*dict.fromkeys((turn.bot, usual(turn.hidden.contract), *OF_RULES))]
        while True:
            bot = bots.pop(0)
            try:
                return Answer(await self._ask(replace(turn, bot=bot)), bot)
            except Failed as failed:
                _log.error("The bot %s loses its turn: it %s", bot, failed)
                if not bots:
                    raise
            except Exception:
                _log.exception("The bot %s has failed", bot)
                if not bots:
                    raise

    async def _ask(self, turn: Turn) -> int:
        loop = asyncio.get_running_loop()
        bot = here(turn.bot, turn.hidden.contract)
        if bot is None:
            return await loop.run_in_executor(self._waiting, self._ask_apart, turn)
        precompile.begin(turn.hidden.contract, bot)
        action = await loop.run_in_executor(self._threads, commands.think, turn)
        if action < 0 or not legal(turn.hidden, turn.seat) >> action & 1:
            raise Failed("has chosen something that the rules forbid")
        return action

    def _ask_apart(self, turn: Turn) -> int:
        if not any(told.id == turn.bot and told.plays(turn.hidden.contract.id) for told in installed()):
            raise Failed("is not installed here, or does not play this game")
        return self._apart.choose(turn.bot, turn.seen, stream(turn.seed, "bot"), self._budget)

    def close(self) -> None:
        """Begin no more turns."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._apart.close()
