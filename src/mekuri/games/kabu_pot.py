"""A pot for the best last digit of three cards: each seat holds two, two lie in the middle, and all put up the same stake.

What names no game here is the rules of every state that has these fields (`PotState`).
"""

from __future__ import annotations

from typing import Protocol

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.games.kabu import MOST_NUMBER, digit, left_out

UNIT, MOST_UNITS = 10, 3  # chips; how many of them may be named
HELD = 2  # cards of each seat, and in the middle


class PotState(Protocol):
    """What a state has in which such a pot is played for.

    Attributes:
        seats, dealer: as in every round.
        two: each seat's two cards; in a hidden state those that may be seen.
        middle: the two cards in the middle; in a hidden state nothing while they lie face down.
        named: for each seat 1 and the units it has named; 0 before it has, and in a hidden state where that may not be seen.
        spoken: the set of seats that have named a stake.
        stake: the units that all have put up; 0 before.
        out: for each seat the card of its four that it leaves out, where it chooses; no place of its own.
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
    """Note what a seat names. Returns whether all have."""
    s.named[seat] = 1 + units
    s.spoken |= bit(seat)
    return count(s.spoken) == s.seats


@rule
def put_up(s: PotState) -> None:
    """The least that has been named is what all put up."""
    s.stake = MOST_UNITS
    for seat in range(s.seats):
        s.stake = min(s.stake, s.named[seat] - 1)


@rule
def think_of_stakes(h: PotState, least: int, chance: list[int]) -> None:
    """Fill in what others have named unseen: from so many units on, each is as likely."""
    for other in range(h.seats):
        if has(h.spoken, other) and h.named[other] == 0:
            h.named[other] = 1 + least + below(chance, MOST_UNITS + 1 - least)


# --- The hands ---


@rule
def four(s: PotState, seat: int) -> int:
    """The four cards of which a seat takes three."""
    return s.two[seat] | s.middle


@rule
def three(s: PotState, seat: int) -> int:
    """The three cards of a seat: those that it has chosen, else its best."""
    return four(s, seat) & ~(s.out[seat] if s.out[seat] else left_out(four(s, seat)))


@rule
def best_digit(s: PotState) -> int:
    """The best last digit of all seats."""
    best = 0
    for seat in range(s.seats):
        best = max(best, digit(three(s, seat), MOST_NUMBER))
    return best


@rule
def winners(s: PotState) -> int:
    """The seats whose three cards have the best last digit."""
    found, best = 0, best_digit(s)
    for seat in range(s.seats):
        if digit(three(s, seat), MOST_NUMBER) == best:
            found |= bit(seat)
    return found


# --- The pot ---


@rule
def share(s: PotState, seat: int, odd: int, all_of_it: int) -> int:
    """What a seat is paid out of the pot, in which lie `odd` chips from before.

    The winners have equal shares. What cannot be shared waits, or, where all of it is paid, goes to the first of them after the
    dealer.
    """
    won = winners(s)
    if has(won, seat) == 0:
        return 0
    pot = UNIT * s.stake * s.seats + odd
    part = pot // count(won)
    return part + pot % count(won) if all_of_it and first_winner(s, won) == seat else part


@rule
def first_winner(s: PotState, won: int) -> int:
    """Of some seats the first after the dealer."""
    seat = (s.dealer + 1) % s.seats
    while has(won, seat) == 0:
        seat = (seat + 1) % s.seats
    return seat


@rule
def gain(s: PotState, seat: int) -> int:
    """What a unit staked brings a seat, in 420ths of it: up to seven winners can share those."""
    own, equals = digit(three(s, seat), MOST_NUMBER), 1
    for other in range(s.seats):
        if other != seat:
            theirs = digit(three(s, other), MOST_NUMBER)
            if theirs > own:
                return -420
            equals += int(theirs == own)
    return 420 * s.seats // equals - 420
