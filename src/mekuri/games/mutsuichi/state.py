"""The state of a round of Mutsu-ichi, its phases and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import MOST_SEATS, RoundState, cards, choice, count, option, seat, seats
from mekuri.engine.options import Choice

HISTORY = 64  # rounds of the match that are remembered
NUMBERS = 6
# mutsuichi.bet.take-back: so that every round ends
MOST_TAKEN_BACK = 20


class Word(Choice):
    """Actions that are not cards."""

    DONE = 49
    SHOWDOWN = 60
    COLLECT = 61
    PAY = 62


class Phase(Choice):
    """The phases of a round: which action comes next. They stand in the order in which they come."""

    CHOOSE = 0  # the bank chooses a card and lays it under the cloth
    BET = 1  # all bettors lay cards, unseen by each other
    SHOWDOWN = 2, Word.SHOWDOWN  # the driver opens the cloth and the bets
    COLLECT = 3, Word.COLLECT  # the driver gives the bank the bets on wrong cards
    PAY = 4, Word.PAY  # the driver pays the next bettor who bet on the right card
    OVER = 5


class Ending(Choice):
    """The endings of a round."""

    NO_BETS = 0  # nobody has bet
    ALL_LOST = 1  # nobody has bet on the right card
    PAID = 2  # a seat has, and was paid
    BANK_BROKE = 3  # the bank has nothing left, whether or not it could pay all it owed


@dataclass(slots=True)
class MutsuIchiState(RoundState):
    """A round of Mutsu-ichi. The dealer is the bank, all other seats are bettors. Rows have a place for every seat.

    A seat's bet is cards of its own six, with one bet on each. From the fifth seat on there are further packs, so the same card
    may lie before several seats.

    Attributes:
        phase: what happens next.
        hand: each seat's cards that it has not laid; in a hidden state nothing, where they may not be seen.
        bet: the cards that each bettor has laid, likewise.
        cloth: the card that the bank has laid under the cloth, likewise.
        done: the set of bettors who have finished betting.
        backs: how many cards each bettor has laid, where bets are shown; else 0.
        taken_back: how often each bettor has taken a bet back and is not done; in a hidden state 0, where that may not be seen.
        stack: each seat's chips at the start of the round.
        paid: what the bank has paid for each bettor's right card: its winnings and the terazen.
        bank_rounds: how many rounds a bank lasts in this match; 0 where it never changes.
        bank_played: how many rounds the present bank has held the bank before this one.
        past_number: the numbers that have come in this match, the newest first; 0 where there were no more.
        past_dealer: the bank of each of these rounds.
        past_bets: for each of these rounds how many bettors had bet on 1, on 2, and so on to 6.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    hand: list[int] = cards(each_seat=MOST_SEATS)
    bet: list[int] = cards(each_seat=MOST_SEATS)
    cloth: int = cards()
    done: int = seats(public=True)
    backs: list[int] = count(NUMBERS, each_seat=MOST_SEATS, public=True)
    taken_back: list[int] = count(MOST_TAKEN_BACK, each_seat=MOST_SEATS)
    stack: list[int] = count(1 << 40, each_seat=MOST_SEATS, public=True)
    paid: list[int] = count(500, each_seat=MOST_SEATS, public=True)
    bank_rounds: int = count(48, public=True)
    bank_played: int = count(1 << 40, public=True)
    past_number: list[int] = count(NUMBERS, HISTORY, public=True)
    past_dealer: list[int] = seat(HISTORY, public=True)
    past_bets: list[int] = count(MOST_SEATS - 1, HISTORY * NUMBERS, public=True)

    most_cards: int = option()
    least_cards: int = option()
    bet_size: int = option()
    payout: int = option()
    bets_shown: int = option()
