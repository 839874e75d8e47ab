"""A pool of threads and processes in which bots choose their actions, so that a slow bot delays only its own table.

Mekuri's own bots and the bots of a game's package run in threads. Bots of other distributions run in processes, which can be ended.
No other module of `table` uses threads or processes.
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
_log.addHandler(logging.NullHandler())  # without a handler, Python would print to the terminal in which the table is drawn
# Bots that may run in threads at the same time. Python runs one thread at a time, so each of them slows the server's answers.
_AT_ONCE = 4
_WAITING = 64  # threads that wait for bots in other processes
_PLAYOUTS = 1000  # per turn; more do not make a bot stronger (docs/bots.md)
LIMIT = 5.0  # the default time limit of a bot's turn, in seconds


class BotPool:
    """A pool of threads and processes in which bots choose actions.

    Args:
        limit: the seconds after which a turn of a bot of another distribution is ended. The budget given to it is half of that.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bot")
        self._waiting = ThreadPoolExecutor(_WAITING, thread_name_prefix="bot apart")
        self._apart = Apart(limit)
        self._budget = Budget(_PLAYOUTS, int(limit * 500))

    async def choose(self, turn: Turn) -> Answer:
        """Return the action that a bot chooses, and the name of the bot that has chosen it.

        If the bot fails, the game's usual bot chooses in its place, and after that the other rule bots, so that the table does not
        stop. If all of them fail, the error of the last bot is raised.
        """
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
        if not any(bot.id == turn.bot and bot.plays(turn.hidden.contract.id) for bot in installed()):
            raise Failed("is not installed here, or does not play this game")
        return self._apart.choose(turn.bot, turn.seen, stream(turn.seed, "bot"), self._budget)

    def close(self) -> None:
        """Start no more turns, and end the processes of bots."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._apart.close()
