"""The state of a round of Hankan, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import MOST_SEATS, cards, choice, count, option, seats
from mekuri.engine.options import Choice
from mekuri.games.dealing import PackState

DEALS = 5  # of nine cards: the whole pack
TABLE = 7  # seats at most
UNIT, MOST_UNITS = 10, 4  # chips; how many of them may be bet


class Word(Choice):
    """Actions. None of them is a card."""

    PASS = 49
    NAKA_1 = 50
    NAKA_2 = 51
    NAKA_3 = 52
    NAKA_4 = 53
    OTO_1 = 54
    OTO_2 = 55
    OTO_3 = 56
    OTO_4 = 57
    DEAL = 60
    SHOWDOWN = 61
    PAY = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    BET = 0  # all but the dealer bet, unseen by each other
    DEAL = 1, Word.DEAL  # the driver deals three rows
    SHOWDOWN = 2, Word.SHOWDOWN  # the driver turns up the two rows
    PAY = 3, Word.PAY  # the driver settles the bets
    OVER = 4


class Ending(Choice):
    """The endings of a round."""

    NO_BETS = 0  # nobody has bet in any of its deals
    PLAYED = 1


@dataclass(slots=True)
class HankanState(PackState):
    """A round of Hankan. Rows have a place for every seat.

    Attributes:
        phase: what happens next.
        shi: the first row, which lies face up and is not bet on.
        naka: the second row; in a hidden state nothing while it lies face down.
        oto: the third row, likewise.
        past: the cards of earlier deals.
        bet: what each seat has answered in this deal: 0 nothing yet, 1 no bet, 2 to 5 one to four units on the second row,
            6 to 9 on the third; in a hidden state 0 where that may not be seen.
        done: the set of seats that have answered.
        lost, won: the chips that each seat has lost and won in this round so far.
        staked: whether any seat has bet in this round.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    shi: int = cards(public=True)
    naka: int = cards()
    oto: int = cards()
    past: int = cards(public=True)
    bet: list[int] = count(1 + 2 * MOST_UNITS, each_seat=MOST_SEATS)
    done: int = seats(public=True)
    lost: list[int] = count(1200, each_seat=TABLE, public=True)
    won: list[int] = count(1200, each_seat=TABLE, public=True)
    staked: int = count(1, public=True)

    pays: int = option()
    tie_points: int = option()
