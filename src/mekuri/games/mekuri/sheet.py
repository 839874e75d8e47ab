"""The score sheet of Mekuri, the worth of cards, and the yaku as goals: plain Python."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import bit, has
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth, yaku_goal
from mekuri.games.fishing import taken
from mekuri.games.mekuri.options import Score
from mekuri.games.mekuri.scoring import (
    IN_SET,
    YAKU_CARDS,
    card_points,
    counted,
    fee,
    outlook,
    par_of,
    value_in,
    value_of,
    winner,
    yaku_of,
)
from mekuri.games.mekuri.seats import first_player, is_active, players
from mekuri.games.mekuri.state import YAKU, MekuriState, Phase


def goals(h: MekuriState, seat: int) -> list[Goal]:
    """One goal for each yaku of a player, lost when another player has captured a card of it."""
    if not is_active(h, seat):
        return []
    own = h.captured[seat]
    others = taken(h) & ~own
    rows = [(YAKU[i], (players(h) - 1) * value_of(h, i), YAKU_CARDS[i]) for i in each(IN_SET[h.yaku_set])]
    return [yaku_goal(seat, name, points, cards & own, cards & ~own, bool(cards & others)) for name, points, cards in rows]


def scored(h: MekuriState, seat: int) -> Counted | None:
    """The points of a player, who wins above the par and the points of the others' yaku; None for a seat that sits out."""
    if not is_active(h, seat):
        return None
    if h.score == Score.CARDS_AS_COUNTED:
        return Counted(outlook(h, seat), None)
    costs = sum(value_in(h, h.captured[other]) for other in range(h.seats) if other != seat)
    return Counted(outlook(h, seat), par_of(h, seat) + costs + 1)


def worth(s: MekuriState, card: int) -> Worth:
    """A card's points where they count, and the yaku that it belongs to."""
    points = 0 if s.score == Score.YAKU else card_points(s, bit(card))
    return Worth(points, tuple(YAKU[i] for i in each(IN_SET[s.yaku_set]) if has(YAKU_CARDS[i], card)))


def score_sheet(s: MekuriState) -> list[SheetLine]:
    """Lines for each player's cards, the par once the round is over, its yaku and the yaku that it pays for, and for the pot."""
    lines: list[SheetLine] = []
    for seat in range(s.seats):
        if is_active(s, seat):
            lines += _cards(s, seat)
            lines += _yaku(s, seat)
        lines += _beside(s, seat)
    return lines


def _cards(s: MekuriState, seat: int) -> list[SheetLine]:
    if s.score == Score.YAKU:
        return []
    cards, points = s.captured[seat], counted(s, seat)
    lines = [SheetLine(seat, Text("lines.card-points", {"points": points}), cards, points, "mekuri.score.card-points")]
    if s.phase == Phase.OVER and (par := par_of(s, seat)):
        lines.append(SheetLine(seat, Text("lines.par", {"points": par}), 0, -par, "mekuri.score.par"))
    return lines


def _yaku(s: MekuriState, seat: int) -> list[SheetLine]:
    lines = []
    for yaku in each(yaku_of(s, seat)):
        points, clause = (players(s) - 1) * value_of(s, yaku), f"mekuri.yaku.{CLAUSES.get(YAKU[yaku], YAKU[yaku])}"
        lines.append(SheetLine(seat, Text("lines.yaku", {"yaku": YAKU[yaku]}), YAKU_CARDS[yaku], points, clause))
    for other in range(s.seats):
        for yaku in each(yaku_of(s, other) if other != seat else 0):
            text = Text("lines.yaku-paid", {"yaku": YAKU[yaku], "seat": other})
            lines.append(SheetLine(seat, text, YAKU_CARDS[yaku], -value_of(s, yaku), "mekuri.score.yaku-paid"))
    return lines


# The clause of the yaku that no source names.
CLAUSES = dict.fromkeys(("swords-low", "clubs-middle", "swords-middle", "swords-high"), "list")


def _beside(s: MekuriState, seat: int) -> list[SheetLine]:
    """Lines for the fee and the pot, and for what a seat that is forced out is paid."""
    if not is_active(s, seat):
        rows = [("fee", -fee(s)), ("forced", 2 * s.payment)]
    else:
        pot = fee(s) if s.phase == Phase.OVER and winner(s) == seat else 0
        rows = [("pot", pot), ("forced-paid", -s.payment if seat != first_player(s) else 0)]
    clauses = {"forced": "mekuri.who.forced-payment", "forced-paid": "mekuri.who.forced-payment"}
    return [SheetLine(seat, Text(f"lines.{id}", {}), 0, n, clauses.get(id, "mekuri.who.fee")) for id, n in rows if n]
