"""What games share that deal a pack: which cards are in play, the stock, and hands of which a seat may not see every card."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.compiled import count, rule
from mekuri.engine.fields import RoundState, cards
from mekuri.engine.fields import count as number


@dataclass(slots=True)
class DealtState(RoundState):
    """A table on which a pack has been dealt. The rows for seats have two places; a game for more makes them longer.

    Attributes:
        deck: the cards in play.
        hand: each seat's hand; in a hidden state, the cards of it that may be seen.
        held: in a hidden state, how many cards of each hand may not be seen; 0 otherwise.
    """

    deck: int = cards(public=True, fixed=True)
    hand: list[int] = cards(2)
    held: list[int] = number(48, 2)


@rule
def open_pack(s: DealtState) -> None:
    """Note which cards are in play, at the start of a round."""
    s.deck = 0
    for i in range(s.stock):
        s.deck |= 1 << s.pack[i]


@rule
def next_card(s: DealtState) -> int:
    """Take the next card of the stock."""
    s.stock -= 1
    return s.pack[s.stock]


@rule
def packet(s: DealtState, n: int) -> int:
    """Take the next n cards of the stock, as a set."""
    cards = 0
    for _ in range(n):
        cards |= 1 << next_card(s)
    return cards


@rule
def hand_size(s: DealtState, seat: int) -> int:
    """How many cards a seat holds, in a full or a hidden state."""
    return count(s.hand[seat]) + s.held[seat]
