"""What luck did in a round: where it was best and worst, and the card that it came down to."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.bots.facts import on_which_it_hung
from mekuri.bots.ours import greedy
from mekuri.bots.review.decisions import Decision
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.think import Notes, Trial
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.compiled import bit
from mekuri.engine.contract import Text
from mekuri.engine.fields import RoundState


@dataclass(frozen=True)
class Luck:
    """A stretch of a round in which luck did much.

    Attributes:
        number: of the seat's decision after which it did.
        value: what it brought.
        since, until: the versions of the seat's view before and after what happened there.
        facts: on which card it hung most, and where that lay; nothing where no card tells much.
    """

    number: int
    value: float
    since: int
    until: int
    facts: tuple[Text, ...]


def card_of(one: Decision, worlds: int, chance: list[int], end: RoundState, lucky: bool) -> tuple[Text, ...]:
    """The card on which it hung what a decision came to, one that lay well or one that lay badly.

    It is found in so many worlds that the seat thought possible; `end` is what the round came to.
    """
    notes = Notes()
    trial = Trial(one.seen.hidden, one.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(one.seen), worlds)
    trial.more(bit(one.action), worlds, notes=notes)
    return tuple(on_which_it_hung(one.seen.hidden, notes, one.action, one.whole, end, lucky))
