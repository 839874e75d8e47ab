"""Rules of a pot for the best last digit of three cards: each seat holds two, two lie in the middle, and all put up the same stake.

They hold for every state with the fields of `PotState`.
"""

from __future__ import annotations

from typing import Protocol

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.presentation import Text
from mekuri.games.kabu import MOST_NUMBER, digit, left_out

UNIT, MOST_UNITS = 10, 3  # the chips of a unit; the most units that a seat may name
HELD = 2  # the number of cards of each seat, and in the middle


class PotState(Protocol):
    """The fields of a state in which seats play for the pot.

    Attributes:
        seats: how many seats play.
        dealer: the seat that deals.
        two: each seat's two cards; in a hidden state only the cards that may be seen.
        middle: the two cards in the middle; in a hidden state nothing while they lie face down.
        named: for each seat 1 and the units it has named; 0 before it has, and in a hidden state where that may not be seen.
        spoken: the set of seats that have named a stake.
        stake: the units that all have put up; 0 before.
        out: for each seat the set of the one card of its four that it has chosen to leave out, else 0; it only notes a card.
    """

    seats: int
    dealer: int
    two: list[int]
    middle: int
    named: list[int]
    spoken: int
    stake: int
    out: list[int]


# --- The stake ---


@rule
def name_stake(s: PotState, seat: int, units: int) -> bool:
    """Note the stake that a seat names, in units. Returns whether all seats have named one."""
    s.named[seat] = 1 + units
    s.spoken |= bit(seat)
    return count(s.spoken) == s.seats


@rule
def put_up(s: PotState) -> None:
    """Set the stake that all put up: the least that any seat has named."""
    s.stake = MOST_UNITS
    for seat in range(s.seats):
        s.stake = min(s.stake, s.named[seat] - 1)


@rule
def think_of_stakes(h: PotState, least: int, chance: list[int]) -> None:
    """Fill in the stakes that others have named unseen: at random from `least` to `MOST_UNITS` units, each as likely."""
    for other in range(h.seats):
        if has(h.spoken, other) and h.named[other] == 0:
            h.named[other] = 1 + least + below(chance, MOST_UNITS + 1 - least)


def named_event(after: PotState, seat: int) -> Text:
    """The event of a seat naming a stake, with the stake if it may be seen."""
    units = after.named[seat] - 1
    if units < 0:
        return Text("events.named-unseen", {"seat": seat})
    return Text("events.named", {"seat": seat, "points": UNIT * units}) if units else Text("events.named-nothing", {"seat": seat})


# --- Hidden states ---


@rule
def hide_pot(s: PotState, seat: int, into: PotState, middle_up: bool, all_shown: bool) -> None:
    """Copy what a seat may know of the cards and stakes: its own; those of others and the middle once they lie open.

    Args:
        s: the full state, in which the cards have been dealt.
        seat: the seat, or a number that is none for a spectator.
        into: the hidden state.
        middle_up: whether the middle lies open; its event names the stakes.
        all_shown: whether all hands are shown; one also lies open once its seat has chosen the card that it leaves out.
    """
    for other in range(s.seats):
        if other == seat or all_shown or s.out[other]:
            into.two[other] = s.two[other]
        if other == seat or middle_up:
            into.named[other] = s.named[other]
    if middle_up:
        into.middle = s.middle


# --- The hands ---


@rule
def four(s: PotState, seat: int) -> int:
    """The set of the four cards from which a seat takes three."""
    return s.two[seat] | s.middle


@rule
def three(s: PotState, seat: int) -> int:
    """The set of a seat's three cards: the three that it has chosen, else its best three."""
    return four(s, seat) & ~(s.out[seat] if s.out[seat] else left_out(four(s, seat)))


@rule
def best_digit(s: PotState) -> int:
    """The best last digit that any seat has."""
    best = 0
    for seat in range(s.seats):
        best = max(best, digit(three(s, seat), MOST_NUMBER))
    return best


@rule
def winners(s: PotState) -> int:
    """The set of seats whose three cards have the best last digit."""
    found, best = 0, best_digit(s)
    for seat in range(s.seats):
        if digit(three(s, seat), MOST_NUMBER) == best:
            found |= bit(seat)
    return found


# --- The pot ---


@rule
def share(s: PotState, seat: int, odd: int, all_of_it: int) -> int:
    """The chips that a seat is paid out of the pot.

    The winners have equal shares. Chips that cannot be shared stay in the pot, or go to the first winner after the dealer.

    Args:
        s: the state.
        seat: the seat.
        odd: the chips that lie in the pot from before the round.
        all_of_it: 1 if the whole pot is paid, else 0.
    """
    won = winners(s)
    if has(won, seat) == 0:
        return 0
    pot = UNIT * s.stake * s.seats + odd
    part = pot // count(won)
    return part + pot % count(won) if all_of_it and first_winner(s, won) == seat else part


@rule
def first_winner(s: PotState, won: int) -> int:
    """The first seat after the dealer in the set `won`."""
    seat = (s.dealer + 1) % s.seats
    while has(won, seat) == 0:
        seat = (seat + 1) % s.seats
    return seat


@rule
def gain(s: PotState, seat: int) -> int:
    """The gain of a seat for each unit staked, in 420ths of a unit, which up to seven winners can share without a rest."""
    own, equals = digit(three(s, seat), MOST_NUMBER), 1
    for other in range(s.seats):
        if other != seat:
            theirs = digit(three(s, other), MOST_NUMBER)
            if theirs > own:
                return -420
            equals += int(theirs == own)
    return 420 * s.seats // equals - 420
