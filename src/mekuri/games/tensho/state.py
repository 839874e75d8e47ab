"""The state of a round of Tensho, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, count, option, seat, seats
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState
from mekuri.games.kabu_pot import MOST_UNITS


class Word(Choice):
    """Actions that are not cards. To decline is to leave three of a number, to let a bet be, or to stake nothing.

    The driver deals packs and dead cards, turns up the field and hands, turns up single cards and the middle, and gathers
    cards and chips: cards that the dealer takes or that are dealt again, chips that are paid out or given back.
    """

    ONE = 49
    TWO = 50
    LEFT = 51
    RIGHT = 52
    DECLINE = 53
    NAKA = 54
    OTO = 55
    TEN = 56
    TWENTY = 57
    THIRTY = 58
    DEAL = 59
    REVEAL = 60
    GATHER = 61
    TURN_UP = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card from its hand
    CHOOSE = 1  # that card matches several: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card matches several: the seat chooses
    VOTE = 4  # both seats vote for a yaku set
    DEAL = 5, Word.DEAL
    STACK = 6  # the dealer chooses a stack as his hand
    REVEAL = 7, Word.REVEAL  # the driver turns up the field
    GATHER = 8, Word.GATHER  # four of a number on the field: the deal is thrown in
    TAKE_FOUR = 9, Word.GATHER  # option: the dealer takes four of a number
    TAKE_SIX = 10, Word.GATHER  # option: the dealer takes the 6 of clubs
    TRIPLE = 11  # the dealer may take one of three of a number,
    TRIPLE_SECOND = 12  # and then a second
    BET = 13  # Shoniban: the dealer's opponent bets on a row of the field, or lets it be
    SETTLE = 14, Word.GATHER  # Shoniban: the driver settles that bet
    # From here on the round is decided.
    DEAL_DEAD = 15, Word.DEAL  # Tokotoko: the driver deals the dead cards
    STAKE = 16  # Tokotoko: both name a stake, unseen by each other
    MIDDLE = 17, Word.TURN_UP  # Tokotoko: the driver turns up the two cards in the middle
    LEAVE_OUT = 18  # Tokotoko, where that is chosen: a seat leaves out one of its four cards
    SHOW = 19, Word.REVEAL  # Tokotoko: the driver shows both hands
    PAY = 20, Word.GATHER  # Tokotoko: the driver pays the pot to the best
    OVER = 21


class Ending(Choice):
    """The endings of a round: the criterion that decided it."""

    INSTANT_WIN = 0
    YAKU = 1
    CHAFF = 2
    CARD_POINTS = 3
    TIE = 4


@dataclass(slots=True)
class TenshoState(FishingState):
    """A round of Tensho.

    Attributes:
        phase: what happens next.
        vote: the yaku set each seat has voted for, 1 or 2; hidden until both have voted.
        voted: the set of seats that have voted.
        set: the yaku set of the round, 1 or 2; 0 before it is known.
        overruled: 1 if the votes differed and the dealer's stood.
        stack: the two stacks, left and right, of which the dealer chooses one.
        face_down: the field before it is turned up; where Shoniban is played only its first row.
        stack_held, field_held: in a hidden state, how many cards each stack and the field hold face down; 0 otherwise.
        dead: cards set aside for the round; none where Tokotoko is played, for which they lie in `two` and `middle`.
        pairs_taken: how many times the dealer has taken two of three.
        plays_second: 1 if the dealer has captured before play and so plays second.
        winner: 1 + the seat that won the round; 0 for nobody.
        naka, oto: in Shoniban the second and the third row of the field, until the bet is settled; in a hidden state nothing
            while they lie face down.
        bet: in Shoniban the row that the dealer's opponent bets on: 1 the second, 2 the third, 0 none.
        won: the chips that each seat has won from the other in Shoniban in this round so far.
        two: in Tokotoko each seat's two dead cards, in a hidden state the visible ones only; set aside until the round is decided.
        middle: in Tokotoko the two in the middle, likewise.
        named: in Tokotoko for each seat 1 and the units it has named; 0 before it has, and in a hidden state where that may not be
            seen.
        spoken: in Tokotoko the set of seats that have named a stake.
        stake: in Tokotoko the units that both have put up; 0 before.
        out: in Tokotoko for each seat the set of the one card of its four that it has chosen to leave out, else 0; it only notes a
            card.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    vote: list[int] = count(2, each_seat=2)
    voted: int = seats(public=True)
    set: int = count(2, public=True)
    overruled: int = count(1, public=True)
    stack: list[int] = cards(2)
    face_down: int = cards()
    stack_held: list[int] = count(24, 2)
    field_held: int = count(24)
    dead: int = cards()
    pairs_taken: int = count(6, public=True)
    plays_second: int = count(1, public=True)
    winner: int = seat(none=0, public=True)

    naka: int = cards()
    oto: int = cards()
    bet: int = count(2, public=True)
    won: list[int] = count(1 << 40, each_seat=2, public=True)

    two: list[int] = cards(each_seat=2)
    middle: int = cards()
    named: list[int] = count(1 + MOST_UNITS, each_seat=2)
    spoken: int = seats(public=True)
    stake: int = count(MOST_UNITS, public=True)
    out: list[int] = cards(each_seat=2, public=True)

    yaku_set: int = option()
    four_on_field: int = option()
    triple_pick: int = option()
    triples: int = option()
    six_on_field: int = option()
    fourth_card: int = option()
    last_stock: int = option()
    overlap: int = option()
    chaff: int = option()
    card_points: int = option()
    ten_nine_king: int = option()
    rainman_back: int = option()
    tie: int = option()
    score: int = option()
    instant_points: int = option()
    instant_yaku: int = option()
    deal_order: int = option()
    shoniban: int = option()
    shoniban_stake: int = option()
    tokotoko: int = option()
    tokotoko_free: int = option()
    deck_numbers: int = option()
    hand_cards: int = option()
    field_cards: int = option()
