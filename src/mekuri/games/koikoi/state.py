"""The state of a round of Koi-Koi, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, count, option, seat
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState

MOST_TURNS = 12  # of one seat: eight from the hand and four from the stock alone
MOST_BASE = 127  # points of yaku, before multipliers
MOST_STACK = 1 << 20  # points that a seat can have in a match
YAKU = (
    "five-brights",
    "four-brights",
    "rainy-four",
    "three-brights",
    "boar-deer-butterflies",
    "animals",
    "poetry-and-blue",
    "poetry",
    "blue",
    "ribbons",
    "flower-viewing",
    "moon-viewing",
    "month",
    "chaff",
)


class Word(Choice):
    """Actions that are not cards."""

    DECLARE = 49
    PASS = 50
    KOI = 51
    SHOBU = 52
    DEAL = 59
    TAKE = 60
    GATHER = 61
    TURN_UP = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card from its hand
    CHOOSE = 1  # that card matches two: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card matches two: the seat chooses
    CALL = 4  # the seat has made or improved a yaku: it ends the round or goes on
    ANSWER = 5  # the dealer has declared a lucky hand: the other seat may declare one, too
    DEAL = 6, Word.DEAL
    GATHER = 7, Word.GATHER  # a misdeal is thrown in
    DEALER_TAKES = 8, Word.TAKE  # option: the dealer takes four of a month from the field
    OVER = 9


class Cause(Choice):
    """Why a deal is thrown in, in the order of the contract's redeals."""

    FOUR_ON_FIELD = 0
    PAIRS_ON_FIELD = 1
    LUCKY_HAND = 2


class Ending(Choice):
    """The endings of a round."""

    SHOBU = 0
    LUCKY_HAND = 1
    BOTH_LUCKY = 2
    FOUR_ON_FIELD = 3
    EXHAUSTED = 4


@dataclass(slots=True)
class KoikoiState(FishingState):
    """A round of Koi-Koi. The dealer plays first.

    Attributes:
        phase: what happens next.
        cause: why the deal is thrown in, in the phase GATHER.
        winner: 1 + the seat that has won the round; 0 for nobody.
        called: how often each seat has called koi-koi.
        best: each seat's points of yaku at its last decision.
        known: the yaku that each seat had at its last decision, as bits.
        last: 1 + the seat that made or improved a yaku last; 0 for nobody.
        shown: the cards of the lucky hands that have been declared.
        month: the month of the round, 1 to 12.
        month_counts: whether the four cards of the month are a yaku.
        field_times: what the first field multiplies the winner's points by.
        stack: the points that each seat has left to pay, in a match with a stake.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    cause: int = choice(Cause, public=True)
    winner: int = seat(none=0, public=True)
    called: list[int] = count(MOST_TURNS, each_seat=2, public=True)
    best: list[int] = count(MOST_BASE, each_seat=2, public=True)
    known: list[int] = count((1 << len(YAKU)) - 1, each_seat=2, public=True)
    last: int = seat(none=0, public=True)
    shown: int = cards(public=True)
    month: int = count(12, public=True)
    month_counts: int = count(1, public=True)
    field_times: int = count(6, public=True)
    stack: list[int] = count(MOST_STACK, each_seat=2, public=True)

    brights: int = option()
    sets: int = option()
    viewing: int = option()
    viewing_points: int = option()
    cup: int = option()
    month_yaku: int = option()
    seven: int = option()
    koi_multiplier: int = option()
    field_multiplier: int = option()
    draw: int = option()
    draw_dealer: int = option()
    teyaku: int = option()
    both_hands: int = option()
    field_four: int = option()
    field_pairs: int = option()
    calls: int = option()
    last_call: int = option()
    hand_cards: int = option()
    finish: int = option()
    score_of: int = option()
    ledger: int = option()
