"""Lessons as they are played: what a learner sees at every beat, and what each answer comes to by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mekuri.cards import NotationError, card_text, each
from mekuri.engine.contract import Contract, Zone
from mekuri.engine.errors import MekuriError
from mekuri.engine.lesson import FILE, Beat, Lesson, lesson, preset_of
from mekuri.engine.rulebook import Words
from mekuri.match.example import play_told
from mekuri.match.game import Game, make_game
from mekuri.match.round import Round
from mekuri.match.view import Event, View


class LessonError(MekuriError):
    """A lesson that cannot be played as it is written: its file, the beat and what is wrong there."""


@dataclass(frozen=True)
class Answer:
    """Something a learner may answer.

    Attributes:
        written: an action, a card or a number, as it is written.
        right: whether it is what was asked for.
        says: what is said of it.
        events: what then happens, as the learner sees it; nothing after a wrong answer.
    """

    written: str
    right: bool
    says: Words
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Taught:
    """A beat as it is played: what the learner sees, and every answer that may be given. What else is refused, the view says."""

    beat: Beat
    view: View
    answers: tuple[Answer, ...]


def lesson_game(contract: Contract, taught: Lesson) -> Game:
    """The game that a lesson plays."""
    return make_game(contract, preset_of(contract), taught.seats, {})


def play_lesson(contract: Contract) -> tuple[Taught, ...]:
    """Every beat of a game's lesson, answered rightly; nothing where it has none.

    Raises LessonError where it cannot be played as it is written.
    """
    taught = lesson(contract)
    return tuple(_beats(contract, taught)) if taught else ()


def _beats(contract: Contract, taught: Lesson) -> Iterator[Taught]:
    course = _Course(lesson_game(contract, taught), taught.seat)
    for beat in taught.beats:
        try:
            yield course.teach(beat)
        except (MekuriError, NotationError) as error:
            raise LessonError(f"{contract.folder / FILE} [beats {beat.id}] {error}") from error


class _Course:
    """Where a lesson stands: a position, and what has been played from it."""

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self._seat = seat
        self._position = ""
        self._played: tuple[str, ...] = ()

    def teach(self, beat: Beat) -> Taught:
        """Show a beat, and go on as its first right answer does."""
        if beat.position:
            self._position, self._played = beat.position, ()
        seen = self._round().view(self._seat)
        view = _told(beat, seen)
        lying = {card_text(card) for zone in view.zones for card in zone.cards if card is not None}
        for card in map(card_text, beat.glow):
            if card not in lying:
                raise MekuriError(f"points out {card}, which the learner does not see there")
        for place in beat.places:
            if place not in {zone.id for zone in view.zones}:
                raise MekuriError(f"points out {place}: there are {', '.join(zone.id for zone in view.zones)}")
        answers = tuple(self._answers(beat, seen))
        if strange := beat.others.keys() - {answer.written for answer in answers}:
            raise MekuriError(f"speaks of {', '.join(sorted(strange))}, which nobody can answer there")
        self._played += (*beat.play[:1], *beat.then)
        return Taught(beat, view, answers)

    def _round(self) -> Round:
        round = self._game.position(self._position)
        for action in self._played:
            play_told(round, action)
        return round

    def _answers(self, beat: Beat, view: View) -> Iterator[Answer]:
        right, offered = self._asked(beat, view)
        if beat.asks and not right:
            raise MekuriError("has no right answer")
        if strange := [answer for answer in right if answer not in offered]:
            raise MekuriError(f"takes {', '.join(strange)} for right, of {', '.join(offered)}")
        if not beat.wrong and set(offered) - set(right) - beat.others.keys():
            raise MekuriError("says nothing of wrong answers: write wrong = { ... }")
        for answer in offered:
            if answer in right:
                yield Answer(answer, True, beat.others.get(answer, beat.right), self._events(beat, answer) if beat.play else ())
            else:
                yield Answer(answer, False, beat.others.get(answer, beat.wrong), ())

    def _asked(self, beat: Beat, view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The right answers, and all that may be given."""
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

    def _counted(self, beat: Beat, view: View) -> int:
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

    def _events(self, beat: Beat, answer: str) -> tuple[Event, ...]:
        round = self._round()
        since = round.version(self._seat)
        play_told(round, f"{self._seat}:{answer}")
        for action in beat.then:
            play_told(round, action)
        return tuple(replace(event, view=_told(beat, event.view)) for event in round.events(self._seat, since))


def _told(beat: Beat, view: View) -> View:
    """A view without what has not been told yet, and without dead cards: in some games all that it does not name is."""
    zones = tuple(zone for zone in view.zones if zone.kind != "dead")
    return replace(view, zones=zones) if beat.score else replace(view, zones=zones, goals=(), scores=())


def _beside(zones: tuple[Zone, ...], cards: tuple[str, ...]) -> Iterator[str]:
    """The cards that are seen in the same places as these."""
    for zone in zones:
        lying = [card_text(card) for card in zone.cards if card is not None]
        if not set(lying).isdisjoint(cards):
            yield from lying
