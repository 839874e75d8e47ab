"""Rows of three cards as the betting games rank them, against their enumeration; and the best three of four."""

import random
from collections import Counter
from itertools import combinations

import pytest

from mekuri.cards import cards_text, each, parse_cards
from mekuri.games.kabu import ARASHI, HON_BANA, MOST_NUMBER, PACK, TSUKE, VALUES, better, digit, left_out, points_of, strength
from tests.helpers.tables import assert_share

THREES = 14_190
DIGITS = (1452, 1424, 1452, 1424, 1404, 1400, 1320, 1424, 1398, 1424)
RANKS = {**dict(enumerate(DIGITS)), TSUKE: 24, ARASHI: 44}


def row(*cards: int) -> int:
    return sum(1 << card for card in cards)


def test_every_three_has_its_rank() -> None:
    counted = Counter(strength(row(*three)) for three in combinations(PACK, 3))
    assert counted == RANKS
    assert sum(RANKS.values()) == THREES


def test_random_rows_come_as_often() -> None:
    chance, rows = random.Random(1), 20_000
    counted = Counter(strength(row(*chance.sample(PACK, 3))) for _ in range(rows))
    for rank, ways in RANKS.items():
        assert_share(counted[rank], rows, ways / THREES)


@pytest.mark.parametrize(
    ("better_row", "worse_row"),
    [
        ("1H 1I 1O", "12H 12I 12O"),  # equal but for card points
        ("12H 12I 12O", "1H 2H 2I"),
        ("1K 2O 2K", "3H 7H 9H"),  # tsuke needs no points
        ("3K 7O 9O", "3I 7I 8I"),
        ("11H 12H 10H", "1H 4H 5H"),  # both 0: 50 points against 60, see below
    ],
)
def test_better_rows_match_examples_by_hand(better_row: str, worse_row: str) -> None:
    one, other = parse_cards(better_row), parse_cards(worse_row)
    if better_row.startswith("11H"):
        one, other = other, one
    assert better(one, other, HON_BANA) == 1
    assert better(other, one, HON_BANA) == -1


def test_equal_rows_tie() -> None:
    assert better(parse_cards("3O 7O 9O"), parse_cards("3K 7K 9K"), HON_BANA) == 0


def test_card_points_match_each_table() -> None:
    """The totals are 300 for Hon-bana, and 159, 159 and 150 for Tensho's three readings."""
    whole = row(*PACK)
    assert [points_of(whole, table) for table in range(len(VALUES))] == [159, 159, 150, 300]


def test_best_three_of_four_are_kept() -> None:
    for four in random.Random(2).sample(list(combinations(PACK, 4)), 300):
        cards = row(*four)
        out = left_out(cards)
        assert out.bit_count() == 1
        assert out & cards
        best = max(sum(card // 4 + 1 for card in three) % 10 for three in combinations(four, 3))
        assert digit(cards & ~out, MOST_NUMBER) == best, cards_text(cards)


def test_courts_count_ten_in_rows_only() -> None:
    """The source's own example of Tokotoko: 1, 12 and 10 make 23. In a row of Hankan they make 21."""
    cards = parse_cards("1K 10H 12I")
    assert digit(cards, MOST_NUMBER) == 3
    assert strength(cards) == 1
    assert [card // 4 + 1 for card in each(cards)] == [1, 10, 12]
