"""The prospect of a seat in Isuri, looked up in tables by the numbers of its hand, the points they are paid, and the pot.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from mekuri.cards import NONE
from mekuri.engine.compiled import count, rule
from mekuri.games import sequence_figures
from mekuri.games.dealing import hand_size
from mekuri.games.figures import figure, figures_of
from mekuri.games.isuri.scoring import POINTS, outlook, returns
from mekuri.games.isuri.state import IsuriState
from mekuri.games.sequence import HAND, Phase, whole
from mekuri.games.sequence_figures import NUMBERS, SIZES, TURNS, ahead, pile_figure, turn_of

# How many steps each index of a table has; larger amounts count as the last of them.
POT, HANDFUL, FAR, MOST = 16, 16, 4, 5
# The tables after those of every sequence game; each is indexed with the turn, and then with these.
TABLES = (
    NUMBERS * FAR * MOST * 2,  # a number, how far ahead it is, its cards in hand, whether the other has many cards
    SIZES * POT,  # the other's cards, and the pot
    SIZES * HANDFUL,  # the cards in hand, and a quarter of the points that they are paid
    7 * (NUMBERS + 1),  # the cards laid in a set, and its number
)
STARTS = tuple(sequence_figures.FIGURES + start for start in (0, *accumulate(TURNS * size for size in TABLES)))
READ, FIGURES = sequence_figures.READ + NUMBERS + len(TABLES) - 1, STARTS[-1]

SCALE, LEAD = 100, 2
FITTED = 16_000_000, 40  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def points_of(cards: int) -> int:
    """The points that some cards are paid by their printed numbers."""
    points = 0
    for number in range(NUMBERS):
        points += POINTS[number] * count(cards & whole(number + 1))
    return points


@rule
def figure_of(h: IsuriState, seat: int, i: int) -> int:
    """The index of the i-th figure: those of every sequence game, those of the numbers ahead, and one of each further table."""
    if i < sequence_figures.READ:
        return pile_figure(h, seat, i)
    i -= sequence_figures.READ
    hand, turn = h.hand[seat], turn_of(h, seat)
    # A position may give a seat more cards than are dealt.
    own, other = min(count(hand), HAND), min(hand_size(h, 1 - seat), HAND)
    if i < NUMBERS:
        number = ahead(h, i)
        far = i if i < 2 else 2 if i < 4 else 3
        held = min(count(hand & whole(number + 1)), MOST - 1)
        return STARTS[0] + (((turn * NUMBERS + number) * FAR + far) * MOST + held) * 2 + int(other > 2)
    if i == NUMBERS:
        return STARTS[1] + (turn * SIZES + other) * POT + min(h.stakes[0] + h.stakes[1], POT - 1)
    if i == NUMBERS + 1:
        return STARTS[2] + (turn * SIZES + own) * HANDFUL + min(points_of(hand) // 4, HANDFUL - 1)
    return STARTS[3] + (turn * 7 + h.set_laid) * (NUMBERS + 1) + h.set_number


@rule
def prospect(h: IsuriState, seat: int) -> int:
    """What a seat expects of the round, in `SCALE`ths of a point, less its lead in hundredths."""
    lead = outlook(h, seat) - outlook(h, 1 - seat)
    if h.phase == Phase.OVER:
        return SCALE * returns(h, seat) - 100 * lead
    hoped = (SCALE // LEAD - 100) * lead
    if h.top != NONE:
        for i in range(READ):
            hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
