"""The score sheet of Tokotoko."""

from __future__ import annotations

from mekuri.engine.contract import SheetLine, Text
from mekuri.games.kabu import MOST_NUMBER, digit
from mekuri.games.kabu_pot import UNIT, share, three
from mekuri.games.tokotoko.rules import in_pot
from mekuri.games.tokotoko.state import Phase, TokotokoState


def score_sheet(s: TokotokoState) -> list[SheetLine]:
    """Lines for each seat's three cards and the chips that it has put up and takes; then for the chips that stay in the pot."""
    if s.phase != Phase.OVER:
        return []
    lines = []
    for seat in range(s.seats):
        cards = three(s, seat)
        told = Text("lines.hand", {"number": digit(cards, MOST_NUMBER)})
        lines.append(SheetLine(seat, told, cards, 0, "tokotoko.pot.best-digit"))
        if s.stake:
            lines.append(SheetLine(seat, Text("lines.stake", {}), 0, -UNIT * s.stake, "tokotoko.stake.least"))
        part = share(s, seat, s.odd, s.last) if in_pot(s) else 0
        if part:
            lines.append(SheetLine(seat, Text("lines.takes", {}), 0, part, "tokotoko.pot.best-digit"))
    if s.left != s.odd:
        lines.append(SheetLine("odd", Text("lines.odd", {}), 0, s.left - s.odd, "tokotoko.pot.odd-chips"))
    return lines
