"""The luck of a seat in a round: where it was best or worst, and the hidden card that mattered most there."""

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
    """A part of a round, between two decisions of a seat, in which luck brought or cost it much.

    Attributes:
        number: the number of the seat's decision at its beginning, from 1.
        value: by how much luck changed the seat's expected return; negative where it cost.
        since: the version of the seat's view at its beginning.
        until: the version of the seat's view at its end.
        facts: texts that name the hidden card that mattered most, and where it lay; empty where no card explains much.
    """

    number: int
    value: float
    since: int
    until: int
    facts: tuple[Text, ...]


def card_of(one: Decision, worlds: int, chance: list[int], end: RoundState, lucky: bool) -> tuple[Text, ...]:
    """Find the hidden card on whose place the outcome of a decision depended most.

    Args:
        one: the decision.
        worlds: in how many worlds its action is tried for that.
        chance: four words, from which the worlds are drawn.
        end: the state at the end of the round.
        lucky: whether a card is sought that lay well for the seat; else one that lay badly.

    Returns:
        Two texts of the table `facts`; none where no card explains much.
    """
    notes = Notes()
    trial = Trial(one.seen.hidden, one.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(one.seen), worlds)
    trial.more(bit(one.action), worlds, notes=notes)
    return tuple(on_which_it_hung(one.seen.hidden, notes, one.action, one.whole, end, lucky))
