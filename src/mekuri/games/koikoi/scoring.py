"""What a round of Koi-Koi brings, its goals and its score sheet."""

from __future__ import annotations

from mekuri.cards import ALL, each
from mekuri.engine.compiled import bit, count, has, rule, shared_rule
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth
from mekuri.engine.fields import copy
from mekuri.games.fishing import groups
from mekuri.games.koikoi.options import KoiMultiplier, Ledger, Month, ScoreOf, Viewing
from mekuri.games.koikoi.state import YAKU, Ending, KoikoiState, Phase
from mekuri.games.koikoi.yaku import (
    ANIMALS,
    BLUE,
    BOAR_DEER_BUTTERFLIES,
    BOTH_SETS_POINTS,
    BRIGHTS,
    CHAFF,
    FLOWER,
    MONTH,
    MOON,
    POETRY,
    POETRY_BLUE,
    RAIN_MAN,
    RAINY,
    RIBBONS,
    SAKE_CUP,
    VIEWINGS,
    base,
    cup_of,
    month_cards,
    points_of,
    yaku_of,
)

LUCKY = 6  # the points of a lucky hand
MOST_LACKING = 4  # cards that a goal names
OYAKEN = (0, 6, 3, 1, 0)  # by the option draw: what the dealer scores where nobody wins
DOUBLED_FROM = 7
SURE = 400  # more than all cards that a seat can capture count in its outlook


# koikoi.score.base
@rule
def counted(s: KoikoiState, seat: int) -> int:
    """The points of yaku that a seat would score, before multipliers."""
    own = base(s, seat)
    return own + base(s, 1 - seat) if own and s.score_of == ScoreOf.BOTH_PLAYERS else own


# koikoi.score.koi-koi
@rule
def call_times(s: KoikoiState, seat: int) -> int:
    """What calls of koi-koi multiply a seat's points by."""
    own, other = s.called[seat], s.called[1 - seat]
    if s.koi_multiplier == KoiMultiplier.OPPONENT:
        return 2 if other else 1
    if s.koi_multiplier == KoiMultiplier.CALLER:
        return 2 if own else 1
    if s.koi_multiplier == KoiMultiplier.ANYONE:
        return 2 if own or other else 1
    if s.koi_multiplier == KoiMultiplier.OPPONENT_COUNT:
        return 1 + other
    if s.koi_multiplier == KoiMultiplier.SHARED_COUNT:
        return 1 + own + other
    return max(1, own - 2) if s.koi_multiplier == KoiMultiplier.BONUS else 1


@rule
def call_bonus(s: KoikoiState, seat: int) -> int:
    """The points that a seat's own calls add, under the option `bonus`."""
    return s.called[seat] if s.koi_multiplier == KoiMultiplier.BONUS and s.called[seat] <= 3 else 0


# koikoi.score.seven
@rule
def seven_times(s: KoikoiState, points: int) -> int:
    return 2 if s.seven and points >= DOUBLED_FROM else 1


# koikoi.score.base, koikoi.score.seven, koikoi.score.koi-koi, koikoi.score.field
@shared_rule
def payment(s: KoikoiState, seat: int) -> int:
    """What a seat scores by ending the round as it stands: its points with all multipliers."""
    points = counted(s, seat)
    if points == 0:
        return 0
    return (points + call_bonus(s, seat)) * seven_times(s, points) * call_times(s, seat) * s.field_times


# koikoi.end.draw
@rule
def scorer(s: KoikoiState) -> int:
    """1 + the seat that scores in a finished round; 0 for nobody."""
    return s.winner if s.winner or not OYAKEN[s.draw] else s.dealer + 1


# koikoi.deal.four
@rule
def has_four(cards: int) -> bool:
    """Whether a set holds all four cards of a month."""
    return groups(cards, 4) != 0


# koikoi.deal.pairs
@rule
def has_pairs(cards: int) -> bool:
    """Whether a set holds four pairs, where all four cards of a month are two of them."""
    return count(groups(cards, 2) | groups(cards, 4)) >= 8


# koikoi.deal.lucky-hand
@rule
def points_scored(s: KoikoiState) -> int:
    """The points of the seat that scores in a finished round."""
    if s.winner == 0:
        return OYAKEN[s.draw]
    if s.ending == Ending.LUCKY_HAND:
        return s.both_hands if has_four(s.shown) and has_pairs(s.shown) else LUCKY
    return LUCKY if s.ending == Ending.FOUR_ON_FIELD else payment(s, s.winner - 1)


