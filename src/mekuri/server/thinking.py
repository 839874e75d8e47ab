"""Where bots think: beside the tables, so that a slow one keeps nobody waiting but those who wait for it."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from mekuri.bots import NAMES, Bot
from mekuri.engine.contract import legal
from mekuri.table import commands
from mekuri.table.commands import Turn

_log = logging.getLogger("mekuri.server")
# Bots that may think at the same time. Python runs one thread at a time, so each takes its share from those who answer people.
_AT_ONCE = 4


class Thinkers:
    """The threads in which bots think."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bot")

    async def choose(self, turn: Turn) -> int:
        """What a bot chooses. One that fails is replaced for this turn by the simplest, so that no table stands still."""
        loop = asyncio.get_running_loop()
        try:
            action = await loop.run_in_executor(self._threads, commands.think, turn)
            if legal(turn.hidden, turn.seat) >> action & 1:
                return action
            _log.error("The bot %s chose something that the rules forbid", turn.bot)
        except Exception:
            _log.exception("The bot %s has failed", turn.bot)
        simple = replace(turn, bot=NAMES[0])
        return Bot(simple.bot, simple.seed).choose(simple.hidden, simple.seat)

    def close(self) -> None:
        """Begin no more turns."""
        self._threads.shutdown(wait=False, cancel_futures=True)
