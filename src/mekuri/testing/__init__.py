"""Checks that every game must pass: functions that raise CheckFailure where a game does not.

They need neither pytest nor a clone of Mekuri. `mekuri check GAME` runs all of them on an installed game, and so does `check_game`.

Examples:
    >>> from mekuri.testing import check_game
    >>> check_game("mushi")  # doctest: +SKIP
"""

from mekuri.testing.checks import check_game, run
from mekuri.testing.failure import CheckFailure, LeftOut

__all__ = ["CheckFailure", "LeftOut", "check_game", "run"]
