"""The scoring of Tensho: yaku, then chaff, then card points decide a round. Also its goals and its score sheet."""

from __future__ import annotations

from mekuri.cards import CLUBS, COINS, CUPS, SWORDS, card, each, number, suit
from mekuri.engine.compiled import bit, count, first, has, rule, shared_rule
from mekuri.engine.contract import Counted, Goal, SheetLine, Text, Worth, yaku_goal
from mekuri.games.fishing import same_number
from mekuri.games.kabu import MOST_NUMBER, VALUES, digit, points_of
from mekuri.games.kabu_pot import three
from mekuri.games.tensho.options import InstantYaku, Overlap, Score
from mekuri.games.tensho.side_games import decided, side_returns
from mekuri.games.tensho.state import Ending, Phase, TenshoState
from mekuri.games.tensho.yaku import CARDS, GREATER, IDS, IN_SET, INSTANT_IN_SET, POINTS, TEN_HORSE_KING, TEN_NINE_KING

# tensho.score.chaff: coins and cups, without the drums 2 and, where only the cards called junk count, the lips 2
COINS_AND_CUPS = sum(bit(c) for c in range(48) if suit(c) in (COINS, CUPS) and number(c) != 6)
CHAFF_21 = COINS_AND_CUPS & ~bit(card(2, COINS))
CHAFF_20 = CHAFF_21 & ~bit(card(2, CUPS))
GROUPS = {
    name: sum(bit(c) for c in range(48) if suit(c) in suits)
    for name, suits in (("swords", (SWORDS,)), ("clubs", (CLUBS,)), ("chaff", (COINS, CUPS)))
}

BLUE_TWO = bit(card(2, CLUBS))
RAIN_MAN = bit(card(2, COINS))


@rule
def needed(s: TenshoState, yaku: int) -> int:
    """The set of the cards of a yaku under the options. That the Rain Man may stand in for the blue 2 does not count here."""
    if s.ten_nine_king:
        for i in range(2):
            if yaku == TEN_HORSE_KING[i]:
                return TEN_NINE_KING[i]
    return CARDS[yaku]


@rule
def missing(s: TenshoState, yaku: int, cards: int) -> int:
    """The set of the cards of a yaku that are not among `cards`, where the Rain Man may stand in for the blue 2."""
    if s.rainman_back and cards & RAIN_MAN:
        cards |= BLUE_TWO
    return needed(s, yaku) & ~cards


@shared_rule
def made(s: TenshoState, candidates: int, cards: int) -> int:
    """The set of those yaku among the candidates that `cards` complete."""
    found = 0
    while candidates:
        yaku = first(candidates)
        if missing(s, yaku, cards) == 0:
            found |= bit(yaku)
        candidates &= candidates - 1
    return found


# tensho.end.instant-win
@rule
def instant_win(s: TenshoState, seat: int) -> bool:
    return made(s, INSTANT_IN_SET[s.set], s.captured[seat]) != 0


# tensho.score.overlap
@rule
def counting(s: TenshoState, all_made: int) -> int:
    """The set of the yaku that count among all yaku that a seat has made."""
    if s.overlap == Overlap.ADDITIVE:
        return all_made
    counted, rest = all_made, all_made
    while rest:
        if GREATER[first(rest)] & all_made:
            counted &= ~bit(first(rest))
        rest &= rest - 1
    return counted


# tensho.score.yaku-points
@rule
def yaku_of(s: TenshoState, seat: int) -> int:
    return counting(s, made(s, IN_SET[s.set], s.captured[seat]))


@rule
def yaku_points_count(s: TenshoState) -> bool:
    """Whether yaku points count in the match: after an instant win only if the option `instant_yaku` says so."""
    return s.ending != Ending.INSTANT_WIN or not decided(s) or s.instant_yaku == InstantYaku.COUNT


@shared_rule
def yaku_points(s: TenshoState, seat: int) -> int:
    counted, points = yaku_of(s, seat), 0
    while counted:
        points += POINTS[s.set][first(counted)]
        counted &= counted - 1
    return points


@rule
def chaff_cards(s: TenshoState) -> int:
    return CHAFF_20 if s.chaff == 20 else CHAFF_21 if s.chaff == 21 else COINS_AND_CUPS


# tensho.score.card-points, tensho.cards.numbers-not-values: rows of the tables are seed-explicit, hanafuda, ise-2023.
@rule
def card_points(s: TenshoState, seat: int) -> int:
    return points_of(s.captured[seat], s.card_points)


# tensho.match.score
@rule
def returns(s: TenshoState, seat: int) -> int:
    if s.score == Score.POINTS and s.ending != Ending.INSTANT_WIN:
        return yaku_points(s, seat) - yaku_points(s, 1 - seat)
    won = s.instant_points if s.score == Score.POINTS else 1
    return 0 if s.winner == 0 else won if s.winner == seat + 1 else -won


@rule
def outlook(s: TenshoState, seat: int) -> int:
    """Yaku points, chaff and card points in one number, in the order in which they decide; an instant win above all.

    It is not in units of `returns`: all three decide a round, and points alone would not tell apart seats that have as many yaku.
    Once the round is decided, the last digit of the three cards that a seat has chosen in Tokotoko is added.
    """
    instant = 10_000_000 if instant_win(s, seat) else 0
    chosen = digit(three(s, seat), MOST_NUMBER) if s.out[seat] else 0
    return instant + yaku_points(s, seat) * 10_000 + count(s.captured[seat] & chaff_cards(s)) * 200 + card_points(s, seat) + chosen


