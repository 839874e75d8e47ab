"""The value of hands in Kingo, the winner of the pot, and the pot."""

from __future__ import annotations

from mekuri.plugin import Goal, SheetLine, Text, Worth, bit, count, first, has, number, rule, shared_rule, whole_number
from mekuri_kingo.options import Nearest
from mekuri_kingo.state import KingoState, Phase

FIFTEEN = 15
FOURS, FIVES, SIXES = whole_number(4), whole_number(5), whole_number(6)

# kingo.teyaku.shigoro, kingo.teyaku.kingo
YAKU = ("shigoro", "kingo")
SHIGORO, KINGO = range(2)
YAKU_CARDS = (FOURS | FIVES | SIXES, FIVES)


# --- Hands ---


# kingo.cards.values
@rule
def value(cards: int) -> int:
    """Return the sum of some cards: each counts the number of its month."""
    total = 0
    while cards:
        total += first(cards) // 4 + 1
        cards &= cards - 1
    return total


# kingo.bareta.sixteen
@rule
def is_bareta(s: KingoState, seat: int) -> bool:
    """Return whether a seat holds more than fifteen. Such hands are shown, so a hidden state gives the same answer."""
    return value(s.held[seat]) > FIFTEEN


# kingo.teyaku.shigoro, kingo.teyaku.kingo
@rule
def has_yaku(cards: int, yaku: int) -> bool:
    """Return whether a hand is one of the two that beat every other fifteen."""
    if count(cards) != 3:
        return False
    if yaku == KINGO:
        return count(cards & FIVES) == 3
    return count(cards & FOURS) == count(cards & FIVES) == count(cards & SIXES) == 1


# kingo.showdown.highest, kingo.teyaku.shigoro-beats, kingo.teyaku.kingo-beats
@shared_rule
def rank(s: KingoState, seat: int) -> int:
    """Return the rank of a hand, for comparison; 0 for a hand that cannot win."""
    for yaku in range(2):
        if has_yaku(s.held[seat], yaku):
            return FIFTEEN + 1 + yaku
    return 0 if is_bareta(s, seat) else value(s.held[seat])


@shared_rule
def best_rank(s: KingoState) -> int:
    """Return the rank of the best hand."""
    best = 0
    for seat in range(s.seats):
        best = max(best, rank(s, seat))
    return best


# --- The pot ---


# kingo.showdown.nearest
@rule
def first_winner(s: KingoState) -> int:
    """Return the seat with the best hand; of several the nearest one to the dealer's right."""
    begin = 0 if s.nearest == Nearest.DEALER else 1
    for i in range(begin, begin + s.seats):
        seat = (s.dealer + i) % s.seats
        if rank(s, seat) == best_rank(s):
            return seat
    return s.dealer


# kingo.teyaku.shigoro-doubles, kingo.teyaku.kingo-trebles, kingo.teyaku.once
@rule
def factor(s: KingoState) -> int:
    """Return the factor of everything in the pot."""
    return max(1, best_rank(s) - FIFTEEN + 1)


# kingo.deal.wager, kingo.bareta.doubled
@rule
def stake(s: KingoState, seat: int) -> int:
    """Return a seat's stake in the pot."""
    return s.wager * (2 if is_bareta(s, seat) else 1) * (factor(s) if s.phase == Phase.OVER else 1)


# kingo.showdown.highest, kingo.showdown.split
@shared_rule
def share(s: KingoState, seat: int) -> int:
    """Return the amount that a seat takes from the pot of a finished round."""
    if rank(s, seat) < best_rank(s):
        return 0
    pot = winners = 0
    for other in range(s.seats):
        pot += stake(s, other)
        winners += rank(s, other) == best_rank(s)
    return pot // winners + (pot % winners if seat == first_winner(s) else 0)


@rule
def returns(s: KingoState, seat: int) -> int:
    """Return the stones that a seat has won or lost."""
    return share(s, seat) - stake(s, seat)


@rule
def outlook(s: KingoState, seat: int) -> int:
    """Return the visible part of the result before the showdown: the stake in the pot."""
    return returns(s, seat) if s.phase == Phase.OVER else -stake(s, seat)


@rule
def yaku_of(s: KingoState, seat: int) -> int:
    """Return the set of yaku of a seat; empty before the showdown."""
    made = 0
    for yaku in range(2):
        if s.phase == Phase.OVER and has_yaku(s.held[seat], yaku):
            made |= bit(yaku)
    return made


# --- For screens ---


def goals(h: KingoState, seat: int) -> list[Goal]:
    """Yield the yaku that a seat can still draw to, each with the cards that lead there, for viewers who know its hand."""
    cards, found = h.held[seat], []
    if (seat - h.dealer) % h.seats + 1 < h.turns:
        return []  # its turn is over
    if not cards:
        return []  # it lies face down
    if cards == cards & FIVES and count(cards) < 3:
        found.append(_draw(seat, KINGO, cards, FIVES & ~cards))
    months = [month for month in (FOURS, FIVES, SIXES) if not cards & month]
    if cards == cards & YAKU_CARDS[SHIGORO] and count(cards) == 3 - len(months) < 3:
        found.append(_draw(seat, SHIGORO, cards, sum(months)))
    return found


def _draw(seat: int, yaku: int, cards: int, lacks: int) -> Goal:
    """Return a yaku of three cards, of which a seat has some, as a goal. Each missing card leads to it."""
    return Goal(seat, Text("goals.yaku", {"yaku": YAKU[yaku]}), None, 3, count(cards), cards, lacks)


def worth(s: KingoState, card: int) -> Worth:
    """Return the value of a card, and the yaku it can be part of."""
    return Worth(number(card), tuple(YAKU[i] for i in range(2) if has(YAKU_CARDS[i], card)))


def score_sheet(s: KingoState) -> list[SheetLine]:
    """Yield the lines of the score sheet: each seat's stake in the pot, and its share."""
    lines = []
    for seat in range(s.seats):
        cards, bareta = s.held[seat], is_bareta(s, seat)
        wager = stake(s, seat) // (2 if bareta else 1)
        lines.append(SheetLine(seat, Text("lines.wager", {}), 0, -wager, "kingo.deal.wager"))
        if bareta:
            lines.append(SheetLine(seat, Text("lines.bareta", {}), cards, -wager, "kingo.bareta.doubled"))
        if s.phase == Phase.OVER and share(s, seat):
            lines.append(SheetLine(seat, *_won(s, seat)))
    return lines


def _won(s: KingoState, seat: int) -> tuple[Text, int, int, str]:
    """Return the line of a winner: its text, its cards, its share, and the clause."""
    cards = s.held[seat]
    for yaku, name in enumerate(YAKU):
        if has_yaku(cards, yaku):
            clause = ("kingo.teyaku.shigoro-doubles", "kingo.teyaku.kingo-trebles")[yaku]
            return Text("lines.yaku", {"yaku": name}), cards, share(s, seat), clause
    alone = share(s, seat) == sum(stake(s, other) for other in range(s.seats))
    clause = "kingo.showdown.highest" if alone else "kingo.showdown.split"
    return Text("lines.pot", {"points": value(cards)}), cards, share(s, seat), clause
