"""Mekuri: six traditional Japanese card games and two side games, with rules that run as plain Python and as machine code.

Examples:
    >>> import mekuri
    >>> game = mekuri.game("tensho", yaku_set="two")
    >>> round = game.deal(seed=7)
    >>> round.waiting, round.legal
    ((0,), ('left', 'right'))
"""

from mekuri.cards import NotationError
from mekuri.engine.errors import IllegalAction, MekuriError, OptionError, PositionError, RecordError, UnfinishedGame, UnknownGame
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
    "View",
    "game",
    "replay",
]
