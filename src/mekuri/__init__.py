"""Mekuri: traditional Japanese card games, with rules that run as plain Python and as machine code.

Examples:
    >>> import mekuri
    >>> game = mekuri.game("tensho", yaku_set="two")
    >>> round = game.deal(seed=7)
    >>> round.waiting, round.legal
    ((0,), ('left', 'right'))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mekuri.cards import NotationError
    from mekuri.engine.env import Vector
    from mekuri.engine.errors import (
        IllegalAction,
        MekuriError,
        OptionError,
        PositionError,
        RecordError,
        UnfinishedGame,
        UnknownGame,
    )
    from mekuri.lab.vector import evaluate, vector
    from mekuri.match.game import Game, game
    from mekuri.match.match import Match
    from mekuri.match.record import Record
    from mekuri.match.replay import OlderVersion, replay
    from mekuri.match.round import Round
    from mekuri.match.view import Sheet, View

__version__ = "0.2.0"

__all__ = [
    "Game",
    "IllegalAction",
    "Match",
    "MekuriError",
    "NotationError",
    "OlderVersion",
    "OptionError",
    "PositionError",
    "Record",
    "RecordError",
    "Round",
    "Sheet",
    "UnfinishedGame",
    "UnknownGame",
    "Vector",
    "View",
    "evaluate",
    "game",
    "replay",
    "vector",
]

# The module that defines each public name. `import mekuri` imports none of these modules; the first use of a name does.
_HOMES = {
    "cards": ("NotationError",),
    "engine.errors": (
        "IllegalAction",
        "MekuriError",
        "OptionError",
        "PositionError",
        "RecordError",
        "UnfinishedGame",
        "UnknownGame",
    ),
    "engine.env": ("Vector",),
    "lab.vector": ("evaluate", "vector"),
    "match.game": ("Game", "game"),
    "match.match": ("Match",),
    "match.record": ("Record",),
    "match.replay": ("OlderVersion", "replay"),
    "match.round": ("Round",),
    "match.view": ("Sheet", "View"),
}
_PACKAGES = ("cards", "engine", "games", "match")  # attributes of `mekuri` without an import of their own

if not TYPE_CHECKING:  # a type checker would take every name for one that exists

    def __getattr__(name: str) -> object:
        """Import a public name or a package when it is first used."""
        if name in _PACKAGES:
            return import_module(f"{__name__}.{name}")
        for home, names in _HOMES.items():
            if name in names:
                globals()[name] = found = getattr(import_module(f"{__name__}.{home}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Return the names that exist before and after their first use, for completion in a shell."""
        return sorted({*globals(), *__all__, *_PACKAGES})
