"""The yaku of Koi-Koi and their points under the options, in the order of the rule book."""

from __future__ import annotations

from mekuri.cards import ALL, parse_cards
from mekuri.engine.compiled import bit, count, rule, shared_rule
from mekuri.games.fishing import same_number
from mekuri.games.koikoi.options import Cup, ScoreOf, Sets, Viewing, ViewingPoints
from mekuri.games.koikoi.state import YAKU, KoikoiState

# koikoi.cards.kinds
BRIGHTS = parse_cards("1H 3H 8H 11O 12H")
ANIMALS = parse_cards("2H 4H 5H 6H 7H 8I 9H 10H 11H")
RIBBONS = parse_cards("1I 2I 3I 4I 5I 6I 7I 9I 10I 11I")
CHAFF = ALL & ~(BRIGHTS | ANIMALS | RIBBONS)
GROUPS = {"brights": BRIGHTS, "animals": ANIMALS, "ribbons": RIBBONS, "chaff": CHAFF}

RAIN_MAN = parse_cards("11O")
SAKE_CUP = parse_cards("9H")
BOAR_DEER_BUTTERFLIES = parse_cards("6H 7H 10H")
POETRY = parse_cards("1I 2I 3I")
BLUE = parse_cards("6I 9I 10I")
VIEWINGS = (parse_cards("3H 9H"), parse_cards("8H 9H"))  # of flowers, of the moon
WEATHER = (same_number(40), same_number(44))  # the willows, the paulownias

COUNT = len(YAKU)
# The places of the yaku in YAKU.
FIVE, FOUR, RAINY, THREE, BOAR, ANIMAL, POETRY_BLUE, POETRY_SET, BLUE_SET, RIBBON, FLOWER, MOON, MONTH, PLAIN = range(COUNT)

BRIGHT_POINTS = ((15, 8, 7, 6), (15, 10, 8, 6), (10, 8, 7, 5), (10, 8, 7, 6), (12, 9, 8, 6))  # by the option brights
# By the option sets: the points of Boar, Deer, Butterflies, of one ribbon set, and of both together.
BOAR_POINTS = (5, 5, 5, 5, 6, 5, 5)
RIBBON_SET_POINTS = (5, 5, 5, 6, 6, 5, 6)
BOTH_SETS_POINTS = (10, 10, 0, 0, 0, 10, 12)


@rule
def grows(s: KoikoiState) -> bool:
    """Whether a set of three is worth 1 point more for each further card of its kind."""
    return s.sets == Sets.BOTH or excludes(s)


# koikoi.yaku.best
@rule
def excludes(s: KoikoiState) -> bool:
    """Whether five animals or ribbons count nothing beside a set of three of their kind."""
    return s.sets == Sets.GROUPED or s.sets == Sets.GROUPED_6


# koikoi.yaku.five-brights, koikoi.yaku.four-brights, koikoi.yaku.rainy-four, koikoi.yaku.three-brights: the best alone
@rule
def bright_points(s: KoikoiState, yaku: int, cards: int) -> int:
    """The points of a bright yaku among some cards."""
    brights = count(cards & BRIGHTS)
    rain = count(cards & RAIN_MAN)
    if brights - rain < 3:
        return 0
    best = FIVE if brights == 5 else THREE if brights == 3 else RAINY if rain else FOUR
    return BRIGHT_POINTS[s.brights][yaku] if yaku == best else 0


# koikoi.yaku.boar-deer-butterflies, koikoi.yaku.animals
@rule
def animal_points(s: KoikoiState, yaku: int, cards: int) -> int:
    """The points of an animal yaku."""
    animals = count(cards & ANIMALS)
    whole = cards & BOAR_DEER_BUTTERFLIES == BOAR_DEER_BUTTERFLIES
    if yaku == BOAR:
        return (BOAR_POINTS[s.sets] + (animals - 3 if grows(s) else 0)) if whole else 0
    return 0 if whole and excludes(s) else max(0, animals - 4)