def goals(h: TenshoState, seat: int) -> list[Goal]:
    """One goal for each yaku of the round's set, lost when it is known that a card of it can no longer be captured."""
    found = []
    gone = ~(takeable(h) | h.captured[seat])
    if h.rainman_back and not gone & RAIN_MAN:
        gone &= ~BLUE_TWO  # the Rain Man can still stand in for it
    for yaku in each(IN_SET[h.set]):
        lacks = missing(h, yaku, h.captured[seat])
        points = None if has(INSTANT_IN_SET[h.set], yaku) else POINTS[h.set][yaku]
        found.append(yaku_goal(seat, IDS[yaku], points, _shown(h, yaku, h.captured[seat]), lacks, bool(lacks & gone)))
    return found


def scored(h: TenshoState, seat: int) -> Counted:
    """The yaku points of a seat; there is no number of points that wins."""
    return Counted(yaku_points(h, seat), None)


def _shown(s: TenshoState, yaku: int, cards: int) -> int:
    """The set of the cards of a yaku among `cards`, with the Rain Man if he stands in for the blue 2."""
    stands_in = s.rainman_back and needed(s, yaku) & BLUE_TWO & ~cards
    return cards & (needed(s, yaku) | (RAIN_MAN if stands_in else 0))


def takeable(h: TenshoState) -> int:
    """The set of the cards that a seat may still capture.

    A card of the field waits for another of its number, and there is none where all others lie beside it or have been captured:
    so four of a number that stay there are dead, and the 6 of clubs. Cards that may lie among the dead cards count as free.
    """
    free = h.deck & ~(h.captured[0] | h.captured[1])
    if h.phase in (Phase.TAKE_FOUR, Phase.TAKE_SIX):
        return free  # the dealer is about to take them
    if decided(h) and h.phase != Phase.OVER:
        return 0  # only side games are still to come
    stuck = (card for card in each(h.field) if not same_number(card) & free & ~h.field)
    return free & ~sum(bit(card) for card in stuck)


def worth(s: TenshoState, card: int) -> Worth:
    """A card's points, and the yaku that it belongs to: those of both sets where the set is voted for."""
    in_sets = IN_SET[s.yaku_set] or IN_SET[1] | IN_SET[2]
    # The Rain Man belongs to a yaku whose blue 2 he may stand in for. A yaku that a reduced pack cannot make does not count.
    helps = [missing(s, yaku, bit(card)) != needed(s, yaku) and missing(s, yaku, s.deck) == 0 for yaku in range(len(IDS))]
    return Worth(VALUES[s.card_points][card], tuple(name for yaku, name in enumerate(IDS) if helps[yaku] and has(in_sets, yaku)))


def score_sheet(s: TenshoState) -> list[SheetLine]:
    """Lines for each seat's yaku and chaff, its card points if they were needed to decide, and its side games."""
    lines = []
    for seat in range(2):
        captured = s.captured[seat]
        all_made = made(s, IN_SET[s.set], captured)
        counted = counting(s, all_made)
        for yaku, name in enumerate(IDS):
            if has(all_made, yaku):
                instant = has(INSTANT_IN_SET[s.set], yaku)
                counts = has(counted, yaku) and yaku_points_count(s)
                beside = "lines.subset" if yaku_points_count(s) else "lines.beside"
                line = "lines.instant-win" if instant else "lines.yaku" if counts else beside
                points = POINTS[s.set][yaku] if counts else 0
                cards = _shown(s, yaku, captured)
                lines.append(SheetLine(seat, Text(line, {"yaku": name}), cards, points, f"tensho.yaku.{name}"))
        chaff = captured & chaff_cards(s)
        lines.append(SheetLine(seat, Text("lines.chaff", {"count": count(chaff)}), chaff, 0, "tensho.score.chaff"))
        if decided(s) and s.ending in (Ending.CARD_POINTS, Ending.TIE):
            text = Text("lines.card-points", {"points": card_points(s, seat)})
            lines.append(SheetLine(seat, text, captured, 0, "tensho.score.card-points"))
        if s.winner == seat + 1:
            lines.append(SheetLine(seat, Text("lines.wins", {}), 0, 0, _deciding_clause(s)))
    if decided(s) and s.winner == 0:
        lines += [SheetLine(seat, Text("lines.drawn", {}), 0, 0, "tensho.score.tie") for seat in range(2)]
    return lines + [line for seat in range(2) for line in _side_lines(s, seat)]


# tensho.shoniban.pay, tensho.tokotoko.pot
def _side_lines(s: TenshoState, seat: int) -> list[SheetLine]:
    """Lines for the chips that a seat has won and lost in the side games, which name the chips and count no points."""
    lines = []
    first = s.won[seat] - s.won[1 - seat]
    if first:
        lines.append(SheetLine(seat, Text("lines.shoniban", {"points": f"{first:+}"}), 0, 0, "tensho.shoniban.pay"))
    if s.tokotoko and s.phase == Phase.OVER:
        args = {"number": digit(three(s, seat), MOST_NUMBER), "points": f"{side_returns(s, seat) - first:+}"}
        lines.append(SheetLine(seat, Text("lines.tokotoko", args), three(s, seat), 0, "tensho.tokotoko.pot"))
    return lines


def _deciding_clause(s: TenshoState) -> str:
    return {
        Ending.INSTANT_WIN: "tensho.end.instant-win",
        Ending.YAKU: "tensho.score.yaku-points",
        Ending.CHAFF: "tensho.score.chaff",
        Ending.CARD_POINTS: "tensho.score.card-points",
        Ending.TIE: "tensho.score.tie",
    }[Ending(s.ending)]
