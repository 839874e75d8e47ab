"""The state of a round of Tokotoko, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import MOST_SEATS, cards, choice, count, option, seat, seats
from mekuri.engine.options import Choice
from mekuri.games.dealing import PackState
from mekuri.games.kabu_pot import MOST_UNITS

TABLE = 7  # seats at most


class Word(Choice):
    """Actions that are not cards."""

    NO_STAKE = 49
    ONE = 50
    TWO = 51
    THREE = 52
    DEAL = 58
    LAY = 59
    TURN_UP = 60
    SHOW = 61
    PAY = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    NAME = 0  # all name a stake, unseen by each other
    DEAL = 1, Word.DEAL  # the driver deals two cards to each
    LAY = 2, Word.LAY  # the driver lays two in the middle
    TURN_UP = 3, Word.TURN_UP  # the driver turns these two up
    CHOOSE = 4  # option: a seat leaves out one of its four cards
    SHOW = 5, Word.SHOW  # the driver shows all hands
    PAY = 6, Word.PAY  # the driver pays the pot to the best
    OVER = 7


class Ending(Choice):
    """The endings of a round."""

    NO_STAKE = 0  # a seat would put up nothing
    WON = 1
    SPLIT = 2  # several are equally good


@dataclass(slots=True)
class TokotokoState(PackState):
    """A round of Tokotoko. Rows have a place for every seat.

    Attributes:
        phase: what happens next.
        two: each seat's two cards; in a hidden state only the cards that may be seen.
        middle: the two cards in the middle; in a hidden state nothing while they lie face down.
        named: for each seat 1 and the units it has named; 0 before it has, and in a hidden state where that may not be seen.
        spoken: the set of seats that have named a stake.
        stake: the units that all have put up; 0 before the middle is turned up.
        out: the card that each seat has left out of its four, where that is chosen.
        turn: the seat that chooses.
        odd: chips that lie in the pot from rounds before.
        left: chips that stay in the pot after the round.
        number: which round of the match this is, from 1.
        last: whether it is the match's last: then nothing of what is played for stays in the pot.
        last_winner: 1 + the seat that has won last, the first of several; it gets the chips left in the pot when the match ends.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    two: list[int] = cards(each_seat=TABLE)
    middle: int = cards()
    named: list[int] = count(1 + MOST_UNITS, each_seat=MOST_SEATS)
    spoken: int = seats(public=True)
    stake: int = count(MOST_UNITS, public=True)
    out: list[int] = cards(each_seat=TABLE, public=True)
    turn: int = seat(public=True)
    odd: int = count(TABLE - 1, public=True)
    left: int = count(TABLE - 1, public=True)
    number: int = count(1 << 40, public=True)
    last: int = count(1, public=True)
    last_winner: int = seat(none=0, public=True)

    hand: int = option()
    free: int = option()
