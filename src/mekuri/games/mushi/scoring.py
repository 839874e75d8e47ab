"""The points of cards and yaku in Mushi, its goals and its score sheet."""

from __future__ import annotations

from mekuri.cards import ALL, parse_cards
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth, yaku_goal
from mekuri.games.mushi.rules import ONI
from mekuri.games.mushi.state import MushiState, Phase

# mushi.cards.classes
BRIGHTS = parse_cards("1H 3H 8H 2O 6H")
ANIMALS = parse_cards("12H 4H 5H 9H 10H 8I 2H")
RIBBONS = parse_cards("1I 12I 3I 9I 10I 4I 5I 2I")
GROUPS = {"brights": BRIGHTS, "animals": ANIMALS, "ribbons": RIBBONS, "chaff": ALL & ~(BRIGHTS | ANIMALS | RIBBONS)}

# mushi.score.par: half of the 230 points of the forty cards
PAR = 115

# mushi.yaku.three, mushi.yaku.four-wisteria, mushi.yaku.four-paulownia, mushi.yaku.five-brights
YAKU = ("three", "four-wisteria", "four-paulownia", "five-brights")
YAKU_CARDS = (parse_cards("1H 12H 3H"), parse_cards("4H 4I 4O 4K"), parse_cards("6H 6I 6O 6K"), BRIGHTS)
YAKU_POINTS = (25, 10, 10, 30)
FIVE_BRIGHTS = 3


# mushi.score.card-points
@rule
def card_points(cards: int) -> int:
    special = BRIGHTS | ANIMALS | RIBBONS
    return 20 * count(cards & BRIGHTS) + 10 * count(cards & ANIMALS) + 5 * count(cards & RIBBONS) + count(cards & ~special)


@rule
def yaku_in_play(s: MushiState) -> int:
    return 4 if s.five_brights else 3


@rule
def yaku_of(s: MushiState, seat: int) -> int:
    made = 0
    for i in range(4):
        if s.captured[seat] & YAKU_CARDS[i] == YAKU_CARDS[i]:
            made |= bit(i)
    return made if s.five_brights else made & ~bit(FIVE_BRIGHTS)


@rule
def yaku_points(s: MushiState, seat: int) -> int:
    made, points = yaku_of(s, seat), 0
    for i in range(4):
        if has(made, i):
            points += YAKU_POINTS[i]
    return points


# mushi.score.yaku-paid, mushi.score.leftovers-count
@rule
def returns(s: MushiState, seat: int) -> int:
    return card_points(s.captured[seat]) - PAR + yaku_points(s, seat) - yaku_points(s, 1 - seat)


@rule
def outlook(s: MushiState, seat: int) -> int:
    """The points of a seat's cards and yaku, in units of `returns`, but counted from 0 and not from the par."""
    return card_points(s.captured[seat]) + yaku_points(s, seat)


def goals(h: MushiState, seat: int) -> list[Goal]:
    """One goal for each yaku, lost when the other seat has captured a card of it."""
    own, others = h.captured[seat], h.captured[1 - seat]
    rows = [(YAKU[i], YAKU_POINTS[i], YAKU_CARDS[i]) for i in range(yaku_in_play(h))]
    return [yaku_goal(seat, name, points, cards & own, cards & ~own, bool(cards & others)) for name, points, cards in rows]


def scored(h: MushiState, seat: int) -> Counted:
    """The points of a seat's cards and yaku, which win above the par and the points of the other seat's yaku."""
    return Counted(outlook(h, seat), PAR + yaku_points(h, 1 - seat) + 1)


def worth(s: MushiState, card: int) -> Worth:
    """A card's points, and the yaku that it belongs to; the oni is wild."""
    return Worth(card_points(bit(card)), tuple(YAKU[i] for i in range(yaku_in_play(s)) if has(YAKU_CARDS[i], card)), card == ONI)


def score_sheet(s: MushiState) -> list[SheetLine]:
    """Lines for each seat's cards, the par once the round is over, its yaku and the yaku that it pays for."""
    lines = []
    made = [yaku_of(s, seat) for seat in range(2)]
    for seat in range(2):
        cards, points = s.captured[seat], card_points(s.captured[seat])
        lines.append(SheetLine(seat, Text("lines.card-points", {"points": points}), cards, points, "mushi.score.card-points"))
        if s.phase == Phase.OVER:
            lines.append(SheetLine(seat, Text("lines.par", {}), 0, -PAR, "mushi.score.par"))
        for owner, id, sign in ((seat, "lines.yaku", 1), (1 - seat, "lines.yaku-paid", -1)):
            for i, name in enumerate(YAKU):
                if has(made[owner], i):
                    clause = f"mushi.yaku.{name}" if sign > 0 else "mushi.score.yaku-paid"
                    lines.append(SheetLine(seat, Text(id, {"yaku": name}), YAKU_CARDS[i], sign * YAKU_POINTS[i], clause))
    return lines
