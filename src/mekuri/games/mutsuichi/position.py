"""Positions of Mutsu-ichi: fill in the fields that a hand-written one leaves out, and refuse impossible positions."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import count, has
from mekuri.engine.position import need
from mekuri.games.mutsuichi.rules import (
    BANK_PAYS,
    BANKS_CHIPS,
    BETTORS_CHIPS,
    banks_chips,
    bettors,
    how_it_ended,
    least_bets,
    lost_bets,
    most_bets,
    next_paid,
    right_card,
    six_cards,
)
from mekuri.games.mutsuichi.state import HISTORY, NUMBERS, MutsuIchiState, Phase


def complete(s: MutsuIchiState) -> None:
    """Fill in hands, backs, chips, turns and the ending, and refuse a position that lacks what its phase needs."""
    need(s.stock == s.gathered == 0, "there is no stock: every card belongs to a seat")
    rows = (s.hand, s.bet, s.backs, s.taken_back, s.stack, s.paid)
    need(not any(any(row[s.seats :]) for row in rows), f"there are {s.seats} seats")
    if not any(s.stack):
        s.stack[: s.seats] = [BANKS_CHIPS if seat == s.dealer else BETTORS_CHIPS for seat in range(s.seats)]
    s.turns = 1 if s.phase == Phase.CHOOSE else 2
    _complete_cards(s)
    _complete_bets(s)
    _check_payments(s)
    s.ending = how_it_ended(s) if s.phase == Phase.OVER else 0
    _check_history(s)


def _complete_cards(s: MutsuIchiState) -> None:
    need(count(s.cloth) == int(s.phase != Phase.CHOOSE), "cloth is the one card that the bank has chosen, once it has")
    for seat in range(s.seats):
        laid = s.bet[seat]
        if seat == s.dealer:
            need(laid == 0, f"seat {seat} holds the bank, and does not bet")
            laid = s.cloth
        own = six_cards(seat)
        need(laid & ~own == 0, f"seat {seat} lays cards of its own six")
        if s.hand[seat] == 0:
            s.hand[seat] = own & ~laid
        need(s.hand[seat] == own & ~laid, f"seat {seat} holds those of its six cards that it has not laid, and no others")


def _complete_bets(s: MutsuIchiState) -> None:
    if s.phase > Phase.BET:
        s.done = s.done or bettors(s)
        need(s.done == bettors(s), "after the bets all bettors are done")
    need(s.done & ~bettors(s) == 0, "done are bettors, as the sum of 1 for seat 0, 2 for seat 1, 4 for seat 2 and so on")
    need(s.phase != Phase.BET or s.done != bettors(s), "all bettors are done: the phase is showdown")
    need(s.phase != Phase.CHOOSE or not (s.done or any(s.bet)), "nobody bets before the bank has chosen")
    for seat in each(bettors(s)):
        least = least_bets(s, seat) if has(s.done, seat) else 0
        need(least <= count(s.bet[seat]) <= most_bets(s, seat), f"seat {seat} may not bet on so many cards, or so few")
    for seat in range(s.seats):
        backs = count(s.bet[seat]) if s.bets_shown else 0
        s.backs[seat] = s.backs[seat] or backs
        need(s.backs[seat] == backs, f"backs are the cards that seat {seat} has laid, where bets are shown")
        betting = s.phase == Phase.BET and bool(has(bettors(s) & ~s.done, seat))
        need(betting or s.taken_back[seat] == 0, f"seat {seat} takes no bets back, or not any more")


def _check_payments(s: MutsuIchiState) -> None:
    need(s.phase != Phase.COLLECT or lost_bets(s) > 0, "there is no lost bet to collect")
    need(s.phase >= Phase.PAY or not any(s.paid), "nobody is paid before the bank has the bets on wrong cards")
    if s.phase < Phase.PAY:
        return
    order = [(s.dealer + i) % s.seats for i in range(1, s.seats)]
    winners = [seat for seat in order if right_card(s, seat)]
    paid = [s.paid[seat] for seat in winners]
    need(sum(paid) == sum(s.paid), "only who has bet on the right card is paid")
    need(paid == sorted(paid, reverse=True), "bettors are paid in turn order")
    full = s.bet_size * BANK_PAYS // 10
    short = [chips for chips in paid if 0 < chips < full]
    need(
        max(paid, default=0) <= full and banks_chips(s) >= 0, "the bank pays no more than five times a bet, and no more than it has"
    )
    need(not short or (len(short) == 1 and banks_chips(s) == 0), "the bank pays in full for as long as it can")
    ended = next_paid(s) < 0 or banks_chips(s) == 0
    need(ended == (s.phase == Phase.OVER), "the round is over when everybody is paid, or the bank has nothing left, and not before")


def _check_history(s: MutsuIchiState) -> None:
    rounds = HISTORY - s.past_number.count(0)
    need(not any(s.past_number[rounds:]), "past_number names every round from the newest on, without a gap")
    need(max(s.past_dealer) < s.seats, f"there are {s.seats} seats")
    need(max(s.past_bets) < s.seats, f"there are {s.seats - 1} bettors")
    need(s.bank_rounds == 0 or s.bank_played < s.bank_rounds, f"a bank lasts {s.bank_rounds} rounds, this one among them")
    need(
        not any(s.past_dealer[rounds:] + s.past_bets[rounds * NUMBERS :]), "past_dealer and past_bets go back as far as past_number"
    )
