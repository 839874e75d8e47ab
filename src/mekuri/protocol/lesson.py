"""What a server tells of how a game is learned: the game in one minute, and its lesson beat by beat."""

from __future__ import annotations

import msgspec

from mekuri.protocol.table import Worth
from mekuri.protocol.view import Text, View

Words = dict[str, str]  # a text in every language; a card in braces, such as `{7I}`, stands for its name


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One of the sentences that say in one minute what a game is.

    Attributes:
        says: the sentence.
        cards: those it speaks of, in notation.
        clauses: the clauses of the rule book that say so too.
    """

    says: Words
    cards: tuple[str, ...]
    clauses: tuple[str, ...]


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happens after a right answer, as the learner sees it.

    Attributes:
        seat: who did it; 16 is the driver.
        action: what was done, in notation; null where the learner may not know it.
        text: what a log says of it.
        view: the round after it.
    """

    seat: int
    action: str | None
    text: Text
    view: View


class LessonAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may be answered.

    Attributes:
        answer: an action or a card in notation, or a number.
        right: whether it is what was asked for.
        says: what is said of it; empty where nothing is.
        events: what then happens.
    """

    answer: str
    right: bool
    says: Words
    events: tuple[Happening, ...]


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson.

    Attributes:
        id: of the beat, within its lesson.
        says: what is told.
        asks: what is asked; empty where nothing is.
        kind: `play` for an action, `point` for a card, `count` for a number; `tell` where nothing is asked.
        glow: the cards that are pointed out, in notation.
        places: the zones that are pointed out, by their ids.
        clauses: the clauses of the rule book that say so too.
        view: what the learner sees. What may not be done, it says why.
        answers: all that may be answered.
    """

    id: str
    says: Words
    asks: Words
    kind: str
    glow: tuple[str, ...]
    places: tuple[str, ...]
    clauses: tuple[str, ...]
    view: View
    answers: tuple[LessonAnswer, ...]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is learned. Everything in it is what one seat may know of positions that are set up by hand.

    Attributes:
        game: the game's name.
        version: of the ruleset.
        preset: that of the lesson, and of a first match.
        seats: how many play.
        opponent: the bot that is the weakest, for a first match.
        minute: the game in one minute.
        beats: the lesson.
        cards: what every card in play counts.
    """

    game: str
    version: int
    preset: str
    seats: int
    opponent: str
    minute: tuple[Scene, ...]
    beats: tuple[Beat, ...]
    cards: dict[str, Worth]
