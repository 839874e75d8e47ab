"""The executor of each game's search. Until one has prepared it the search runs plain, so that no turn waits for the compiler."""

from __future__ import annotations

from typing import Any

from mekuri.bots.search.flat import COUNTED, HONEST, STATES, WHOLE, try_out
from mekuri.engine.bot import Bot
from mekuri.engine.contract import LAST_WORD, Contract
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor

_ready: dict[tuple[Contract, Bot], Executor] = {}


def executor(contract: Contract, bot: Bot) -> Executor:
    """Return the executor that runs the search (`flat.try_out`) of a game: PLAIN until the search has been prepared for another.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out.
    """
    return _ready.get((contract, bot), PLAIN)


def prepare(contract: Contract, bot: Bot, run: Executor = MACHINE_CODE) -> None:
    """Compile the search of a game, or load it from the cache on disk; `executor` returns its executor from then on.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out; its choice must be rules text.
        run: the executor.

    Raises:
        ImportError: Numba is not installed, or an instance of WebAssembly does not have the search.
    """
    run.prepare(*example(contract, bot, run))
    use(contract, bot, run)


def use(contract: Contract, bot: Bot, run: Executor) -> None:
    """Have an executor that is prepared run the search of a game from now on."""
    _ready[contract, bot] = run


def example(contract: Contract, bot: Bot, run: Executor) -> tuple[Any, ...]:
    """Return the entry of the search, and arguments of the types that it has for a game and the bot that plays rounds out."""
    states, none = run.states(contract, STATES + bot.states), run.states(contract, 0)
    chance, luck, tally, empty = (run.zeros(n) for n in (4, 8, COUNTED * (LAST_WORD + 1), 0))
    rows = chance, luck, run.bot(bot), tally, none, empty, chance, empty, none
    return try_out, states, 0, 0, HONEST, WHOLE, 0, *rows
