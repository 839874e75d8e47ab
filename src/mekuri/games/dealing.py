"""What games share that deal a pack: which cards are in play, the stock, and hands of which a seat may not see every card."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.chance import shuffle
from mekuri.engine.compiled import bit, count, first, rule
from mekuri.engine.fields import RoundState, cards
from mekuri.engine.fields import count as number


@dataclass(slots=True)
class PackState(RoundState):
    """A table on which a pack is dealt.

    Attributes:
        deck: the cards in play.
    """

    deck: int = cards(public=True, fixed=True)


@dataclass(slots=True)
class DealtState(PackState):
    """A table on which hands have been dealt. The rows for seats have two places; a game for more makes them longer.

    Attributes:
        hand: each seat's hand; in a hidden state, the cards of it that may be seen.
        held: in a hidden state, how many cards of each hand may not be seen; 0 otherwise.
    """

    hand: list[int] = cards(2)
    held: list[int] = number(48, 2)


@rule
def open_pack(s: PackState) -> None:
    """Note which cards are in play, at the start of a round."""
    s.deck = 0
    for i in range(s.stock):
        s.deck |= bit(s.pack[i])


@rule
def next_card(s: PackState) -> int:
    """Take the next card of the stock."""
    s.stock -= 1
    return s.pack[s.stock]


@rule
def packet(s: PackState, n: int) -> int:
    """Take the next n cards of the stock, as a set."""
    cards = 0
    for _ in range(n):
        cards |= bit(next_card(s))
    return cards


@rule
def hand_size(s: DealtState, seat: int) -> int:
    """How many cards a seat holds, in a full or a hidden state."""
    return count(s.hand[seat]) + s.held[seat]


def packets(*dealt: tuple[str, int]) -> dict[str, str]:
    """The argument of a deal's text that tells a screen in which packets the cards came: the places, and how many went to each."""
    return {"packets": " ".join(f"{place}:{cards}" for place, cards in dealt)}


# --- What a seat may know, and what it may think ---


@rule
def hide_hands(s: DealtState, seat: int, into: DealtState, shown: int) -> None:
    """Copy a seat's own hand; of the others only what has been shown, and how many cards they are."""
    for other in range(len(s.hand)):
        hide_hand(s, other, into, s.hand[other] if other == seat else s.hand[other] & shown)


@rule
def hide_hand(s: DealtState, seat: int, into: DealtState, seen: int) -> None:
    """Copy the cards of a seat's hand that may be seen, and how many more they are."""
    into.hand[seat] = seen
    into.held[seat] = hand_size(s, seat) - count(seen)


@rule
def recall(h: DealtState, seat: int, now: DealtState, played: int) -> None:
    """Put into an earlier hidden state the hand that a seat had then: what it holds now, and what it has played since."""
    h.hand[seat] = now.hand[seat] | played
    h.held[seat] = 0


@rule
def in_hands(s: DealtState) -> int:
    """The cards of all hands, as far as they may be seen."""
    cards = 0
    for seat in range(len(s.hand)):
        cards |= s.hand[seat]
    return cards


@rule
def shuffle_unseen(h: PackState, unseen: int, chance: list[int]) -> None:
    """Put the cards that cannot be seen in random order at the front of the pack, and all others behind them."""
    seen, n = h.deck & ~unseen, 0
    while unseen:
        h.pack[n] = first(unseen)
        unseen &= unseen - 1
        n += 1
    shuffle(h.pack, n, chance)
    while seen:
        h.pack[n] = first(seen)
        seen &= seen - 1
        n += 1


@rule
def lay_unseen(h: DealtState, unseen: int, chance: list[int]) -> int:
    """Put the cards that cannot be seen in random order: first the stock, then the hidden hands, then what else lies face down.

    Returns how many cards stock and hands took: the cards lying elsewhere follow in the pack from there.
    """
    shuffle_unseen(h, unseen, chance)
    at = h.stock
    for seat in range(len(h.hand)):
        for _ in range(h.held[seat]):
            h.hand[seat] |= bit(h.pack[at])
            at += 1
        h.held[seat] = 0
    return at


@rule
def from_pack(h: PackState, at: int, n: int) -> int:
    """So many cards of the pack from a place on, as a set."""
    cards = 0
    for i in range(at, at + n):
        cards |= bit(h.pack[i])
    return cards
