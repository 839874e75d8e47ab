"""Worlds that explain what others have done.

Others are taken to look for what counts most at once, as `greedy` does: who has laid a card that takes nothing will have held none
that takes something. That proves nothing, so it only chooses between worlds: of a few the first in which everybody would have done
what was done, or else the one in which most of it would have been.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mekuri.engine.bot import Seen
from mekuri.engine.called import at_once, choices_of
from mekuri.engine.compiled import bit, first, has, rule
from mekuri.engine.contract import DRIVER, FIRST_WORD, hand_size, recall, redeal
from mekuri.engine.fields import RoundState, copy

DRAWS = 8  # worlds of which one is taken: more explain hardly more (docs/decisions/0021)

# What another seat did with a card of its hand, as places in its row of ints.
SEAT, ACTION, PLAYED = range(3)
TOLD = 3


@dataclass(frozen=True)
class Done:
    """What another seat did with a card of its hand.

    Attributes:
        before: what was seen before it.
        seat: who did it.
        action: the card.
        played: this card and those that the seat has played since.
    """

    before: RoundState
    seat: int
    action: int
    played: int


def done_by_others(seen: Seen) -> list[Done]:
    """What others have done with cards of their hands, the last first. What came before a hand grew is left out."""
    hidden, found = seen.hidden, []
    played, grown = [0] * hidden.seats, 1 << seen.seat
    for before, after in reversed([*pairwise(seen.past)]):
        held = [hand_size(after.hidden, seat) - hand_size(before.hidden, seat) for seat in range(hidden.seats)]
        grown |= sum(bit(seat) for seat, more in enumerate(held) if more > 0)
        seat, card = after.seat, after.action
        if seat == DRIVER or has(grown, seat) or card is None or card >= FIRST_WORD or held[seat] != -1:
            continue
        played[seat] |= bit(card)
        found.append(Done(before.hidden, seat, card, played[seat]))
    return found


@rule
def draw_world(states: Any, seat: int, chance: Any, past: Any, done: Any) -> None:
    """Fill states[1] with a world that a seat may be in, which sees states[0]. Three more states are worked in.

    Args:
        states: five states.
        seat: the seat.
        chance: four words.
        past: what was seen before each of the things that others have done.
        done: TOLD ints for each of them.
    """
    world, best = states[1], states[2]
    least = len(past) + 1
    for _ in range(DRAWS):
        copy(world, states[0])
        redeal(world, seat, chance)
        left = unexplained(world, past, done, least, states[3], states[4])
        if left == 0:
            return
        if left < least:
            least = left
            copy(best, world)
    copy(world, best)


@rule
def unexplained(world: RoundState, past: Any, done: Any, most: int, one: RoundState, two: RoundState) -> int:
    """How many things others have done that would have brought them less at once than another; no more than `most` are counted."""
    left = 0
    for i in range(len(past)):
        h, seat, action = past[i], done[TOLD * i + SEAT], done[TOLD * i + ACTION]
        recall(h, seat, world, done[TOLD * i + PLAYED])
        choices = choices_of(h, seat)
        if not has(choices, action):
            continue  # more has happened to this hand than anybody could see
        best = brought = -(1 << 62)
        while choices:
            other = first(choices)
            choices &= choices - 1
            value = at_once(h, seat, other, False, one, two)
            best = max(best, value)
            if other == action:
                brought = value
        left += int(brought < best)
        if left == most:
            break
    return left
