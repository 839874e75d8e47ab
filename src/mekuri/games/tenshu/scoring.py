"""The points of cards and dekiyaku in Tenshu, the end of a round, and the payments."""

from __future__ import annotations

from functools import reduce
from operator import or_

from mekuri.cards import CLUBS, COINS, EXTRA, SWORDS, card, parse_cards, whole_number
from mekuri.engine.compiled import bit, count, first, has, rule, shared_rule
from mekuri.games.tenshu.options import Fuke, Leftover, ThreeYaku, VoidRound
from mekuri.games.tenshu.seats import is_active, is_servant, next_active
from mekuri.games.tenshu.state import ACTIVE, Cause, Ending, Phase, TenshuState

# tenshu.score.card-points: the clubs count their number but for 1, 2 and 6; every card that is not named counts 1
_VALUES = {card(n, CLUBS): n for n in (3, 4, 5, 7, 8, 9, 10, 11, 12)} | {card(n, CLUBS): 10 for n in (1, 2, 6)}
_VALUES |= {card(1, SWORDS): 5, card(10, SWORDS): 10, card(2, COINS): 10, EXTRA: 10}
_TABLES = (_VALUES, _VALUES | {card(1, CLUBS): 15}, _VALUES | {EXTRA: 15})
VALUES = tuple(tuple(table.get(c, 1) for c in range(49)) for table in _TABLES)
# tenshu.deal.three-on-field: what is not junk
SCORING = sum(bit(c) for c in range(48) if _VALUES.get(c, 1) > 1)

GROUPS = {"counting": SCORING | bit(EXTRA), "others": sum(bit(c) for c in range(48)) & ~SCORING}

# tenshu.score.par
PAR = 43

# tenshu.yaku.taikosan, tenshu.yaku.aka, tenshu.yaku.go, tenshu.yaku.shi, tenshu.yaku.san
YAKU = ("taikosan", "aka", "go", "shi", "san")
YAKU_CARDS = (parse_cards("2O 3H 3I 3O 3K"), parse_cards("7I 8I 9I"), whole_number(5), whole_number(4), whole_number(3))
YAKU_POINTS = (100, 50, 30, 25, 20)
TAIKOSAN, AKA = range(2)
# tenshu.deal.passed-over
DEKIYAKU_CARDS = reduce(or_, YAKU_CARDS)

# tenshu.end.taikosan-gifts: to a servant with a card, and to an empty servant
SERVANT_GIFT, EMPTY_GIFT = 20, 10
# tenshu.end.fuke
FUKE_POINTS, FUKE_CARDS, FUKE_MOST = 20, 4, 5


@shared_rule
def card_points(s: TenshuState, cards: int) -> int:
    points = 0
    while cards:
        points += VALUES[s.card_points][first(cards)]
        cards &= cards - 1
    return points


# --- Dekiyaku ---


@rule
def cards_for_yaku(s: TenshuState, seat: int) -> int:
    # tenshu.end.leftover-counts
    return s.captured[seat] if s.leftover == Leftover.COUNTS else s.captured[seat] & ~s.awarded


@rule
def has_yaku(s: TenshuState, seat: int, yaku: int) -> bool:
    return is_active(s, seat) and cards_for_yaku(s, seat) & YAKU_CARDS[yaku] == YAKU_CARDS[yaku]


# tenshu.score.yaku-paid: all count side by side, but Taikosan stands alone
@rule
def yaku_of(s: TenshuState, seat: int) -> int:
    if has_yaku(s, seat, TAIKOSAN):
        return bit(TAIKOSAN)
    made = 0
    for yaku in range(1, 5):
        if has_yaku(s, seat, yaku):
            made |= bit(yaku)
    return made


@shared_rule
def yaku_points(s: TenshuState, seat: int) -> int:
    made, points = yaku_of(s, seat), 0
    for yaku in range(5):
        if has(made, yaku):
            points += YAKU_POINTS[yaku]
    return points


# --- The end of a round ---


# tenshu.end.fuke, tenshu.end.fuke-several
@rule
def has_fuke(s: TenshuState, seat: int) -> bool:
    cards = count(s.captured[seat])
    few = cards == FUKE_CARDS or (cards < FUKE_CARDS and s.fuke == Fuke.AT_MOST_FOUR)
    return few and card_points(s, s.captured[seat]) <= FUKE_MOST


# tenshu.score.three-yaku
@rule
def three_yaku(s: TenshuState) -> bool:
    made = 0
    for seat in range(s.seats):
        own = count(yaku_of(s, seat))
        made = max(made, own) if s.three_yaku == ThreeYaku.PER_PLAYER else made + own
    return made >= 3


@shared_rule
def settle(s: TenshuState) -> None:
    """Set the ending and the winner of a round in which all cards are played; among equals the first in turn order wins."""
    s.phase = Phase.OVER
    seat = s.dealer
    for _ in range(ACTIVE):
        if has_fuke(s, seat):
            s.ending = Ending.FUKE
            s.winner = seat + 1
            return
        seat = next_active(s, seat)
    if three_yaku(s):
        if s.void_round == VoidRound.REPLAY:
            s.cause = Cause.THREE_YAKU
            s.phase = Phase.GATHER
        else:
            s.ending = Ending.VOID
        return
    s.ending = Ending.SETTLED
    s.winner = most_points(s) + 1


# tenshu.match.next-dealer, tenshu.match.next-dealer-tie
@rule
def most_points(s: TenshuState) -> int:
    """The active seat with the most card points; among equals the first in turn order, from the dealer."""
    seat, first_of_most, most = s.dealer, s.dealer, -1
    for _ in range(ACTIVE):
        points = card_points(s, s.captured[seat])
        if points > most:
            first_of_most, most = seat, points
        seat = next_active(s, seat)
    return first_of_most


# --- Payments ---


# tenshu.end.taikosan-gifts
@rule
def gift(s: TenshuState, seat: int) -> int:
    """The points that the winner of Taikosan gives to a seat."""
    if is_servant(s, seat):
        return SERVANT_GIFT
    return 0 if is_active(s, seat) or has(s.out, seat) else EMPTY_GIFT


# tenshu.score.yaku-paid
@rule
def yaku_balance(s: TenshuState, seat: int) -> int:
    """The points that an active seat is paid for its dekiyaku, less the points that it pays for the dekiyaku of others."""
    balance = 0
    for other in range(s.seats):
        balance += 3 * yaku_points(s, other) if other == seat else -yaku_points(s, other)
    return balance


# tenshu.players.servants-never-pay
@rule
def returns(s: TenshuState, seat: int) -> int:
    active = is_active(s, seat)
    if s.ending == Ending.VOID:
        return 0
    if s.ending == Ending.TAIKOSAN:
        if not active:
            return gift(s, seat)
        if s.winner != seat + 1:
            return -YAKU_POINTS[TAIKOSAN]
        given = 0
        for other in range(s.seats):
            given += gift(s, other)
        return 3 * YAKU_POINTS[TAIKOSAN] - given
    if s.ending == Ending.FUKE:
        return 0 if not active else 3 * FUKE_POINTS if s.winner == seat + 1 else -FUKE_POINTS
    # tenshu.score.card-points, tenshu.score.servant
    points = card_points(s, s.captured[seat])
    return points - PAR + yaku_balance(s, seat) if active else points


@rule
def outlook(s: TenshuState, seat: int) -> int:
    """A seat's card points and the points that the others pay for its dekiyaku, in units of `returns`, but counted from 0."""
    return card_points(s, s.captured[seat]) + 3 * yaku_points(s, seat)
