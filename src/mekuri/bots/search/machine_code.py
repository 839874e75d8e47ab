"""Whether a game's search runs as machine code yet. Until then it runs plain, so nobody waits for a compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri.bots.search.flat import COUNTED, HONEST, STATES, WHOLE, try_out
from mekuri.bots.workspace import workspace
from mekuri.engine.bot import Bot
from mekuri.engine.contract import LAST_WORD, Contract

_ready: set[tuple[Contract, Bot]] = set()


def ready(contract: Contract, bot: Bot) -> Callable[..., Any] | None:
    """The search of a game with a bot that plays out its rounds, compiled; None where it has not been prepared."""
    return try_out.prepared if (contract, bot) in _ready else None


def prepare(contract: Contract, bot: Bot) -> None:
    """Compile it, or load it from the cache on disk. Raises ImportError where Numba is missing."""
    import numpy as np

    from mekuri.engine import numba_backend

    states = workspace(contract, STATES + bot.states, compiled=True)
    chance, luck, tally = (np.zeros(n, np.int64) for n in (4, 8, COUNTED * (LAST_WORD + 1)))
    try_out.prepare(
        states, 0, 0, HONEST, WHOLE, 0, chance, luck, numba_backend.bot_record(bot), tally, states[:0], chance[:0], chance
    )
    _ready.add((contract, bot))
