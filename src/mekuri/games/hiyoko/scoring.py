"""The points of a round of Hiyoko, its goal and its score sheet."""

from __future__ import annotations

from mekuri.engine.compiled import has, rule
from mekuri.engine.contract import SheetLine, Text, Worth
from mekuri.games.dealing import hand_size
from mekuri.games.hiyoko.state import HiyokoState
from mekuri.games.sequence import ISE_GHOSTS, Ending, Phase
from mekuri.games.sequence_zones import left_lines


# hiyoko.score.all-out: all six cards in a seat's first turn
@rule
def all_out(s: HiyokoState) -> bool:
    return s.all_out != 0 and s.ending == Ending.ALL_OUT and s.turns <= 2


# hiyoko.score.point
@rule
def returns(s: HiyokoState, seat: int) -> int:
    points = 2 if all_out(s) else 1
    return points if seat == s.turn else -points


@rule
def outlook(s: HiyokoState, seat: int) -> int:
    """The number of cards in hand, negated, and not in units of `returns`: a round counts no points before its end."""
    return -hand_size(s, seat)


def worth(s: HiyokoState, card: int) -> Worth:
    """No points, for a card by itself counts nothing."""
    return Worth(None, (), bool(has(ISE_GHOSTS, card)))


def score_sheet(s: HiyokoState) -> list[SheetLine]:
    """Lines for the cards that each seat has left, and at the end for the winner's point or two points."""
    lines = left_lines(s, "hiyoko.end.out")
    if s.phase == Phase.OVER:
        id, clause = ("lines.all-out", "hiyoko.score.all-out") if all_out(s) else ("lines.point", "hiyoko.score.point")
        lines.append(SheetLine(s.turn, Text(id, {}), 0, returns(s, s.turn), clause))
    return lines
