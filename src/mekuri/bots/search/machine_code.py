"""The compiled search of each game. Until it has been prepared the search runs plain, so that no turn waits for the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri.bots.search.flat import COUNTED, HONEST, STATES, WHOLE, try_out
from mekuri.bots.workspace import workspace
from mekuri.engine.bot import Bot
from mekuri.engine.contract import LAST_WORD, Contract

_ready: set[tuple[Contract, Bot]] = set()


def ready(contract: Contract, bot: Bot) -> Callable[..., Any] | None:
    """Return the compiled search (`flat.try_out`) of a game; None where it has not been prepared.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out.
    """
    return try_out.prepared if (contract, bot) in _ready else None


def prepare(contract: Contract, bot: Bot) -> None:
    """Compile the search of a game, or load it from the cache on disk; `ready` returns it from then on.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out; its choice must be rules text.

    Raises:
        ImportError: Numba is not installed.
    """
    import numpy as np

    from mekuri.engine import numba_backend

    states = workspace(contract, STATES + bot.states, compiled=True)
    chance, luck, tally = (np.zeros(n, np.int64) for n in (4, 8, COUNTED * (LAST_WORD + 1)))
    rows = chance, luck, numba_backend.bot_record(bot), tally, states[:0], chance[:0], chance, chance[:0], states[:0]
    try_out.prepare(states, 0, 0, HONEST, WHOLE, 0, *rows)
    _ready.add((contract, bot))
