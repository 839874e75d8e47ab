"""The compiled search of each game. Until it has been prepared the search runs plain, so that no turn waits for the compiler."""

from __future__ import annotations

from mekuri.bots.search.flat import COUNTED, HONEST, STATES, WHOLE, try_out
from mekuri.engine.bot import Bot
from mekuri.engine.contract import LAST_WORD, Contract
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor

_ready: set[tuple[Contract, Bot]] = set()


def executor(contract: Contract, bot: Bot) -> Executor:
    """Return the executor that runs the search (`flat.try_out`) of a game: PLAIN until its machine code has been prepared.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out.
    """
    return MACHINE_CODE if (contract, bot) in _ready else PLAIN


def prepare(contract: Contract, bot: Bot) -> None:
    """Compile the search of a game, or load it from the cache on disk; `executor` returns MACHINE_CODE from then on.

    Args:
        contract: the game's contract.
        bot: the bot that plays rounds out; its choice must be rules text.

    Raises:
        ImportError: Numba is not installed.
    """
    run = MACHINE_CODE
    states = run.states(contract, STATES + bot.states)
    chance, luck, tally = (run.zeros(n) for n in (4, 8, COUNTED * (LAST_WORD + 1)))
    rows = chance, luck, run.bot(bot), tally, states[:0], chance[:0], chance, chance[:0], states[:0]
    run.prepare(try_out, states, 0, 0, HONEST, WHOLE, 0, *rows)
    _ready.add((contract, bot))
