"""The state of a round of Mushi, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, option, seat
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState


class Word(Choice):
    """Actions that are not cards."""

    DECLARE = 49
    DEAL = 58
    TAKE = 59
    GATHER = 60
    TURN_UP = 61
    AWARD = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card from its hand
    CHOOSE = 1  # that card matches several: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card matches several: the seat chooses
    DEAL = 4, Word.DEAL
    ELDER_TAKES = 5, Word.TAKE  # option: the elder takes four of a flower from the table
    GATHER = 6, Word.GATHER  # a misdeal is thrown in
    AWARD = 7, Word.AWARD  # the driver gives out a card that is left
    OVER = 8


class Cause(Choice):
    """Why a deal is thrown in, in the order of the contract's redeals."""

    FOUR_ON_TABLE = 0
    THREE_RAIN = 1
    FOUR_IN_HAND = 2
    FOUR_PAIRS = 3


class Ending(Choice):
    """The endings of a round: the cards that are left on the table when the hands are out."""

    RAIN_AND_UNPAIRED = 0
    RAIN_ONLY = 1
    RAIN_AND_ONI = 2
    OTHER = 3
    NOTHING = 4


@dataclass(slots=True)
class MushiState(FishingState):
    """A round of Mushi. The dealer is the elder hand.

    Attributes:
        phase: what happens next.
        cause: why the deal is thrown in, in the phase GATHER.
        shown: the four of a flower that a seat has declared.
        oni_laid_by: 1 + the seat that laid the oni on the table without taking a card; 0 for nobody.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    cause: int = choice(Cause, public=True)
    shown: int = cards(public=True)
    oni_laid_by: int = seat(none=0, public=True)

    misdeal: int = option()
    declare_four: int = option()
    four_pairs: int = option()
    stock_fourth: int = option()
    last_oni: int = option()
    five_brights: int = option()
