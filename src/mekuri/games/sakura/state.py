"""The state of a round of Sakura, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, count, option, seat
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState

MOST_SEATS = 7
MOST_HAND = 8  # cards of a hand when it is dealt


class Word(Choice):
    """Actions that are not cards."""

    HIKI = 49
    DEAL = 57
    SET_ASIDE = 58
    TAKE = 59
    GATHER = 60
    TURN_UP = 61
    AWARD = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card from its hand, or says hiki
    CHOOSE = 1  # that card may take one of several: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card may take one of several: the seat chooses
    HIKI = 4  # a seat that sees four of several months chooses the month that it takes
    DEAL = 5, Word.DEAL
    SET_ASIDE = 6, Word.SET_ASIDE  # option: the gaji on the field is out of play
    DEALER_TAKES = 7, Word.TAKE  # the dealer takes four of a month from the field
    GATHER = 8, Word.GATHER  # option: such a deal is thrown in
    AWARD = 9, Word.AWARD  # the player who used the gaji gets cards that are left
    OVER = 10


class Ending(Choice):
    """The endings of a round."""

    STOCK_EMPTY = 0
    HANDS_EMPTY = 1


# The yaku, in the order of the rule book.
YAKU = (
    "drinking",
    "spring",
    "poetry",
    "blue",
    "grass",
    "blue-animals",
    "grass-animals",
    "boar-deer-geese",
)


@dataclass(slots=True)
class SakuraState(FishingState):
    """A round of Sakura. The dealer plays first.

    Attributes:
        phase: what happens next.
        shown: cards in hands that were shown with a hiki.
        dead: cards out of play.
        gaji_by: 1 + the seat that has taken a card with the gaji as a wild card; 0 for nobody.
        gaji_month: the month of that card, 1 to 12; 0 for none.
    """

    hand: list[int] = cards(each_seat=MOST_SEATS)
    held: list[int] = count(48, each_seat=MOST_SEATS)
    captured: list[int] = cards(each_seat=MOST_SEATS, public=True)

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    shown: int = cards(public=True)
    dead: int = cards(public=True)
    gaji_by: int = seat(none=0, public=True)
    gaji_month: int = count(12, public=True)

    teams: int = option()
    hiki: int = option()
    gaji_stock: int = option()
    gaji_field: int = option()
    gaji_rest: int = option()
    result: int = option()
    field_four: int = option()
    zero_sum: int = option()
    end: int = option()
