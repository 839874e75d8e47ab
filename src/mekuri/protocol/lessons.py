"""Making the messages of lessons by playing the lessons through. Each message is made once and cached."""

from __future__ import annotations

from functools import cache

from mekuri import bots
from mekuri.cards import card_text
from mekuri.engine.contract import Contract
from mekuri.engine.lesson import lesson as written
from mekuri.engine.lesson import preset_of
from mekuri.engine.rulebook import Words
from mekuri.match.lesson import Answer, Taught, lesson_game, play_lesson
from mekuri.match.view import Event
from mekuri.match.view import View as Seen
from mekuri.protocol.lesson import Beat, Happening, Lesson, LessonAnswer, Scene, Welcome
from mekuri.protocol.library import worths
from mekuri.protocol.view import Ledger, View, text, view


@cache
def lesson(contract: Contract) -> Lesson | None:
    """Return the lesson of a game; None where it has none. Raises LessonError where the lesson cannot be played."""
    taught = written(contract)
    if taught is None:
        return None
    game = lesson_game(contract, taught)
    return Lesson(
        game=contract.id,
        version=contract.version,
        preset=preset_of(contract),
        seats=game.seats,
        opponent=bots.weakest(contract),
        minute=tuple(
            Scene(says=_words(scene.says), cards=tuple(map(card_text, scene.cards)), clauses=scene.clauses)
            for scene in taught.minute
        ),
        beats=tuple(map(_beat, play_lesson(contract))),
        cards=worths("", game).cards,
        welcome=Welcome(says=_words(taught.welcome.says), next=taught.welcome.next) if taught.welcome else None,
    )


def _words(words: Words) -> dict[str, str]:
    return dict(words)


def _beat(taught: Taught) -> Beat:
    beat = taught.beat
    kind = "play" if beat.play else "point" if beat.point else "count" if beat.count else "tell"
    return Beat(
        id=beat.id,
        says=_words(beat.says),
        asks=_words(beat.asks),
        kind=kind,
        glow=tuple(map(card_text, beat.glow)),
        places=beat.places,
        clauses=beat.clauses,
        view=_view(taught.view),
        answers=tuple(map(_answer, taught.answers)),
    )


def _answer(answer: Answer) -> LessonAnswer:
    events = tuple(map(_event, answer.events))
    return LessonAnswer(answer=answer.written, right=answer.right, says=_words(answer.says), events=events)


def _event(event: Event) -> Happening:
    return Happening(seat=event.seat, action=event.action, text=text(event.text), view=_view(event.view))


def _view(seen: Seen) -> View:
    """Return the message of a view. A lesson has no windows, and no accounts of a match."""
    return view(seen, seen.version, Ledger([], {}), None)
