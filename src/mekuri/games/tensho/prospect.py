"""The prospect of a seat in Tensho, looked up in tables by where the cards of each number and of each yaku lie.

`tools/fit_prospect.py` fits the tables to rounds against `greedy`, and says how to make them anew. They are kept in `prospect.bin`.
"""

from __future__ import annotations

from pathlib import Path

from mekuri.cards import CLUBS, EXTRA, SWORDS, card, each, parse_cards
from mekuri.engine.compiled import count, rule
from mekuri.games.figures import OF_NUMBER, figure, figures_of, number_lies, row_lies
from mekuri.games.tensho.scoring import outlook, returns
from mekuri.games.tensho.state import Phase, TenshoState

NUMBERS = 12
# The cards of several yaku together, of swords and of clubs, in rows of four; a row of three ends with a card that no place has.
_NUMBERS = ((1, 2, 3, 10), (3, 4, 5, 7), (7, 8, 9, 10), (10, 11, 12), (3, 9, 11), (4, 8, 11, 12))
_ROWS = [tuple(card(number, suit) for number in numbers) for suit in (SWORDS, CLUBS) for numbers in _NUMBERS]
_ROWS += [each(parse_cards(cards)) for cards in ("5I 6H 10I", "5H 6H 10H", "4I 6H 1H")]
GROUPS = tuple((*row, EXTRA)[:4] for row in _ROWS)
HANDS = 4  # a table for two sizes of the hand each; the last for all larger ones
SETS = 3  # before the set is known, and the two sets
LEADS, CHAFF = 13, 9  # how far ahead in yaku points, by fifties, and in chaff, by twos
SIZES = 9

OF_NUMBERS = 2 * HANDS * NUMBERS * OF_NUMBER
OF_GROUPS = 2 * HANDS * SETS * len(GROUPS) * OF_NUMBER
STANDING = 2 * SIZES * SETS * LEADS * CHAFF
READ, FIGURES = NUMBERS + len(GROUPS) + 1, OF_NUMBERS + OF_GROUPS + STANDING

SCALE, LEAD = 500, 0
FITTED = 16_000_000, 100  # rounds, and in how many parts with smaller and smaller steps
FILE = Path(__file__).with_name("prospect.bin")
BYTES = figures_of(FILE)


@rule
def standing(h: TenshoState, seat: int) -> int:
    """The index of how far a seat is ahead: in yaku points, by fifties, and in chaff."""
    lead = outlook(h, seat) - outlook(h, 1 - seat)
    yaku = (lead + 5000) // 10_000
    chaff = (lead - 10_000 * yaku + 100) // 200
    ahead = min(max(yaku // 50, -(LEADS // 2)), LEADS // 2) + LEADS // 2
    return ahead * CHAFF + min(max((chaff + 1) // 2, -(CHAFF // 2)), CHAFF // 2) + CHAFF // 2


@rule
def figure_of(h: TenshoState, seat: int, i: int) -> int:
    """The index of the figure for the i-th number, for the cards of a group of yaku, or, last, for the standing."""
    held, lost = count(h.hand[seat]), h.captured[1 - seat]
    time = min((held + 1) // 2, HANDS - 1) + HANDS * int(h.turn != seat)
    if i < NUMBERS:
        return (time * NUMBERS + i) * OF_NUMBER + number_lies(h, seat, lost, i + 1)
    if i < NUMBERS + len(GROUPS):
        group = i - NUMBERS
        at = ((time * SETS + h.set) * len(GROUPS) + group) * OF_NUMBER
        return OF_NUMBERS + at + row_lies(h, seat, lost, GROUPS[group])
    size = min(held, SIZES - 1) + SIZES * int(h.turn != seat)
    return OF_NUMBERS + OF_GROUPS + (size * SETS + h.set) * LEADS * CHAFF + standing(h, seat)


@rule
def prospect(h: TenshoState, seat: int) -> int:
    """What a seat expects of the round, in `SCALE`ths of its unit, less its lead in hundredths."""
    hoped = -100 * (outlook(h, seat) - outlook(h, 1 - seat))
    if h.phase == Phase.OVER:
        return hoped + SCALE * returns(h, seat)
    for i in range(READ):
        hoped += figure(BYTES, figure_of(h, seat, i))
    return hoped
