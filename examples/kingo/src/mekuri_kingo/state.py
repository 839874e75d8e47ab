"""The state of a round of Kingo, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.plugin import Choice, RoundState, fields

SEATS = 7  # at most
MOST_UNSEEN = 9  # cards that together count no more than fifteen: four ones, four twos and a three


class Word(Choice):
    """The actions. From DEAL on they are the driver's."""

    DRAW = 49
    STAND = 50
    DEAL = 58
    GIVE = 59
    SHOWDOWN = 60
    GATHER = 61


class Phase(Choice):
    """What happens next."""

    PLAY = 0  # a seat draws another card or stands
    GIVE = 1, Word.GIVE  # the driver gives it the next card of the stock
    DEAL = 2, Word.DEAL
    SHOWDOWN = 3, Word.SHOWDOWN
    GATHER = 4, Word.GATHER  # all are bareta: the round is void
    OVER = 5


class Ending(Choice):
    """The reason of a win."""

    HIGHEST = 0
    EQUAL = 1
    SHIGORO = 2
    KINGO = 3


@dataclass(slots=True)
class KingoState(RoundState):
    """The state of a round of Kingo. It holds nothing that follows from other fields: a seat is bareta by its cards.

    Attributes:
        phase: what happens next.
        held: the cards each seat holds; in a hidden state, those of them that may be seen.
        unseen: in a hidden state, how many cards of each seat may not be seen; 0 otherwise.
        turn: the seat whose turn it is.
    """

    phase: int = fields.choice(Phase, public=True)
    ending: int = fields.choice(Ending, public=True)
    held: list[int] = fields.cards(each_seat=SEATS)
    unseen: list[int] = fields.count(MOST_UNSEEN, each_seat=SEATS)
    turn: int = fields.seat(public=True)

    wager: int = fields.option()
    nearest: int = fields.option()
