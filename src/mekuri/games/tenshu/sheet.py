"""The score sheet of Tenshu, the worth of cards, and the dekiyaku as goals: plain Python."""

from __future__ import annotations

from mekuri.cards import EXTRA, each
from mekuri.engine.compiled import has
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth, yaku_goal
from mekuri.games.fishing import taken
from mekuri.games.tenshu.match import accounts
from mekuri.games.tenshu.scoring import (
    FUKE_POINTS,
    PAR,
    TAIKOSAN,
    VALUES,
    YAKU,
    YAKU_CARDS,
    YAKU_POINTS,
    card_points,
    cards_for_yaku,
    gift,
    outlook,
    yaku_of,
    yaku_points,
)
from mekuri.games.tenshu.seats import is_active
from mekuri.games.tenshu.state import Ending, Phase, TenshuState


def goals(h: TenshuState, seat: int) -> list[Goal]:
    """One goal for each dekiyaku of an active seat, lost when a card of it is out of play or captured by another seat."""
    if not is_active(h, seat):
        return []
    own = cards_for_yaku(h, seat)
    gone = (taken(h) | h.dead) & ~own
    rows = zip(YAKU, YAKU_POINTS, YAKU_CARDS, strict=True)
    return [yaku_goal(seat, name, 3 * points, cards & own, cards & ~own, bool(cards & gone)) for name, points, cards in rows]


def scored(h: TenshuState, seat: int) -> Counted:
    """The points of a seat. An active seat wins above the par and the points that it pays for the dekiyaku of others."""
    if not is_active(h, seat):
        return Counted(card_points(h, h.captured[seat]), None)
    costs = sum(yaku_points(h, other) for other in range(h.seats) if other != seat)
    return Counted(outlook(h, seat), PAR + costs + 1)


def worth(s: TenshuState, card: int) -> Worth:
    """A card's points, and the dekiyaku that it belongs to; the onifuda is wild."""
    return Worth(VALUES[s.card_points][card], tuple(YAKU[i] for i in range(len(YAKU)) if has(YAKU_CARDS[i], card)), card == EXTRA)


def score_sheet(s: TenshuState) -> list[SheetLine]:
    """Lines for the points that each seat wins and pays, as far as the round has come."""
    if s.phase == Phase.OVER:
        if s.ending == Ending.TAIKOSAN:
            return _taikosan(s)
        if s.ending == Ending.FUKE:
            return _fuke(s)
        if s.ending == Ending.VOID:
            return _void(s)
    made = [yaku_of(s, seat) for seat in range(s.seats)]
    lines = [line for seat in range(s.seats) for line in (_active(s, seat, made) if is_active(s, seat) else _servant(s, seat))]
    return lines + _kitty(s) if s.phase == Phase.OVER else lines


def _active(s: TenshuState, seat: int, made: list[int]) -> list[SheetLine]:
    """Lines for an active seat's dekiyaku and those it pays for, its cards, and the par once the round is over.

    `made` holds the set of each seat's dekiyaku.
    """
    cards, points = s.captured[seat], card_points(s, s.captured[seat])
    lines = []
    for yaku in each(made[seat]):
        clause = f"tenshu.yaku.{YAKU[yaku]}"
        lines.append(SheetLine(seat, Text("lines.yaku", {"yaku": YAKU[yaku]}), YAKU_CARDS[yaku], 3 * YAKU_POINTS[yaku], clause))
    for other in range(s.seats):
        for yaku in each(made[other] if other != seat else 0):
            text = Text("lines.yaku-paid", {"yaku": YAKU[yaku], "seat": other})
            lines.append(SheetLine(seat, text, YAKU_CARDS[yaku], -YAKU_POINTS[yaku], "tenshu.score.yaku-paid"))
    lines.append(SheetLine(seat, Text("lines.card-points", {"points": points}), cards, points, "tenshu.score.card-points"))
    if s.phase == Phase.OVER:
        lines.append(SheetLine(seat, Text("lines.par", {}), 0, -PAR, "tenshu.score.par"))
    return lines


def _servant(s: TenshuState, seat: int) -> list[SheetLine]:
    """A line for the cards that the servant has captured, if any."""
    cards, points = s.captured[seat], card_points(s, s.captured[seat])
    text = Text("lines.servant-points", {"points": points})
    return [SheetLine(seat, text, cards, points, "tenshu.score.servant")] if cards else []


def _kitty(s: TenshuState) -> list[SheetLine]:
    """A line for the points that go to the kitty, if any."""
    kitty = accounts(s)["kitty"]
    return [SheetLine("kitty", Text("lines.kitty", {}), 0, kitty, "tenshu.score.kitty")] if kitty else []


def _taikosan(s: TenshuState) -> list[SheetLine]:
    winner, cards = s.winner - 1, YAKU_CARDS[TAIKOSAN]
    points = YAKU_POINTS[TAIKOSAN]
    lines = []
    for seat in range(s.seats):
        if seat == winner:
            text = Text("lines.yaku", {"yaku": YAKU[TAIKOSAN]})
            lines.append(SheetLine(seat, text, cards, 3 * points, "tenshu.yaku.taikosan"))
            for other in range(s.seats):
                if given := gift(s, other):
                    text = Text("lines.gift-given", {"seat": other})
                    lines.append(SheetLine(seat, text, 0, -given, "tenshu.end.taikosan-gifts"))
        elif is_active(s, seat):
            text = Text("lines.yaku-paid", {"yaku": YAKU[TAIKOSAN], "seat": winner})
            lines.append(SheetLine(seat, text, cards, -points, "tenshu.end.taikosan"))
        elif given := gift(s, seat):
            lines.append(SheetLine(seat, Text("lines.gift", {"seat": winner}), 0, given, "tenshu.end.taikosan-gifts"))
    return lines


def _fuke(s: TenshuState) -> list[SheetLine]:
    winner = s.winner - 1
    lines = []
    for seat in range(s.seats):
        if seat == winner:
            lines.append(SheetLine(seat, Text("lines.fuke", {}), s.captured[seat], 3 * FUKE_POINTS, "tenshu.end.fuke"))
        elif is_active(s, seat):
            text = Text("lines.fuke-paid", {"seat": winner})
            lines.append(SheetLine(seat, text, s.captured[winner], -FUKE_POINTS, "tenshu.end.fuke"))
    return lines


def _void(s: TenshuState) -> list[SheetLine]:
    """Lines for the dekiyaku of a round that is void because there are three, so that they count nothing."""
    lines = []
    for seat in range(s.seats):
        for yaku in each(yaku_of(s, seat)):
            text = Text("lines.void", {"yaku": YAKU[yaku]})
            lines.append(SheetLine(seat, text, YAKU_CARDS[yaku], 0, "tenshu.score.three-yaku"))
    return lines
