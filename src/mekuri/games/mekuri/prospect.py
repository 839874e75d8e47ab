"""The prospect of a player in Mekuri, looked up in tables by where the cards of each number and of each yaku lie.

`tools/fit_prospect.py` fits the tables to rounds of three against `greedy`, and says how to make them anew. They are kept in
`prospect.bin`. With two players, other yaku or other points a formula takes their place.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import EXTRA, each
from mekuri.engine.called import lead
from mekuri.engine.compiled import count, has, rule, shared_rule
from mekuri.games.figures import OF_NUMBER, figure, figures_of, number_lies, row_lies
from mekuri.games.fishing import taken
from mekuri.games.mekuri.options import Score, Values, YakuSet
from mekuri.games.mekuri.scoring import COUNT, IN_SET, YAKU_CARDS, card_points, counted, par_of, returns, value_of
from mekuri.games.mekuri.seats import MOST_PLAYERS, first_player, is_active, next_active, players
from mekuri.games.mekuri.state import MekuriState, Phase

NUMBERS = 12
# The cards of Danjūrō and Ebizō together, then of the other four; a row of three ends with a card that no place has.
ROWS = (each(YAKU_CARDS[0] | YAKU_CARDS[1]), *((*each(cards), EXTRA) for cards in YAKU_CARDS[2:6]))
HANDS = 4  # tables for hands of 0 to 1, 2 to 3, 4 to 5, 6 and more cards
TIMES = 2 * HANDS  # for the seat's own turn, and for the others'

OF_NUMBERS = TIMES * NUMBERS * OF_NUMBER
OF_ROWS = TIMES * len(ROWS) * OF_NUMBER
READ, FIGURES = NUMBERS + len(ROWS) + 1, OF_NUMBERS + OF_ROWS + TIMES * MOST_PLAYERS

SCALE, LEAD = 20, 0
FITTED = 6_000_000, 50  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)

MADE = (6, 15, 40, 100)  # the chance in 100 of a yaku of which a player has captured so many cards, in the formula
HELD = 12  # how much a card of it in the hand adds


@rule
def place_of(h: MekuriState, seat: int) -> int:
    """The place of a seat in turn order: 0 for the first player, 2 for the last."""
    early = first_player(h)
    return 0 if seat == early else 1 if seat == next_active(h, early) else 2


@rule
def figure_of(h: MekuriState, seat: int, i: int) -> int:
    """The index of the figure for the i-th number, for a row of cards, or, last, for the place in turn order."""
    lost = taken(h) & ~h.captured[seat]
    # A position may give a seat more cards than are dealt.
    time = min(count(h.hand[seat]) // 2, HANDS - 1) + HANDS * int(h.turn != seat)
    if i < NUMBERS:
        return (time * NUMBERS + i) * OF_NUMBER + number_lies(h, seat, lost, i + 1)
    if i < NUMBERS + len(ROWS):
        row = i - NUMBERS
        return OF_NUMBERS + (time * len(ROWS) + row) * OF_NUMBER + row_lies(h, seat, lost, ROWS[row])
    return OF_NUMBERS + OF_ROWS + time * MOST_PLAYERS + place_of(h, seat)


@rule
def is_fitted(h: MekuriState) -> bool:
    """Whether the tables are about the game that is played."""
    usual = h.values == Values.EDO and h.yaku_set == YakuSet.EDO and h.score != Score.YAKU
    return usual and players(h) == MOST_PLAYERS


@shared_rule
def estimate(h: MekuriState, seat: int) -> int:
    """What a player expects of a round by a formula, in hundredths of a point."""
    own, lost = h.captured[seat], taken(h) & ~h.captured[seat]
    left = 0 if h.score == Score.YAKU else card_points(h, h.deck & ~taken(h))
    hoped = 100 * (counted(h, seat) - par_of(h, seat)) + 100 * left // players(h)
    for yaku in range(COUNT):
        cards = YAKU_CARDS[yaku]
        if has(IN_SET[h.yaku_set], yaku):
            if cards & lost == 0:
                chance = min(100, MADE[count(cards & own)] + HELD * count(cards & h.hand[seat]))
                hoped += (players(h) - 1) * chance * value_of(h, yaku)
            if cards & own == 0:
                for other in range(h.seats):
                    if other != seat and cards & lost & ~h.captured[other] == 0:
                        hoped -= MADE[count(cards & h.captured[other])] * value_of(h, yaku)
    return hoped


@rule
def prospect(h: MekuriState, seat: int) -> int:
    """What a player expects of the round, in `SCALE`ths of a point, less its lead in hundredths; for other seats what they have."""
    hoped = -100 * lead(h, seat)
    if h.phase == Phase.OVER or not is_active(h, seat):
        return hoped + SCALE * returns(h, seat)
    if not is_fitted(h):
        return hoped + SCALE * estimate(h, seat) // 100
    for i in range(READ):
        hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
