"""The score sheet of Hankan, and the points of its cards."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.contract import SheetLine, Text, Worth
from mekuri.games.hankan.options import TiePoints
from mekuri.games.hankan.rules import bettors
from mekuri.games.hankan.state import HankanState
from mekuri.games.kabu import HON_BANA, VALUES


def worth(s: HankanState, card: int) -> Worth:
    """A card's points, which decide between rows of equal strength."""
    return Worth(VALUES[HON_BANA if s.tie_points == TiePoints.HON_BANA else 0][card], ())


def score_sheet(s: HankanState) -> list[SheetLine]:
    """Lines for the chips that every seat has won and lost in this round so far."""
    lines = []
    for seat in [*each(bettors(s)), s.dealer]:
        dealer = seat == s.dealer
        if s.won[seat]:
            line, clause = ("lines.dealer-takes", "hankan.pay.lost") if dealer else ("lines.won", "hankan.pay.half")
            lines.append(SheetLine(seat, Text(line, {}), 0, s.won[seat], clause))
        if s.lost[seat]:
            line, clause = ("lines.dealer-pays", "hankan.pay.half") if dealer else ("lines.lost", "hankan.pay.lost")
            lines.append(SheetLine(seat, Text(line, {}), 0, -s.lost[seat], clause))
    return lines
