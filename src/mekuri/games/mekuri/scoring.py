"""The points of cards and yaku in Mekuri, the par, and what a round brings each seat."""

from __future__ import annotations

from mekuri.cards import ALL, CLUBS, SWORDS, card, each, number, parse_cards, suit
from mekuri.engine.compiled import bit, first, has, rule, shared_rule
from mekuri.games.mekuri.options import ForcedOut, Par, Score, Values, YakuRatio, YakuSet
from mekuri.games.mekuri.seats import first_player, is_active, next_active, players
from mekuri.games.mekuri.state import YAKU, MekuriState

# mekuri.cards.points: the clubs count 50 but for 6, 7 and 8, the swords 10, the 2 of coins 50, all others nothing
_EDO = {card(n, CLUBS): 50 for n in range(1, 13)} | {card(6, CLUBS): 60, card(7, CLUBS): 20, card(8, CLUBS): 20}
_EDO |= {card(n, SWORDS): 10 for n in range(1, 13)} | dict.fromkeys(each(parse_cards("2O")), 50)
# Option values: for each suit the points of the numbers from 1 to 12.
_BLOMHOFF = ("530456222533", "511111111533", "550000000533", "100000000111")
VALUES = (
    tuple(_EDO.get(c, 0) for c in range(48)),
    tuple(int(_BLOMHOFF[suit(c)][number(c) - 1]) for c in range(48)),
)

CHAFF = sum(bit(c) for c in range(48) if not VALUES[Values.EDO][c])
_SWORDS = sum(bit(card(n, SWORDS)) for n in range(1, 13))
GROUPS = {"counting": ALL & ~CHAFF & ~_SWORDS, "swords": _SWORDS, "chaff": CHAFF}

# mekuri.score.par
PACK, PAR, STEP = 720, 240, 18

# mekuri.yaku.danjuro, mekuri.yaku.ebizo, mekuri.yaku.nakazo, mekuri.yaku.akazo, mekuri.yaku.shimosan, mekuri.yaku.kamisan
_ROWS = ("1H 2H 10H", "1H 2I 10H", "7H 8H 9H", "7I 8I 9I", "1H 2H 3H", "10H 11H 12H")
# mekuri.yaku.list: option yaku_set has four more, which Blomhoff and Judan have beside the last four.
_MORE = ("1I 2I 3I", "4H 5H 6H", "4I 5I 6I", "10I 11I 12I")
YAKU_CARDS = tuple(parse_cards(row) for row in (*_ROWS, *_MORE))
COUNT = len(YAKU)
DEAR = bit(YAKU.index("kamisan")) | bit(YAKU.index("swords-high"))  # the yaku of 3 units, where others have 2
IN_SET = (0b0000111111, 0b1111111100, 0b1111111100)  # by the option yaku_set, the yaku that count
JUDAN_POINTS = (0, 0, 5, 10, 1, 5, 2, 1, 2, 10)


# mekuri.score.card-points
@shared_rule
def card_points(s: MekuriState, cards: int) -> int:
    points = 0
    while cards:
        points += VALUES[s.values][first(cards)]
        cards &= cards - 1
    return points


# --- Yaku ---


# mekuri.yaku.value
@rule
def value_of(s: MekuriState, yaku: int) -> int:
    """What each other player pays for a yaku; 0 where it is not in the set that is played."""
    if has(IN_SET[s.yaku_set], yaku) == 0:
        return 0
    if s.yaku_set == YakuSet.JUDAN:
        return JUDAN_POINTS[yaku]
    dear = s.yaku_ratio == YakuRatio.BLOMHOFF or s.yaku_set == YakuSet.BLOMHOFF
    return s.yaku_value * 3 // 2 if dear and has(DEAR, yaku) else s.yaku_value


@rule
def yaku_in(s: MekuriState, cards: int) -> int:
    """The set of the yaku that some cards make."""
    made = 0
    for yaku in range(COUNT):
        if cards & YAKU_CARDS[yaku] == YAKU_CARDS[yaku]:
            made |= bit(yaku)
    return made & IN_SET[s.yaku_set]


@rule
def yaku_of(s: MekuriState, seat: int) -> int:
    return yaku_in(s, s.captured[seat])


# mekuri.yaku.side-by-side
@shared_rule
def value_in(s: MekuriState, cards: int) -> int:
    """What each other player pays for all yaku that some cards make."""
    made, points = yaku_in(s, cards), 0
    for yaku in range(COUNT):
        if has(made, yaku):
            points += value_of(s, yaku)
    return points


# mekuri.score.yaku-paid
@rule
def yaku_balance(s: MekuriState, seat: int) -> int:
    """The points that a player is paid for its yaku, less the points that it pays for the yaku of others."""
    balance = 0
    for other in range(s.seats):
        points = value_in(s, s.captured[other])
        balance += (players(s) - 1) * points if other == seat else -points
    return balance


# --- The round ---


# mekuri.score.par
@rule
def par_of(s: MekuriState, seat: int) -> int:
    """The points that are subtracted from a player's card points."""
    if s.score != Score.CARDS_AND_YAKU:
        return 0
    if players(s) == 2:
        return PACK // 2
    if s.par == Par.EQUAL:
        return PAR
    early = first_player(s)
    return PAR - STEP if seat == early else PAR if seat == next_active(s, early) else PAR + STEP


# mekuri.score.card-points
@rule
def counted(s: MekuriState, seat: int) -> int:
    """The card points of a player, where they count."""
    return 0 if s.score == Score.YAKU else card_points(s, s.captured[seat])


# mekuri.score.settlement
@rule
def settled(s: MekuriState, seat: int) -> int:
    """What a player gains by cards and yaku."""
    return counted(s, seat) - par_of(s, seat) + yaku_balance(s, seat)


# mekuri.match.winner-deals, mekuri.match.tie
@rule
def winner(s: MekuriState) -> int:
    """The player with the most points in the round; among equals the first in turn order."""
    seat = best = first_player(s)
    for _ in range(players(s) - 1):
        seat = next_active(s, seat)
        if settled(s, seat) > settled(s, best):
            best = seat
    return best


# mekuri.who.fee
@rule
def fee(s: MekuriState) -> int:
    """What the seat that sits out pays into the pot."""
    return s.drop_fee if s.out and s.forced == 0 else 0


# mekuri.who.forced-payment
@rule
def half_yaku(s: MekuriState, hand: int) -> int:
    """What each of two players pays for the hand of a seat that is forced out."""
    return value_in(s, hand) // 2 if s.forced_out == ForcedOut.HALF_YAKU else 0


# mekuri.who.sits-out
@rule
def beside(s: MekuriState, seat: int) -> int:
    """What a seat gains by the pot and by the payment to a seat that is forced out."""
    if not is_active(s, seat):
        return 2 * s.payment - fee(s)
    won = fee(s) if fee(s) and winner(s) == seat else 0
    return won - (s.payment if seat != first_player(s) else 0)


@rule
def returns(s: MekuriState, seat: int) -> int:
    return beside(s, seat) + (settled(s, seat) if is_active(s, seat) else 0)


@rule
def outlook(s: MekuriState, seat: int) -> int:
    """A seat's card points and the points that the others pay for its yaku, in units of `returns`, but counted from 0."""
    return counted(s, seat) + (players(s) - 1) * value_in(s, s.captured[seat])
