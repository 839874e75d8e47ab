"""What every game must pass: checks of a game, each a function that raises CheckFailure where the game does not.

They need neither pytest nor a clone of Mekuri.
"""

from mekuri.testing.failure import CheckFailure, LeftOut

__all__ = ["CheckFailure", "LeftOut"]
