"""The points of cards and yaku in Sakura, its goals and its score sheet."""

from __future__ import annotations

from mekuri.cards import ALL, parse_cards
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth, yaku_goal
from mekuri.games.sakura.options import Result
from mekuri.games.sakura.rules import GAJI, side_of
from mekuri.games.sakura.state import YAKU, SakuraState

# sakura.cards.points
TWENTIES = parse_cards("1H 3H 8H 12H")
TENS = parse_cards("1I 2I 3I 4I 5I 6I 7I 9I 10I 11I 12I")
FIVES = parse_cards("2H 4H 5H 6H 7H 8I 9H 10H 11H 11O")
GROUPS = {"brights": TWENTIES, "ribbons": TENS, "animals": FIVES, "chaff": ALL & ~(TWENTIES | TENS | FIVES)}

# sakura.yaku.drinking, sakura.yaku.spring, sakura.yaku.poetry, sakura.yaku.blue, sakura.yaku.grass, sakura.yaku.blue-animals,
# sakura.yaku.grass-animals, sakura.yaku.boar-deer-geese
YAKU_CARDS = (
    parse_cards("3H 8H 9H"),
    parse_cards("1H 2H 3H"),
    parse_cards("1I 2I 3I"),
    parse_cards("6I 9I 10I"),
    parse_cards("4I 5I 7I"),
    parse_cards("6H 9H 10H"),
    parse_cards("4H 5H 7H"),
    parse_cards("7H 8I 10H"),
)
COUNT = len(YAKU)
COST = 50  # of a yaku, for every opponent
CHU, BASA = 50, 100  # points by which a round is won more than once


# sakura.cards.points
@rule
def card_points(cards: int) -> int:
    return 20 * count(cards & TWENTIES) + 10 * count(cards & TENS) + 5 * count(cards & FIVES)


# sakura.play.side-pile
@rule
def pile(s: SakuraState, seat: int) -> int:
    """The set of the cards that a seat and its partners have captured."""
    cards, own = 0, side_of(s, seat)
    for other in range(s.seats):
        if side_of(s, other) == own:
            cards |= s.captured[other]
    return cards


@rule
def yaku_of(s: SakuraState, seat: int) -> int:
    """The set of yaku that a seat's side has."""
    cards, made = pile(s, seat), 0
    for i in range(COUNT):
        if cards & YAKU_CARDS[i] == YAKU_CARDS[i]:
            made |= bit(i)
    return made


@rule
def side_count(s: SakuraState) -> int:
    """The number of sides: as many as seats where each plays alone."""
    return s.teams or s.seats


# sakura.score.yaku, sakura.score.total
@rule
def outlook(s: SakuraState, seat: int) -> int:
    """The score of a seat's side: its card points, less 50 for each yaku of every other side."""
    own = side_of(s, seat)
    total = card_points(pile(s, seat))
    for side in range(side_count(s)):
        if side != own:
            total -= COST * count(yaku_of(s, side))
    return total + COST * (side_count(s) - 1) * count(yaku_of(s, seat)) if s.zero_sum else total


@rule
def returns(s: SakuraState, seat: int) -> int:
    """The points by which a seat's side is ahead of the best other side, below 0 where it is behind. `tally` gives the score."""
    own, most = side_of(s, seat), -(1 << 40)
    for side in range(side_count(s)):
        if side != own:
            most = max(most, outlook(s, side))
    return outlook(s, seat) - most


# sakura.match.points
@rule
def wins(s: SakuraState, seat: int) -> int:
    """The wins that a round counts for a seat's side: none for a tie."""
    lead = returns(s, seat)
    if lead <= 0:
        return 0
    if s.result == Result.BOTH:
        return 1 + int(lead >= CHU) + int(lead >= BASA)
    return 2 if (s.result == Result.CHU and lead >= CHU) or (s.result == Result.BASA and lead >= BASA) else 1


def goals(h: SakuraState, seat: int) -> list[Goal]:
    """One goal for each yaku, lost when another side has captured a card of it."""
    own, gone = pile(h, seat), h.dead
    for other in range(h.seats):
        gone |= h.captured[other]
    gone &= ~own
    found = zip(YAKU, YAKU_CARDS, strict=True)
    return [yaku_goal(seat, name, COST, cards & own, cards & ~own, bool(cards & gone)) for name, cards in found]


def scored(h: SakuraState, seat: int) -> Counted:
    """The score of a seat's side; no number wins, for the scores of all others change."""
    return Counted(outlook(h, seat), None)


def worth(s: SakuraState, card: int) -> Worth:
    """A card's points, and the yaku that it belongs to; the gaji is wild."""
    of = tuple(name for name, cards in zip(YAKU, YAKU_CARDS, strict=True) if has(cards, card))
    return Worth(card_points(bit(card)), of, card == GAJI)


def score_sheet(s: SakuraState) -> list[SheetLine]:
    """Lines for each seat's cards, the yaku of its side, and the yaku of the other sides that it pays for."""
    lines = []
    for seat in range(s.seats):
        cards, own = pile(s, seat), side_of(s, seat)
        points = card_points(cards)
        lines.append(SheetLine(seat, Text("lines.card-points", {"points": points}), cards, points, "sakura.cards.points"))
        gain = COST * (side_count(s) - 1) if s.zero_sum else 0
        for i, name in enumerate(YAKU):
            if has(yaku_of(s, seat), i):
                lines.append(SheetLine(seat, Text("lines.yaku", {"yaku": name}), YAKU_CARDS[i], gain, f"sakura.yaku.{name}"))
            for side in range(side_count(s)):
                if side != own and has(yaku_of(s, side), i):
                    paid = Text(f"lines.yaku-paid{'-side' if side_count(s) < s.seats else ''}", {"yaku": name, "seat": side})
                    lines.append(SheetLine(seat, paid, YAKU_CARDS[i], -COST, "sakura.score.yaku"))
    return lines
