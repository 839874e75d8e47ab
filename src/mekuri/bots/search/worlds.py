"""Draw worlds that explain the earlier actions of the other seats.

The others are assumed to play like `greedy`: a seat that laid a card that takes nothing probably held none that takes something.
That proves nothing, so it only selects among worlds: of a few redealt ones the first is taken that explains every action, else the
one that explains most of them.
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

DRAWS = 8  # worlds of which one is taken: with more, hardly more is explained (docs/decisions/0021)

# Another seat's action, a card of its hand, as places in a row of TOLD ints: see `Done`.
SEAT, ACTION, PLAYED = range(3)
TOLD = 3


@dataclass(frozen=True)
class Done:
    """An action of another seat: a card that it played from its hand.

    Attributes:
        before: the hidden state of the searching seat before the action.
        seat: the other seat.
        action: the card.
        played: the set of this card and the cards that the seat has played since.
    """

    before: RoundState
    seat: int
    action: int
    played: int


def done_by_others(seen: Seen) -> list[Done]:
    """Return the cards that other seats have played from their hands, the latest first.

    Cards that a seat played before its hand last grew, or before it last played a card unseen, are left out: its hand at that time
    cannot be reconstructed.
    """
    hidden, found = seen.hidden, []
    played, grown = [0] * hidden.seats, 1 << seen.seat
    for before, after in reversed([*pairwise(seen.past)]):
        held = [hand_size(after.hidden, seat) - hand_size(before.hidden, seat) for seat in range(hidden.seats)]
        grown |= sum(bit(seat) for seat, more in enumerate(held) if more > 0)
        seat, card = after.seat, after.action
        if card is None and seat != DRIVER and held[seat] < 0:
            grown |= bit(seat)
        if seat == DRIVER or has(grown, seat) or card is None or card >= FIRST_WORD or held[seat] != -1:
            continue
        played[seat] |= bit(card)
        found.append(Done(before.hidden, seat, card, played[seat]))
    return found


@rule
def draw_world(states: Any, seat: int, chance: Any, past: Any, done: Any) -> None:
    """Fill states[1] with a world that a seat may be in.

    Args:
        states: five states: what the seat sees, the world, and three for workspace.
        seat: the seat.
        chance: four words; they are advanced.
        past: for each action of another seat that should be explained, the hidden state before it.
        done: TOLD ints for each of these actions.
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
    """Return how many of the others' actions a world does not explain: another would have been better at once.

    Args:
        world: the world.
        past: as in `draw_world`.
        done: as in `draw_world`.
        most: counting stops at this number.
        one: a state of workspace.
        two: another.
    """
    left = 0
    for i in range(len(past)):
        h, seat, action = past[i], done[TOLD * i + SEAT], done[TOLD * i + ACTION]
        recall(h, seat, world, done[TOLD * i + PLAYED])
        choices = choices_of(h, seat)
        if not has(choices, action):
            continue  # the seat did not hold the card: its hand has changed in a way that the viewer could not see
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
