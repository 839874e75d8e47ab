"""Rounds that machine code plays and counts; and tests without the machine code of bots, which is compiled in the background."""

from typing import Any

import pytest

import mekuri
from mekuri.bots import precompile
from mekuri.engine.chance import stream
from mekuri.engine.entry import Entry
from mekuri.table import reviewing
from mekuri.testing.states import int64s, records


def without_machine_code(patch: pytest.MonkeyPatch) -> None:
    """Prevent compilation during a test, and the use of machine code that an earlier test began in this process."""
    patch.setattr(precompile, "begin", lambda *_: None)
    patch.setattr(precompile, "begin_solver", lambda *_: None)
    patch.setattr(precompile, "making", lambda contract: False)
    patch.setattr(reviewing, "prepared", lambda contract: False)


def counted(entry: Entry[Any, None], game: mekuri.Game, size: int, rounds: int, seed: int, *more: int) -> list[int]:
    """Return the counts, `size` of them, that compiled code makes of random rounds.

    Args:
        entry: the code. It takes three states, the first at the start of a round, the key and the state of chance, the number of
            rounds, then `more`, and the counts.
        game: the game.
        size: the number of counts.
        rounds: the number of rounds.
        seed: the seed of the rounds, and of who deals.
        more: more arguments of the code.
    """
    counts = int64s(*[0] * size)
    entry.compiled(records(game, 3, seed % game.seats), int64s(*stream(seed)), int64s(0, 0, 0, 0), rounds, *more, counts)
    return [int(n) for n in counts]
