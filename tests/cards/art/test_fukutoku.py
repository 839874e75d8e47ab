"""The Fukutoku pack: what is drawn on its cards, and that silver and gold are on those they belong on."""

import gzip
import re

import pytest

from mekuri.cards.art import find_pack
from mekuri.cards.art.drawings import drawing, sheet
from mekuri.cards.deck import CLUBS, COINS, CUPS, EXTRA, SWORDS, card
from mekuri.cards.notation import card_text
from tests.helpers.drawings import BLACK, GOLD, PAPER, RED, SILVER, colours, each_court, each_suit, parts, paths

FUKUTOKU = find_pack("fukutoku")

# Which card carries what, by notation: all clubs, the swords but for 6 to 9, the 2 of coins and the oni.
SILVERED = {
    *(f"{count}H" for count in (1, 3, 5, 7, 8, 9, 10, 11, 12)),
    *(f"{count}I" for count in (1, 2, 3, 4, 5, 10, 11, 12)),
    "G",
}
GILDED = {*(f"{count}H" for count in (1, 2, 4, 5, 6, 10, 12)), "2O", "G"}


def strokes(drawing: str, colour: str, width: str | None = None) -> int:
    """Of how many strokes that consists."""
    return "".join(paths(drawing, colour, width)).count("M")


def face(count: int, suit: int) -> str:
    return FUKUTOKU.face(card(count, suit))


class TestOverprint:
    def test_silver_and_gold_are_on_the_right_cards(self, subtests: pytest.Subtests) -> None:
        for face in FUKUTOKU.cards:
            name = card_text(face)
            expected = {BLACK, RED, PAPER} | ({SILVER} if name in SILVERED else set()) | ({GOLD} if name in GILDED else set())
            with subtests.test(name):
                assert colours(FUKUTOKU.face(face)) == expected

    def test_overprint_is_on_clubs_and_swords_only(self) -> None:
        printed_over = {name.removesuffix("-overprint") for name in sheet("fukutoku").named if name.endswith("-overprint")}
        assert printed_over == (SILVERED | GILDED) - {"2O", "G"}

    def test_overprint_is_printed_last(self) -> None:
        """The red and black below show through nowhere."""
        for name in (SILVERED | GILDED) - {"1H", "2O", "G"}:
            (found,) = (each for each in FUKUTOKU.cards if card_text(each) == name)
            last = [part for part in parts(FUKUTOKU.face(found)) if part.tag == "g" and part.get("fill")][-1]
            assert last.get("fill") in {SILVER, GOLD}, name

    def test_overprint_is_never_shifted(self) -> None:
        for found in FUKUTOKU.cards:
            moved = {part.get("fill") for part in parts(FUKUTOKU.face(found)) if part.get("transform")}
            assert moved <= {RED}

    def test_overprint_of_each_club_differs(self) -> None:
        """But for the thin lines of 7 and 8."""
        drawn = [drawing("fukutoku", f"{count}H-overprint") for count in range(1, 13)]
        assert drawn[6] == drawn[7]
        assert len(set(drawn)) == 11