# koikoi.yaku.poetry-and-blue, koikoi.yaku.poetry, koikoi.yaku.blue, koikoi.yaku.ribbons
@rule
def ribbon_points(s: KoikoiState, yaku: int, cards: int) -> int:
    """The points of a ribbon yaku."""
    ribbons = count(cards & RIBBONS)
    poetry, blue = cards & POETRY == POETRY, cards & BLUE == BLUE
    if yaku == RIBBON:
        return 0 if (poetry or blue) and excludes(s) else max(0, ribbons - 4)
    if yaku == POETRY_BLUE:
        return (BOTH_SETS_POINTS[s.sets] + (ribbons - 6 if grows(s) else 0)) if poetry and blue else 0
    if not (poetry if yaku == POETRY_SET else blue) or (grows(s) and poetry and blue):
        return 0
    return RIBBON_SET_POINTS[s.sets] + (ribbons - 3 if grows(s) else 0)


# koikoi.yaku.flower-viewing, koikoi.yaku.moon-viewing
@rule
def viewing_points(s: KoikoiState, seat: int, yaku: int, cards: int) -> int:
    """The points of Flower or Moon Viewing."""
    which = yaku - FLOWER
    if s.viewing == Viewing.OFF or cards & VIEWINGS[which] != VIEWINGS[which]:
        return 0
    if s.viewing >= Viewing.WEATHER and s.field & WEATHER[which]:
        return 0
    if s.viewing_points == ViewingPoints.ONE_THEN_THREE:
        return 3 if s.called[seat] else 1
    return 3 if s.viewing_points == ViewingPoints.THREE else 5


# koikoi.yaku.month
@rule
def month_cards(s: KoikoiState) -> int:
    """The set of the cards of the round's month, where they are a yaku."""
    return same_number((s.month - 1) * 4) if s.month_counts else 0


# koikoi.yaku.chaff
@rule
def chaff_points(cards: int) -> int:
    """The points of the yaku of plain cards."""
    return max(0, count(cards & (CHAFF | SAKE_CUP)) - 9)


# koikoi.yaku.cup
@rule
def points_of(s: KoikoiState, seat: int, yaku: int, cards: int, cup: int) -> int:
    """The points that a seat's cards bring in one yaku; 0 where they do not make it.

    `cup` says what the sake cup counts as: a value of `Cup`, where EITHER stands for chaff alone.
    """
    if yaku <= THREE:
        return bright_points(s, yaku, cards)
    if yaku <= ANIMAL:
        return animal_points(s, yaku, cards & ~SAKE_CUP if cup == Cup.EITHER else cards)
    if yaku <= RIBBON:
        return ribbon_points(s, yaku, cards)
    if yaku <= MOON:
        return viewing_points(s, seat, yaku, cards)
    if yaku == MONTH:
        return 4 if s.month_counts and month_cards(s) & ~cards == 0 else 0
    return chaff_points(cards & ~SAKE_CUP if cup == Cup.ANIMAL else cards)


@shared_rule
def sum_of(s: KoikoiState, seat: int, cards: int, cup: int) -> int:
    """The points of all yaku that count among a seat's cards."""
    total = viewings = best = 0
    for yaku in range(COUNT):
        points = points_of(s, seat, yaku, cards, cup)
        best = max(best, points)
        if FLOWER <= yaku <= MOON:
            viewings += points
        else:
            total += points
    if (s.viewing == Viewing.LIMITED or s.viewing == Viewing.LIMITED_WEATHER) and total == 0:
        return 0
    return best if s.score_of == ScoreOf.BEST_YAKU else total + viewings


@rule
def cup_of(s: KoikoiState, seat: int, cards: int) -> int:
    """What the sake cup counts as: under the option `either` the better of the two, an animal where both are equal."""
    if s.cup != Cup.EITHER:
        return s.cup
    return Cup.ANIMAL if sum_of(s, seat, cards, Cup.ANIMAL) >= sum_of(s, seat, cards, Cup.EITHER) else Cup.EITHER


@rule
def base(s: KoikoiState, seat: int) -> int:
    """The points of a seat's yaku, before multipliers."""
    return sum_of(s, seat, s.captured[seat], cup_of(s, seat, s.captured[seat]))


@rule
def yaku_of(s: KoikoiState, seat: int) -> int:
    """The set of the yaku that a seat has."""
    if base(s, seat) == 0:
        return 0
    made = 0
    cup = cup_of(s, seat, s.captured[seat])
    for yaku in range(COUNT):
        if points_of(s, seat, yaku, s.captured[seat], cup):
            made |= bit(yaku)
    return made
