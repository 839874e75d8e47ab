"""The score sheet of Mutsu-ichi, and the box, an account of no seat. All amounts are chips."""

from __future__ import annotations

from collections.abc import Mapping

from mekuri.cards import each
from mekuri.engine.compiled import count
from mekuri.engine.contract import SheetLine, Text, Worth
from mekuri.games.mutsuichi.options import Payout
from mekuri.games.mutsuichi.rules import bettors, box, right_card, taken, won, wrong_cards
from mekuri.games.mutsuichi.state import MutsuIchiState, Phase


def worth(s: MutsuIchiState, card: int) -> Worth:
    """No points, for a card by itself counts nothing."""
    return Worth(None, ())


def accounts(s: MutsuIchiState) -> Mapping[str, int]:
    """The chips of the terazen, in an account `box`, where the payout leaves any."""
    # mutsuichi.pay.terazen
    return {} if s.payout == Payout.FIVE else {"box": box(s)}


def score_sheet(s: MutsuIchiState) -> list[SheetLine]:
    """Lines for the chips taken and paid so far: for each bettor, and their sums for the bank."""
    if s.phase < Phase.PAY:
        return []
    lines = []
    for seat in each(bettors(s)):
        cards, lost, paid = wrong_cards(s, seat), taken(s, seat), s.paid[seat]
        if lost:
            lines.append(SheetLine(seat, Text("lines.lost", {"count": count(cards)}), cards, -lost, "mutsuichi.pay.wrong-card"))
        if paid:
            lines.append(SheetLine(seat, Text("lines.hit", {}), right_card(s, seat), paid, "mutsuichi.pay.right-card"))
        if paid > won(s, seat):
            lines.append(SheetLine(seat, Text("lines.terazen", {}), 0, won(s, seat) - paid, "mutsuichi.pay.terazen"))
    lost, paid = sum(taken(s, seat) for seat in each(bettors(s))), sum(s.paid)
    if lost:
        lines.append(SheetLine(s.dealer, Text("lines.bank-takes", {}), 0, lost, "mutsuichi.pay.wrong-card"))
    if paid:
        lines.append(SheetLine(s.dealer, Text("lines.bank-pays", {}), s.cloth, -paid, "mutsuichi.pay.right-card"))
    return lines