class TestPips:
    def test_two_halves_for_each_coin(self) -> None:
        for count in range(3, 10):
            drawn = face(count, COINS)
            halves = r"M[^M]*a([\d.]+) \1 0 0 1[^M]*z"
            assert len(re.findall(halves, "".join(paths(drawn, RED)))) == count
            assert strokes(drawn, PAPER, "1.4") == count, "an arc in the red half of each"

    def test_one_red_scallop_for_each_cup(self) -> None:
        for count in range(2, 10):
            assert "".join(paths(face(count, CUPS), RED)).count("a") == count

    def test_one_red_bar_for_each_sword(self) -> None:
        for count in range(2, 10):
            drops = 2 * max(0, count - 5)
            assert strokes(face(count, SWORDS), RED) == count + drops
            assert strokes(face(count, SWORDS), BLACK, "0.9") == 5 * count, "a fan of five lines at each"

    def test_one_black_rod_for_each_crossed_club(self) -> None:
        assert [strokes(face(count, CLUBS), BLACK, "1.2") for count in range(2, 6)] == [2, 3, 4, 5]

    def test_rods_of_high_clubs_show_half(self) -> None:
        """A leg on each side for each pair of rods, and the odd rod."""
        assert [strokes(face(count, CLUBS), BLACK, "1.2") for count in range(6, 10)] == [6, 7, 8, 9]

    def test_red_strokes_of_clubs(self) -> None:
        """Two over crossed rods; beside the lozenge more as the number grows."""
        assert [strokes(face(count, CLUBS), RED) for count in (2, 3, 4, 5, 7, 8, 9)] == [2, 2, 2, 2, 4, 6, 8]

    @pytest.mark.parametrize(("suit", "low", "width"), [(CLUBS, 7, "2.2"), (SWORDS, 6, "2.8")])
    def test_numerals_are_on_high_clubs(self, suit: int, low: int, width: str) -> None:
        """In the lozenge of every number from there on its own, and on no other card."""
        written = [paths(face(count, suit), BLACK, width) for count in range(6, 10)]
        assert [len(found) for found in written] == [int(count >= low) for count in range(6, 10)]
        assert len({*map(tuple, written)}) == 4

    def test_luck_and_virtue_are_written(self) -> None:
        (written,) = paths(face(2, COINS), BLACK, "2.3")
        assert written.count("M") == 9 + 13, "the strokes of 福 and of 德"
        assert strokes(face(2, COINS), GOLD) == 2

    def test_long_life_is_written(self) -> None:
        (written,) = paths(face(6, CLUBS), GOLD)
        assert written.count("M") == 12, "the strokes of 壽"


class TestFigures:
    @each_suit
    def test_dragons_lie_in_one_black_block(self, suit: int) -> None:
        block = "l53 0 0 78-53 0z"
        assert [block in "".join(paths(face(count, suit), BLACK)) for count in range(1, 13)] == [True] + [False] * 11

    def test_dragons_have_bodies_of_their_own(self) -> None:
        bodies = {paths(face(1, suit), BLACK, "1.6")[0] for suit in (CLUBS, SWORDS, COINS, CUPS)}
        assert len(bodies) == 4

    @each_court
    def test_court_is_painted_like_its_suit(self, count: int) -> None:
        """Four quarters, upper and lower, left and right; they alone have a gap of 1 about them."""
        black = {suit: paths(face(count, suit), BLACK, "1") for suit in (CLUBS, SWORDS, COINS, CUPS)}
        red = {suit: paths(face(count, suit), RED, "1") for suit in (CLUBS, SWORDS, COINS, CUPS)}
        quarters = black[CLUBS]
        upper_left, upper_right, lower_left, lower_right = quarters
        assert (black[SWORDS], red[SWORDS]) == ([], quarters)
        assert (black[COINS], red[COINS]) == ([upper_right, lower_right], [upper_left, lower_left])
        assert (black[CUPS], red[CUPS]) == ([upper_left, upper_right], [lower_left, lower_right])
        assert red[CLUBS] == []

    @each_court
    def test_swords_are_outlined(self, count: int) -> None:
        outlined = set(paths(face(count, SWORDS), BLACK, "1.4"))
        assert outlined >= set(paths(face(count, CLUBS), BLACK, "1"))

    def test_courts_of_a_suit_have_bodies_of_their_own(self) -> None:
        assert len({tuple(paths(face(count, CLUBS), BLACK, "1")) for count in (10, 11, 12)}) == 3

    def test_oni_has_two_silver_horns_on_solid_red(self) -> None:
        drawn = FUKUTOKU.face(EXTRA)
        assert strokes(drawn, SILVER) == 2
        assert paths(drawn, RED)[0] == "M4 4l54 0 0 94-54 0z"
        assert strokes(drawn, GOLD) == 1, "the seal"


class TestSign:
    def test_signs_in_latin(self) -> None:
        assert [FUKUTOKU.sign(face, "latin") for face in (0, 1, 2, 3, EXTRA)] == ["H", "I", "O", "K", "G"]

    def test_signs_in_kanji(self) -> None:
        assert [FUKUTOKU.sign(face, "kanji") for face in (44, 45, 46, 47, EXTRA)] == ["棍", "剣", "貨", "杯", "鬼"]


def test_pack_is_small() -> None:
    drawn = "".join(map(FUKUTOKU.face, FUKUTOKU.cards)).encode()
    assert len(drawn) < 130_000
    assert len(gzip.compress(drawn, mtime=0)) < 12_500
