"""The driver's part in a round: shuffling, and the actions that nobody chooses. Also the hidden state that a seat sees.

These are the only functions that bring chance to a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from mekuri.engine.chance import shuffle
from mekuri.engine.compiled import first, rule
from mekuri.engine.contract import DRIVER, hide, legal, play, waiting
from mekuri.engine.fields import RoundState, clear, show

S = TypeVar("S", bound=RoundState)


@rule
def drive(s: RoundState, chance: list[int]) -> int:
    """Shuffle the gathered cards, then do the one action that the driver has. Returns the action."""
    shuffle_gathered(s, chance)
    action = first(legal(s, DRIVER))
    play(s, DRIVER, action)
    return action


@rule
def shuffle_gathered(s: RoundState, chance: list[int]) -> None:
    """Shuffle the cards that have been gathered, if any have been."""
    if s.gathered:
        shuffle(s.pack, s.gathered, chance)
        s.gathered = 0


def pending(s: RoundState) -> list[int]:
    """Return the cards whose order chance decides before the driver's next action; none where nothing is to be shuffled.

    Every order is as likely as any other. The cards are dealt from the end. A search that enumerates the outcomes of chance calls
    `settle` with each of them.
    """
    return s.pack[: s.gathered] if waiting(s) == 1 << DRIVER else []


def settle(s: RoundState, order: Sequence[int]) -> None:
    """Put the cards of `pending` in an order, in place of a shuffle. `drive` then draws no chance.

    Raises:
        ValueError: the order does not hold these cards.
    """
    if sorted(order) != sorted(s.pack[: s.gathered]):
        raise ValueError("an order holds each of the cards that are pending, and no others")
    s.pack[: s.gathered] = order
    s.gathered = 0


@rule
def see(s: RoundState, seat: int, into: RoundState) -> None:
    """Make `into` the hidden state of a seat: the public fields and what the game's `hide` adds, nothing else.

    A seat that the game does not have, such as the driver's, sees what a spectator sees.
    """
    clear(into)
    show(into, s)
    hide(s, seat, into)


def hidden_state(s: S, seat: int) -> S:
    """A new state that holds the hidden state of a seat; see `see`."""
    into = type(s)()
    show(into, s)
    hide(s, seat, into)
    return into