# koikoi.score.winner-alone
@rule
def returns(s: KoikoiState, seat: int) -> int:
    """What the round brings a seat before the other: a match is decided by the difference, whether the loser pays or not."""
    if scorer(s) == 0:
        return 0
    loser = 2 - scorer(s)
    points = points_scored(s)
    if s.ledger == Ledger.ZERO_SUM and s.stack[loser]:
        points = min(points, s.stack[loser])
    return -points if seat == loser else points


@rule
def outlook(s: KoikoiState, seat: int) -> int:
    """A hundred for each point that a seat has won, or would score now, and its captured cards by what they help to.

    It is not in units of `returns`: before the first yaku, points alone would not tell seats apart. A round that is won counts more
    than any that goes on with the same points.
    """
    if s.phase == Phase.OVER:
        return SURE + 100 * points_scored(s) if scorer(s) == seat + 1 else 0
    if s.phase == Phase.ANSWER:
        return SURE + 100 * LUCKY if seat == s.turn else 0
    cards = s.captured[seat]
    kinds = 12 * count(cards & BRIGHTS) + 4 * count(cards & (ANIMALS | RIBBONS)) + count(cards & CHAFF)
    return (
        100 * payment(s, seat) + kinds + 4 * count(cards & (POETRY | BLUE | BOAR_DEER_BUTTERFLIES)) + 12 * count(cards & SAKE_CUP)
    )


# --- What a seat works towards, and what it has: plain Python ---


def _cards_of(month: int) -> list[tuple[int, int]]:
    """For each yaku the set of the cards that count for it, and how many of them it needs, given the cards of the month."""
    dry = BRIGHTS & ~RAIN_MAN
    sets = ((BOAR_DEER_BUTTERFLIES, 3), (ANIMALS, 5), (POETRY | BLUE, 6), (POETRY, 3), (BLUE, 3), (RIBBONS, 5))
    viewings = ((cards, 2) for cards in VIEWINGS)
    return [(BRIGHTS, 5), (dry, 4), (BRIGHTS, 4), (dry, 3), *sets, *viewings, (month, 4), (CHAFF | SAKE_CUP, 10)]


def goals(h: KoikoiState, seat: int) -> list[Goal]:
    """One goal for each yaku that would add to a seat's points, lost when the other seat has too many of its cards."""
    own, others = h.captured[seat], h.captured[1 - seat]
    found = []
    for yaku, (cards, needs) in enumerate(_cards_of(month_cards(h))):
        made, free = cards & own, cards & ~own & ~others
        has_cards = min(needs, count(made))
        filled = own | sum(bit(card) for card in each(free)[: needs - has_cards])
        value = points_of(h, seat, yaku, filled, cup_of(h, seat, filled))
        lost = count(made | free) < needs or (yaku == RAINY and not (made | free) & RAIN_MAN)
        if value or lost:
            lacks = free if count(free) <= MOST_LACKING else 0
            found.append(Goal(seat, Text("goals.yaku", {"yaku": YAKU[yaku]}), value, needs, has_cards, made, lacks, lost))
    return found


def scored(h: KoikoiState, seat: int) -> Counted:
    """The points of a seat's yaku; there is no number of points that wins."""
    return Counted(counted(h, seat), None)


def worth(s: KoikoiState, card: int) -> Worth:
    """The yaku that a card can belong to under the options, in some month; cards have no points of their own."""
    off = {MONTH} if s.month_yaku == Month.OFF else set()
    off |= {FLOWER, MOON} if s.viewing == Viewing.OFF else set()
    off |= set() if BOTH_SETS_POINTS[s.sets] else {POETRY_BLUE}
    return Worth(0, tuple(YAKU[yaku] for yaku, (cards, _) in enumerate(_cards_of(ALL)) if has(cards, card) and yaku not in off))


