"""The score sheet of Tokotoko."""

from __future__ import annotations

from mekuri.engine.contract import SheetLine, Text
from mekuri.games.kabu import MOST_NUMBER, digit
from mekuri.games.kabu_pot import UNIT, share, three
from mekuri.games.tokotoko.state import Phase, TokotokoState


def score_sheet(s: TokotokoState) -> list[SheetLine]:
    """Lines for each seat's three cards and the chips that it has put up and takes; then for the pot, if it holds odd chips.

    The amounts of the pot's lines sum to the change of its account.
    """
    if s.phase != Phase.OVER:
        return []
    lines, paid = [], 0
    for seat in range(s.seats):
        cards = three(s, seat)
        text = Text("lines.hand", {"number": digit(cards, MOST_NUMBER)})
        lines.append(SheetLine(seat, text, cards, 0, "tokotoko.pot.best-digit"))
        part = share(s, seat, s.odd, s.last) if s.stake else 0
        if s.stake:
            lines.append(SheetLine(seat, Text("lines.stake", {}), 0, -UNIT * s.stake, "tokotoko.stake.least"))
        if part:
            lines.append(SheetLine(seat, Text("lines.takes", {}), 0, part, "tokotoko.pot.best-digit"))
        paid += part
    if s.odd:
        lines.append(SheetLine("odd", Text("lines.left-over", {"n": s.odd}), 0, 0, "tokotoko.pot.odd-chips"))
    if s.stake and (s.odd or s.left):
        lines.append(SheetLine("odd", Text("lines.added", {}), 0, UNIT * s.stake * s.seats, "tokotoko.stake.least"))
        lines.append(SheetLine("odd", Text("lines.paid-out", {}), 0, -paid, "tokotoko.pot.odd-chips"))
    return lines
