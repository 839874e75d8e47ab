"""The state of a round of Tenshu, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import card, cards, choice, count, option, seat, seats
from mekuri.engine.options import Choice
from mekuri.games.fishing import FishingState

MOST_SEATS = 7
ACTIVE = 4  # seats that play in a round, but for the servant
PILE = 5  # cards of a pile when it is dealt


class Word(Choice):
    """Actions that are not cards."""

    NOTTA = 49
    PASS = 50
    LEFT = 51
    RIGHT = 52
    PILE = 53
    ACCEPT = 54
    CUT = 55
    DEAL = 56
    GATHER = 57
    TAKE = 58
    SET_ASIDE = 59
    SWAP = 60
    TURN_UP = 61
    AWARD = 62


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # an active player plays a card of the hand, or says that the pile's top card is played
    CHOOSE = 1  # the card played may take one of several: its player chooses
    TURN_UP = 2, Word.TURN_UP  # the driver turns up the top card of the player's pile
    SERVANT = 3  # the servant plays the card, or passes
    CUT = 4, Word.CUT  # the pack is cut, and the servant finds a card
    ACCEPT = 5  # option: the servant accepts that card or refuses it
    DEAL = 6, Word.DEAL
    GATHER = 7, Word.GATHER  # the cards are thrown in, to be dealt again
    TAKE_FOUR = 8, Word.TAKE  # option: the dealer takes four of a number
    SET_ASIDE = 9, Word.SET_ASIDE  # option: four of a number are set aside
    ONIFUDA = 10  # the dealer chooses what the onifuda takes that was dealt to the field
    TAKE_ONIFUDA = 11, Word.TAKE  # option: the dealer takes it alone
    TRIPLE = 12  # option: the dealer takes two of three of a number, and chooses the one that stays
    NOTTA = 13  # the others may shout "Notta!"
    PILES = 14  # the active players choose which of their two piles becomes the hand
    EXCHANGE = 15  # option: the dealer lays a card of the hand in exchange for the onifuda
    SWAP = 16, Word.SWAP  # who shouted and the dealer exchange their hands
    AWARD = 17, Word.AWARD  # the driver gives out what is left
    OVER = 18


class Cause(Choice):
    """Why cards are thrown in, in the order of the contract's redeals."""

    FOUR_ON_FIELD = 0
    ONIFUDA_ON_FIELD = 1
    THREE_YAKU = 2


class Ending(Choice):
    """The endings of a round."""

    SETTLED = 0
    TAIKOSAN = 1
    FUKE = 2
    VOID = 3


@dataclass(slots=True)
class TenshuState(FishingState):
    """A round of Tenshu. Four seats are active: the dealer and the next three; the seat after them is the servant's.

    Attributes:
        phase: what happens next.
        cause: why the cards are thrown in, in the phase GATHER.
        out: the set of seats that are out of the match.
        active: the set of the four active seats.
        servant: 1 + the seat of the first servant; 0 where there is none.
        served: 1 if the servant has received a card in this round.
        forfeited: 1 if the servant has passed for good and keeps the card.
        pile: the face-down pile of each seat, five places a seat, the bottom card first; before the choice, its left pile.
        right_pile: likewise its right pile, before the choice.
        pile_size, right_size: how many cards each pile has.
        shown: cards in hands that have been shown to everyone.
        looked: for each seat's hand the set of other seats that know all of it, because they gave it away.
        answered: the set of seats that have answered whether they shout "Notta!".
        shouted: 1 + the seats that shouted, in order.
        shouts: how many shouted.
        swaps: how many of them have exchanged hands.
        dead: cards out of play.
        laid_by: 1 + the seat that laid the onifuda on the field without taking a card; 0 for nobody.
        awarded: the cards that were left and given out.
        winner: 1 + the seat with Taikosan, Fuke or else the most card points; 0 for nobody.
        elimination: 1 if a seat that cannot pay is out of the match.
        stones: in such a match, the points each seat had before the round.
    """

    hand: list[int] = cards(each_seat=MOST_SEATS)
    held: list[int] = count(PILE, each_seat=MOST_SEATS)
    captured: list[int] = cards(each_seat=MOST_SEATS, public=True)  # tenshu.play.captures-open

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    cause: int = choice(Cause, public=True)
    out: int = seats(public=True)
    active: int = seats(public=True)
    servant: int = seat(none=0, public=True)
    served: int = count(1, public=True)
    forfeited: int = count(1, public=True)
    pile: list[int] = card(PILE, each_seat=MOST_SEATS)
    right_pile: list[int] = card(PILE, each_seat=MOST_SEATS)
    pile_size: list[int] = count(PILE, each_seat=MOST_SEATS, public=True)
    right_size: list[int] = count(PILE, each_seat=MOST_SEATS, public=True)
    shown: int = cards(public=True)
    looked: list[int] = seats(each_seat=MOST_SEATS, public=True)
    answered: int = seats(public=True)
    shouted: list[int] = seat(3, none=0, public=True)
    shouts: int = count(3, public=True)
    swaps: int = count(3, public=True)
    dead: int = cards(public=True)
    laid_by: int = seat(none=0, public=True)
    awarded: int = cards(public=True)
    winner: int = seat(none=0, public=True)
    elimination: int = count(1, public=True)
    stones: list[int] = count(1 << 40, each_seat=MOST_SEATS, public=True)

    deal_order: int = option()
    servant_card: int = option()
    servant_onifuda: int = option()
    servant_refuses: int = option()
    servant_declines: int = option()
    pass_forfeits: int = option()
    four_on_field: int = option()
    onifuda_on_field: int = option()
    three_on_field: int = option()
    notta: int = option()
    notta_pass: int = option()
    pile_choice: int = option()
    onifuda_and_three: int = option()
    onifuda_alone: int = option()
    leftover: int = option()
    fuke: int = option()
    three_yaku: int = option()
    void_round: int = option()
    void_dealer: int = option()
    card_points: int = option()
    deals_next: int = option()
