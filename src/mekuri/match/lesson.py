"""Play lessons: the view of the learner at every beat, and the outcome of each answer by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mekuri.cards import Card, NotationError, card_text, each
from mekuri.engine import lesson as written
from mekuri.engine.contract import Contract, Zone
from mekuri.engine.errors import MekuriError
from mekuri.engine.lesson import FILE, Lesson, lesson, preset_of
from mekuri.engine.rulebook import Words
from mekuri.match.example import play_as_written
from mekuri.match.game import Game, make_game
from mekuri.match.round import Round
from mekuri.match.view import Happening, View


class LessonError(MekuriError):
    """A lesson cannot be played as it is written. The message names its file, the beat and the fault."""


@dataclass(frozen=True)
class LessonAnswer:
    """An answer that a learner may give.

    Attributes:
        answer: the action, card or number, as text.
        right: whether it is a right answer.
        says: the reaction to it, in every language.
        events: the events that follow, as the learner sees them; empty after a wrong answer.
    """

    answer: str
    right: bool
    says: Words
    events: tuple[Happening, ...]


@dataclass(frozen=True)
class Beat:
    """A beat of a lesson with its table.

    Attributes:
        id, says, asks, glow, places, clauses: as in the beat as it is written.
        kind: the kind of answer that is asked for: `play`, `point` or `count`; `tell` where nothing is asked.
        view: the learner's view; its `refused` says why other cards may not be played.
        answers: every answer that may be given, right or wrong.
    """

    id: str
    says: Words
    asks: Words
    kind: str
    glow: tuple[Card, ...]
    places: tuple[str, ...]
    clauses: tuple[str, ...]
    view: View
    answers: tuple[LessonAnswer, ...]


def lesson_game(contract: Contract, taught: Lesson) -> Game:
    """Return the game that a lesson teaches, with the lesson's preset and number of seats."""
    return make_game(contract, preset_of(contract), taught.seats, {})


def play_lesson(contract: Contract) -> tuple[Beat, ...]:
    """Play a game's lesson, each beat with its first right answer.

    Returns:
        Every beat with its view and answers; empty where the game has no lesson.

    Raises:
        LessonError: the lesson cannot be played as it is written.
    """
    taught = lesson(contract)
    return tuple(_beats(contract, taught)) if taught else ()


def _beats(contract: Contract, taught: Lesson) -> Iterator[Beat]:
    course = _Course(lesson_game(contract, taught), taught.seat)
    for beat in taught.beats:
        try:
            yield course.teach(beat)
        except (MekuriError, NotationError) as error:
            raise LessonError(f"{contract.folder / FILE} [beats {beat.id}] {error}") from error


class _Course:
    """The present stand of a lesson: a position, and the actions that have been played from it."""

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self._seat = seat
        self._position = ""
        self._played: tuple[str, ...] = ()

    def teach(self, beat: written.Beat) -> Beat:
        """Return a beat with its view and answers, and play its first right answer. Raises MekuriError where it is faulty."""
        if beat.position:
            self._position, self._played = beat.position, ()
        seen = self._round().view(self._seat)
        view = _shown(beat, seen)
        lying = {card_text(card) for zone in view.zones for card in zone.cards if card is not None}
        for card in map(card_text, beat.glow):
            if card not in lying:
                raise MekuriError(f"points out {card}, which the learner does not see there")
        for place in beat.places:
            if place not in {zone.id for zone in view.zones}:
                raise MekuriError(f"points out {place}: there are {', '.join(zone.id for zone in view.zones)}")
        answers = tuple(self._answers(beat, seen))
        if strange := beat.others.keys() - {answer.answer for answer in answers}:
            raise MekuriError(f"speaks of {', '.join(sorted(strange))}, which nobody can answer there")
        self._played += (*beat.play[:1], *beat.then)
        kind = "play" if beat.play else "point" if beat.point else "count" if beat.count else "tell"
        return Beat(beat.id, beat.says, beat.asks, kind, beat.glow, beat.places, beat.clauses, view, answers)

    def _round(self) -> Round:
        round = self._game.position(self._position)
        for action in self._played:
            play_as_written(round, action)
        return round

    def _answers(self, beat: written.Beat, view: View) -> Iterator[LessonAnswer]:
        right, offered = self._asked(beat, view)
        if beat.asks and not right:
            raise MekuriError("has no right answer")
        if strange := [answer for answer in right if answer not in offered]:
            raise MekuriError(f"takes {', '.join(strange)} for right, of {', '.join(offered)}")
        if not beat.wrong and set(offered) - set(right) - beat.others.keys():
            raise MekuriError("says nothing of wrong answers: write wrong = { ... }")
        for answer in offered:
            if answer in right:
                yield LessonAnswer(
                    answer, True, beat.others.get(answer, beat.right), self._events(beat, answer) if beat.play else ()
                )
            else:
                yield LessonAnswer(answer, False, beat.others.get(answer, beat.wrong), ())

    def _asked(self, beat: written.Beat, view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the right answers, and all answers that may be given."""
        if beat.play:
            return beat.play, tuple(option.action for option in view.legal)
        if beat.point:
            option = next((option for option in view.legal if option.action == beat.point), None)
            if option is None:
                raise MekuriError(f"asks what {beat.point} takes, which may not be played there")
            meant = tuple(map(card_text, each(option.takes | option.choices)))
            return meant, tuple(_beside(view.zones, meant))
        if beat.count:
            return (str(self._counted(beat, view)),), tuple(map(str, beat.numbers))
        return (), ()

    def _counted(self, beat: written.Beat, view: View) -> int:
        if beat.count == "returns":
            if view.returns is None:
                raise MekuriError("asks what the round brings, and it is not over")
            return view.returns[self._seat]
        if beat.count == "scored":
            scored = view.scores[self._seat]
            if scored is None:
                raise MekuriError("asks what has been counted up, and the game counts nothing")
            return scored.points
        return sum(line.points for line in view.score if line.seat == self._seat)

    def _events(self, beat: written.Beat, answer: str) -> tuple[Happening, ...]:
        round = self._round()
        since = round.version(self._seat)
        play_as_written(round, f"{self._seat}:{answer}")
        for action in beat.then:
            play_as_written(round, action)
        return tuple(replace(event, view=_shown(beat, event.view)) for event in round.events(self._seat, since))


def _shown(beat: written.Beat, view: View) -> View:
    """Return a view without its dead cards, and without goals and scores where the beat does not show scores yet.

    In some games all cards that a position does not name are dead.
    """
    zones = tuple(zone for zone in view.zones if zone.kind != "dead")
    return replace(view, zones=zones) if beat.score else replace(view, zones=zones, goals=(), scores=())


def _beside(zones: tuple[Zone, ...], cards: tuple[str, ...]) -> Iterator[str]:
    """Yield all visible cards of the places that hold one of these cards, in notation."""
    for zone in zones:
        lying = [card_text(card) for card in zone.cards if card is not None]
        if not set(lying).isdisjoint(cards):
            yield from lying
