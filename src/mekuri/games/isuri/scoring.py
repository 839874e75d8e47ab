"""The payments of Isuri, the result of a round, and its score sheet. All amounts are points."""

from __future__ import annotations

from mekuri.cards import number
from mekuri.engine.compiled import count, has, rule
from mekuri.engine.contract import SheetLine, Text, Worth
from mekuri.games.dealing import hand_size
from mekuri.games.isuri.options import GhostValue, PassPays, SouDashi
from mekuri.games.isuri.state import IsuriState, Word
from mekuri.games.sequence import HAND, ISE_GHOSTS, Ending, Ghost, Phase, is_ghost, possible_numbers
from mekuri.games.sequence_play import most_passes
from mekuri.games.sequence_zones import left_lines

CARDS = 46
ALL_OUT = 10
# The dearest six cards, where ghosts are paid as what they stand for: five that are or stand for a king, and one for a horse.
DEAREST_HAND = 5 * 12 + 11


# isuri.pay.values: those of the numbers 1 to 12
POINTS = (10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


# isuri.pay.ghosts
@rule
def price(s: IsuriState, card: int) -> int:
    """The points that a seat is paid for the card that it discards; 0 for a ghost that is paid later, when its number is named."""
    if s.ghost_value == GhostValue.PRINTED or not is_ghost(s, card):
        return POINTS[card // 4]
    if s.set_number:
        return POINTS[s.set_number - 1]
    numbers = possible_numbers(s, card)
    if s.ghost == Ghost.FIXED and count(numbers) > 4 and hand_size(s, s.turn) > 1:
        return 0
    dearest = 0
    for i in range(12):
        if has(numbers, 4 * i):
            dearest = max(dearest, POINTS[i])
    return dearest


# isuri.pay.each-card
@rule
def pay(s: IsuriState, seat: int, card: int) -> None:
    s.paid[seat] += price(s, card)


# isuri.pay.ghosts
@rule
def pay_named(s: IsuriState, seat: int, card: int) -> None:
    """Pay for a ghost whose number is named by `card`, a card of that number, unless it was paid when it was laid."""
    if s.ghost_value == GhostValue.REPRESENTED:
        s.paid[seat] += POINTS[card // 4]


# isuri.pay.pass, isuri.pay.no-pass
@rule
def pays_to_end(s: IsuriState, action: int) -> bool:
    """Whether an action is a word that ends a turn and costs a point."""
    return action == Word.PASS or (action == Word.DONE and s.pass_pays == PassPays.ANY_TURN)


@rule
def pay_back(s: IsuriState) -> None:
    for seat in range(2):
        s.paid[seat] = s.stakes[seat] = 0


@rule
def sou_dashi(s: IsuriState) -> bool:
    """Whether the round has ended with six cards at once, in a turn in which that counts."""
    return s.phase == Phase.OVER and s.ending == Ending.ALL_OUT and (s.sou_dashi == SouDashi.ANY_TURN or s.turns <= 2)


# isuri.pay.sou-dashi
@rule
def pay_all_out(s: IsuriState) -> None:
    if sou_dashi(s):
        s.paid[s.turn] += ALL_OUT


# isuri.end.pot
@rule
def returns(s: IsuriState, seat: int) -> int:
    return outlook(s, seat) + (s.stakes[0] + s.stakes[1] if seat == s.turn else 0)


# isuri.pay.opponent
@rule
def outlook(s: IsuriState, seat: int) -> int:
    """The points paid to the seat less those it has paid, in units of `returns`. The pot, which is nobody's yet, does not count."""
    return s.paid[seat] - s.paid[1 - seat] - s.stakes[seat]


def most_returned() -> int:
    """A bound on a seat's returns: six cards, the bonus, and every point that the other can have put into the pot.

    Seats pass by turns, so the other has half of the turns without a discard. If ending any turn costs a point, the other also pays
    for the turns in which it discards. They are five, for it keeps a card to the end.
    """
    return DEAREST_HAND + ALL_OUT + sum(most_passes(CARDS, held) // 2 for held in range(2, 2 * HAND + 1)) + HAND - 1


def worth(s: IsuriState, card: int) -> Worth:
    """The points that a card is paid by its printed number; a ghost is wild."""
    return Worth(POINTS[number(card) - 1], (), bool(has(ISE_GHOSTS, card)))


def score_sheet(s: IsuriState) -> list[SheetLine]:
    """Lines for each seat's cards left, the points it was paid and has paid, its stakes, and the pot for the seat that is out."""
    bonus = [ALL_OUT if sou_dashi(s) and seat == s.turn else 0 for seat in range(2)]
    cards = [s.paid[seat] - bonus[seat] for seat in range(2)]
    lines = left_lines(s, "isuri.end.out")
    for seat in range(2):
        other = 1 - seat
        pot = sum(s.stakes) if s.phase == Phase.OVER and seat == s.turn else 0
        for id, points, clause in (
            ("cards", cards[seat], "isuri.pay.each-card"),
            ("paid-out", -cards[other], "isuri.pay.opponent"),
            ("all-out", bonus[seat], "isuri.pay.sou-dashi"),
            ("all-out-paid", -bonus[other], "isuri.pay.sou-dashi"),
            ("stakes", -s.stakes[seat], "isuri.pay.pass"),
            ("pot", pot, "isuri.end.pot"),
        ):
            if points:
                args = {"count": abs(points)} if id == "stakes" else {"points": abs(points)}
                lines.append(SheetLine(seat, Text(f"lines.{id}", args), 0, points, clause))
    return lines
