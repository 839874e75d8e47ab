"""The state of a round of Tensho, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import cards, choice, count, option
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState


class Phase(Choice):
    """What happens next."""

    PLAY = 0  # a seat plays a card from its hand
    CHOOSE = 1  # that card matches several: its player chooses
    TURN_UP = 2  # the driver turns up the next card of the stock
    CHOOSE_TURNED = 3  # the turned card matches several: the seat chooses
    VOTE = 4  # both seats vote for a yaku set
    DEAL = 5
    STACK = 6  # the dealer chooses a stack as his hand
    REVEAL = 7  # the driver turns up the field
    GATHER = 8  # four of a number on the field: the deal is thrown in
    TAKE_FOUR = 9  # option: the dealer takes four of a number
    TAKE_SIX = 10  # option: the dealer takes the 6 of clubs
    TRIPLE = 11  # the dealer may take one of three of a number,
    TRIPLE_SECOND = 12  # and then a second
    OVER = 13


class Word(Choice):
    """Actions that are not cards."""

    ONE = 49
    TWO = 50
    LEFT = 51
    RIGHT = 52
    DECLINE = 53
    DEAL = 57
    REVEAL = 58
    GATHER = 59
    TAKE_FOUR = 60
    TAKE_SIX = 61
    TURN_UP = 62


class Ending(Choice):
    """What decided the round."""

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
        face_down: the field before it is turned up.
        stack_held, field_held: in a hidden state, how many cards each stack and the field hold face down; 0 otherwise.
        dead: cards set aside for the round.
        pairs_taken: how many times the dealer has taken two of three.
        plays_second: 1 if the dealer has captured before play and so plays second.
        winner: 1 + the seat that won the round; 0 for nobody.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    vote: list[int] = count(2, 2)
    voted: int = count(3, public=True)
    set: int = count(2, public=True)
    overruled: int = count(1, public=True)
    stack: list[int] = cards(2)
    face_down: int = cards()
    stack_held: list[int] = count(24, 2)
    field_held: int = count(24)
    dead: int = cards()
    pairs_taken: int = count(6, public=True)
    plays_second: int = count(1, public=True)
    winner: int = count(2, public=True)

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
    deck_numbers: int = option()
    hand_cards: int = option()
    field_cards: int = option()
