"""The state of a round of Mekuri, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, count, option, seat
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState

MOST_SEATS = 4
YAKU = (
    "danjuro",
    "ebizo",
    "nakazo",
    "akazo",
    "shimosan",
    "kamisan",
    "swords-low",
    "clubs-middle",
    "swords-middle",
    "swords-high",
)


class Word(Choice):
    """Actions that are not cards."""

    IN = 49
    OUT = 50
    DECLARE = 51
    DEAL = 57
    PUT_BACK = 58
    SHUFFLE = 59
    TAKE = 60
    GATHER = 61
    TURN_UP = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card from its hand
    CHOOSE = 1  # that card matches two: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card matches two: the seat chooses
    DEAL = 4, Word.DEAL
    WHO = 5  # with four seats: a seat says whether it plays or sits out
    PUT_BACK = 6, Word.PUT_BACK  # the cards of the seat that sits out go back into the stock
    SHUFFLE = 7, Word.SHUFFLE  # the stock has been shuffled again
    DEALER_TAKES = 8, Word.TAKE  # option: the dealer takes four of a number from the field
    GATHER = 9, Word.GATHER  # a misdeal is thrown in
    OVER = 10


class Cause(Choice):
    """Why a deal is thrown in, in the order of the contract's redeals."""

    FOUR_ON_FIELD = 0
    FOUR_IN_HAND = 1


@dataclass(slots=True)
class MekuriState(FishingState):
    """A round of Mekuri. With four seats one of them sits out. All seats know which seat is asked about it next.

    Attributes:
        phase: what happens next.
        cause: why the deal is thrown in, in the phase GATHER.
        out: 1 + the seat that sits out; 0 for nobody, or while that is not decided.
        forced: 1 if that seat has been forced out.
        payment: what each of two players pays to a seat that has been forced out, for yaku in its hand.
        shown: cards that have been shown to everyone, and lie in a hand or went back into the stock.
        returned: the cards that the seat that sits out has put back into the stock, a note of its own.
    """

    hand: list[int] = cards(each_seat=MOST_SEATS)
    held: list[int] = count(10, each_seat=MOST_SEATS)
    captured: list[int] = cards(each_seat=MOST_SEATS, public=True)  # mekuri.play.captures-open

    phase: int = choice(Phase, public=True)
    cause: int = choice(Cause, public=True)
    out: int = seat(none=0, public=True)
    forced: int = count(1, public=True)
    payment: int = count(1_000, public=True)
    shown: int = cards(public=True)
    returned: int = cards()

    score: int = option()
    yaku_value: int = option()
    yaku_ratio: int = option()
    yaku_set: int = option()
    values: int = option()
    par: int = option()
    drop_fee: int = option()
    forced_out: int = option()
    field_four: int = option()
    hand_four: int = option()
    two_hands: int = option()
