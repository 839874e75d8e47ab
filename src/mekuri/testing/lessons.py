"""Checks of lessons: they can be played, every answer has a reaction, and they show only what the learner's seat may know."""

from __future__ import annotations

from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract
from mekuri.engine.lesson import lesson
from mekuri.engine.rulebook import LANGUAGES
from mekuri.match.lesson import lesson_game, play_lesson
from mekuri.testing.failure import check, hold, same
from mekuri.testing.worlds import beside, redealt

WORLDS = 3  # worlds in which the view of a beat is compared


@check
def played(contract: Contract) -> None:
    """Check that every beat that asks has a right answer, and every answer a reaction in every language."""
    for beat in play_lesson(contract):
        hold(bool(beat.asks) == any(answer.right for answer in beat.answers), f"beat {beat.id} has no right answer")
        for answer in beat.answers:
            hold(
                all(answer.says.get(lang) for lang in LANGUAGES),
                f"nothing is said of the answer {answer.answer} to beat {beat.id}",
            )
            hold(answer.right or not answer.events, f"something happens after the wrong answer {answer.answer} to beat {beat.id}")
            hold(
                bool(answer.events) or not (answer.right and beat.kind == "play"),
                f"nothing happens after {answer.answer} in beat {beat.id}",
            )


@check
def seen_by_one(contract: Contract) -> None:
    """Check that a beat looks the same in every world that the learner's seat can think possible."""
    taught = lesson(contract)
    if taught is None:
        return
    game, chance = lesson_game(contract, taught), stream("lessons")
    for beat in taught.beats:
        if not beat.position:
            continue
        round = game.position(beat.position)
        for _ in range(WORLDS):
            other = beside(round, redealt(round.hidden(taught.seat), taught.seat, chance))
            same(other.view(taught.seat), round.view(taught.seat), f"what beat {beat.id} shows in another world")
