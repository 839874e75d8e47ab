"""State and rules for games that deal a pack: the cards in play, the stock, and hands whose cards a seat may not all see."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.chance import shuffle
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.engine.fields import RoundState, cards
from mekuri.engine.fields import count as number


@dataclass(slots=True)
class PackState(RoundState):
    """Base of the states of games that deal a pack.

    Attributes:
        deck: the cards in play.
    """

    deck: int = cards(public=True, fixed=True)


@dataclass(slots=True)
class DealtState(PackState):
    """Base of the states of games with hands. The rows for seats have two places; a game for more seats makes them longer.

    Attributes:
        hand: each seat's hand; in a hidden state, the cards of it that may be seen.
        held: in a hidden state, how many cards of each hand may not be seen; 0 otherwise.
    """

    hand: list[int] = cards(each_seat=2)
    held: list[int] = number(48, each_seat=2)


@rule
def open_pack(s: PackState) -> None:
    """Set `deck` to the set of the cards in the stock, at the start of a round."""
    s.deck = 0
    for i in range(s.stock):
        s.deck |= bit(s.pack[i])


@rule
def next_card(s: PackState) -> int:
    """Take the next card of the stock, and return it."""
    s.stock -= 1
    return s.pack[s.stock]


@rule
def packet(s: PackState, n: int) -> int:
    """Take the next n cards of the stock, and return them as a set."""
    cards = 0
    for _ in range(n):
        cards |= bit(next_card(s))
    return cards


@rule
def hand_size(s: DealtState, seat: int) -> int:
    """The number of cards that a seat holds, in a full or a hidden state."""
    return count(s.hand[seat]) + s.held[seat]


def packets(*dealt: tuple[str, int]) -> dict[str, str]:
    """The argument of a deal's text by which a screen shows the packets of the deal.

    Args:
        dealt: the packets in the order of dealing, each as the id of its zone and its number of cards.
    """
    return {"packets": " ".join(f"{place}:{cards}" for place, cards in dealt)}


# --- Hidden states, and the worlds that agree with them ---


@rule
def hide_hands(s: DealtState, seat: int, into: DealtState, shown: int) -> None:
    """Copy a seat's own hand into its hidden state; of the other hands only the cards in `shown`, and the number of the rest."""
    for other in range(len(s.hand)):
        own = -has(bit(seat), other)  # every bit, or none
        hide_hand(s, other, into, s.hand[other] & (shown | own))


@rule
def hide_hand(s: DealtState, seat: int, into: DealtState, seen: int) -> None:
    """Copy the cards of a hand that may be seen into a hidden state, and the number of the rest.

    Args:
        s: the full state.
        seat: the seat whose hand it is.
        into: the hidden state.
        seen: the set of the cards that may be seen, all in that hand.
    """
    into.hand[seat] = seen
    into.held[seat] = hand_size(s, seat) - count(seen)


@rule
def recall(h: DealtState, seat: int, now: DealtState, played: int) -> None:
    """Put into an earlier hidden state the hand that a seat had at that time: the cards that it holds now or has played since.

    A game whose hands only shrink after the deal uses it as its `recall`.

    Args:
        h: the hidden state of earlier in the round, which is changed.
        seat: the seat whose hand it is.
        now: a later state of the same round, in which all cards of that hand are seen.
        played: the set of the cards that the seat has played between the two.
    """
    h.hand[seat] = now.hand[seat] | played
    h.held[seat] = 0


@rule
def in_hands(s: DealtState) -> int:
    """The set of the cards in all hands, as far as the state shows them."""
    cards = 0
    for seat in range(len(s.hand)):
        cards |= s.hand[seat]
    return cards


@rule
def shuffle_unseen(h: PackState, unseen: int, chance: list[int]) -> None:
    """Put the set of unseen cards in random order at the front of the pack, and all others in play behind them."""
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
    """Put the set of unseen cards in random order in the pack, and deal the hidden hands from it.

    The first of them are the stock, the next go to the hands, and the rest lie face down elsewhere.

    Returns:
        The index in the pack of the first card of the rest.
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
    """The set of the `n` cards of the pack from index `at` on."""
    cards = 0
    for i in range(at, at + n):
        cards |= bit(h.pack[i])
    return cards
