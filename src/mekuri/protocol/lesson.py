"""The message of a game's lesson: its steps, which are called beats, are played through once and cached."""

from __future__ import annotations

from functools import cache

import msgspec

from mekuri import bots
from mekuri.engine import lesson as written
from mekuri.engine.contract import Contract, Worth
from mekuri.engine.lesson import Scene, Welcome, preset_of
from mekuri.match.lesson import Beat, lesson_game, play_lesson
from mekuri.protocol.library import worths


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """The lesson of a game. It holds only what one seat may know, of positions that are set up by hand.

    Attributes:
        game: the game's name.
        version: the version of the ruleset.
        preset: the preset of the lesson, and of a first match after it.
        seats: the number of seats in the lesson.
        opponent: the id of the weakest bot, for a first match.
        minute: the introduction to the game, of one minute.
        beats: the steps of the lesson, in order.
        cards: the worth of every card in play, by its notation.
        welcome: how the first page begins with the first beat; null where it does not.
    """

    game: str
    version: int
    preset: str
    seats: int
    opponent: str
    minute: tuple[Scene, ...]
    beats: tuple[Beat, ...]
    cards: dict[str, Worth]
    welcome: Welcome | None = None


@cache
def lesson(contract: Contract) -> Lesson | None:
    """Return the lesson of a game; None where it has none. Raises LessonError where the lesson cannot be played."""
    taught = written.lesson(contract)
    if taught is None:
        return None
    game = lesson_game(contract, taught)
    return Lesson(
        game=contract.id,
        version=contract.version,
        preset=preset_of(contract),
        seats=game.seats,
        opponent=bots.weakest(contract),
        minute=taught.minute,
        beats=play_lesson(contract),
        cards=worths("", game).cards,
        welcome=taught.welcome,
    )
