"""Messages of a game's lesson: the introduction of one minute, and the lesson's steps, which are called beats."""

from __future__ import annotations

import msgspec

from mekuri.protocol.table import Worth
from mekuri.protocol.view import Text, View

Words = dict[str, str]  # a text in every language; a card in braces, such as `{7I}`, stands for its name


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence of the introduction to a game.

    Attributes:
        says: the sentence.
        cards: the cards that it mentions, in notation.
        clauses: the ids of the clauses of the rule book that state the same.
    """

    says: Words
    cards: tuple[str, ...]
    clauses: tuple[str, ...]


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a round that is played for one reader, as in a lesson or a retry, and the reader's view after it.

    Attributes:
        seat: the seat that acted; 16 is the driver.
        action: the action in notation; null where the reader has not seen which it was.
        text: the text of the event.
        view: the round after it.
    """

    seat: int
    action: str | None
    text: Text
    view: View


class LessonAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A possible answer to a beat's question.

    Attributes:
        answer: an action or a card in notation, or a number.
        right: whether the answer is right.
        says: the comment on it; empty where there is none.
        events: the actions that follow it in the round.
    """

    answer: str
    right: bool
    says: Words
    events: tuple[Happening, ...]


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson.

    Attributes:
        id: the beat's id, within its lesson.
        says: the explanation.
        asks: the question; empty where there is none.
        kind: the kind of answer: `play` for an action, `point` for a card, `count` for a number; `tell` where nothing is asked.
        glow: the cards that are highlighted, in notation.
        places: the ids of the zones that are highlighted.
        clauses: the ids of the clauses of the rule book that state the same.
        view: the learner's view of the round. Its `refused` says why a card may not be played.
        answers: all possible answers.
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


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    """How the first page puts the first beat of a lesson before a newcomer.

    Attributes:
        says: the line below its question.
        next: the id of the beat at which the lesson goes on after it.
    """

    says: Words
    next: str


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