def score_sheet(s: KoikoiState) -> list[SheetLine]:
    """Lines for each seat's yaku; at the end for the multipliers of the seat that scores, and for what the other seat pays."""
    over, winner = s.phase == Phase.OVER, scorer(s) - 1
    yaku_count = s.winner != 0 and s.ending in (Ending.SHOBU, Ending.EXHAUSTED)
    lines = []
    for seat in range(2):
        lines += _yaku_lines(s, seat, seat, yaku_count and seat == winner if over else True)
        if over and yaku_count and seat == winner and s.score_of == ScoreOf.BOTH_PLAYERS:
            lines += _yaku_lines(s, seat, 1 - seat, True)
    if not over or winner < 0:
        return lines
    if yaku_count:
        lines += _multipliers(s, winner)
    else:
        lines.append(_line(winner, _fixed(s), points_scored(s)))
    lines.append(_line(winner, "koikoi.score.stake", returns(s, winner) - points_scored(s)))
    if s.ledger == Ledger.ZERO_SUM:
        lines.append(_line(1 - winner, "koikoi.score.ledger", returns(s, 1 - winner)))
    return [line for line in lines if line.points or line.cards]


def call_sheet(h: KoikoiState, seat: int, goes_on: bool) -> list[SheetLine]:
    """Lines for what a seat scores by saying shōbu now; lines of 0 points for what multiplies points later.

    Args:
        h: a state in the phase CALL.
        seat: the seat that calls.
        goes_on: whether it may say koi-koi.
    """
    owners = range(2) if h.score_of == ScoreOf.BOTH_PLAYERS else (seat,)
    lines = [line for owner in owners for line in _yaku_lines(h, seat, owner, True)]
    lines += [line for line in _multipliers(h, seat) if line.points]
    if h.seven and counted(h, seat) < DOUBLED_FROM:
        lines.append(_line(seat, "koikoi.score.seven", 0, times=2))
    if goes_on:
        after = KoikoiState()
        copy(after, h)
        after.called[seat] += 1
        changed = ((player, call_times(after, player)) for player in range(2) if call_times(after, player) != call_times(h, player))
        text = "lines.after-koi-koi"
        lines += [SheetLine(player, Text(text, {"times": times}), 0, 0, "koikoi.score.koi-koi") for player, times in changed]
    return lines


def _yaku_lines(s: KoikoiState, seat: int, owner: int, counts: bool) -> list[SheetLine]:
    """Lines of a seat for the yaku that `owner` has made."""
    cards, made = s.captured[owner], yaku_of(s, owner)
    cup = cup_of(s, owner, cards)
    values = [points_of(s, owner, yaku, cards, cup) for yaku in range(len(YAKU))]
    lines = []
    for yaku in each(made):
        scores = counts and (s.score_of != ScoreOf.BEST_YAKU or yaku == values.index(max(values)))
        text = Text("lines.yaku" if scores else "lines.unscored", {"yaku": YAKU[yaku]})
        kind = cards & _cards_of(month_cards(s))[yaku][0]
        lines.append(SheetLine(seat, text, kind, values[yaku] if scores else 0, f"koikoi.yaku.{YAKU[yaku]}"))
    return lines


def _multipliers(s: KoikoiState, seat: int) -> list[SheetLine]:
    """Lines for what calls, seven points and the first field add to the points of a seat's yaku."""
    points = counted(s, seat)
    bonus, seven, calls = call_bonus(s, seat), seven_times(s, points), call_times(s, seat)
    lines = [SheetLine(seat, Text("lines.call-bonus", {}), 0, bonus, "koikoi.score.koi-koi")]
    total = points + bonus
    for clause, times in (("koikoi.score.seven", seven), ("koikoi.score.koi-koi", calls), ("koikoi.score.field", s.field_times)):
        lines.append(_line(seat, clause, total * (times - 1), times=times))
        total *= times
    return lines


def _line(seat: int, clause: str, points: int, **args: int) -> SheetLine:
    """A line of the sheet, whose text is called as its clause."""
    return SheetLine(seat, Text(f"lines.{clause.rpartition('.')[2]}", args), 0, points, clause)


def _fixed(s: KoikoiState) -> str:
    """The clause by which a round brings points where no yaku count."""
    clauses = {Ending.LUCKY_HAND: "koikoi.deal.lucky-hand", Ending.FOUR_ON_FIELD: "koikoi.deal.four-on-field"}
    return clauses.get(Ending(s.ending), "koikoi.end.draw") if s.winner else "koikoi.end.draw"
