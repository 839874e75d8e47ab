"""The Ise pack: what is drawn on its cards."""

import gzip
import re
from xml.etree import ElementTree

import pytest

from mekuri.cards.art import find_pack
from mekuri.cards.art.drawings import sheet
from mekuri.cards.deck import CLUBS, COINS, CUPS, EXTRA, SWORDS, card
from mekuri.cards.notation import card_text
from tests.helpers.drawings import BLACK, PAPER, RED, colours, each_court, each_suit, parts, paths

ISE = find_pack("ise")


def shapes(drawing: str, colour: str) -> str:
    """What is printed in one colour, wherever it lies: the path data of its groups."""
    return " ".join(paths(drawing, colour))


def body(count: int, suit: int) -> ElementTree.Element:
    """The longest black stroke of a court."""
    black = [part for part in parts(ISE.face(card(count, suit))) if part.tag == "g" and part.get("fill") == BLACK]
    return max((path for group in black for path in group), key=lambda path: len(path.get("d", "")))


def bare(count: int, suit: int) -> str:
    """What is left bare on the body of a court: the path data."""
    return "".join(part.get("d", "") for part in parts(ISE.face(card(count, suit))) if part.get("stroke-width") in {"6.4", "6.6"})


def test_cards_are_black_and_red_on_paper(subtests: pytest.Subtests) -> None:
    for face in ISE.cards:
        with subtests.test(card_text(face)):
            assert colours(ISE.face(face)) == {BLACK, RED, PAPER}


def test_back_is_dotted() -> None:
    frame, *dots = parts(ISE.back())
    assert frame.tag == "rect"
    assert [row.tag for row in dots] == ["path", "path"]
    brown, line = sheet("ise").classes["brown-fill"]["fill"], sheet("ise").classes["dots-line"]["stroke"]
    assert colours(ISE.back()) == {brown, BLACK, line}


class TestPips:
    def test_one_dot_for_each_coin(self) -> None:
        for count in (3, 6, 7, 8, 9):
            dots = [path for path in parts(ISE.face(card(count, COINS))) if float(path.get("stroke-width", 0)) > 12]
            reserved, red, black = (path.get("d", "") for path in dots)
            assert reserved == red
            assert red.count("M") == black.count("M") == count

    def test_one_red_underlip_for_each_cup(self) -> None:
        for count in range(2, 10):
            lips = [path.get("d", "") for path in parts(ISE.face(card(count, CUPS))) if path.get("stroke-width") == "1.4"]
            assert sum(row.count("M") for row in lips) == count

    def test_one_black_blade_for_each_sword_but_the_upright(self) -> None:
        for count in range(2, 10):
            first, *_ = (part for part in parts(ISE.face(card(count, SWORDS))) if part.tag == "g" and part.get("fill") == BLACK)
            assert first[0].get("d", "").count("M") == count - count % 2

    def test_squares_of_clubs_grow_with_the_number(self) -> None:
        squares = [shapes(ISE.face(card(count, CLUBS)), BLACK).count("l5 0 0 5-5 0z") for count in range(2, 10)]
        assert squares == [0, 0, 0, 0, 2, 4, 6, 8]


@each_suit
def test_courts_and_dragons_have_strokes_of_their_own(suit: int) -> None:
    """The longest black stroke of a figure is what tells it from the others of its suit."""
    longest = {max(shapes(ISE.face(card(count, suit)), BLACK).split("M"), key=len) for count in (1, 10, 11, 12)}
    assert len(longest) == 4


class TestBodyOfCourts:
    """The suit of a court shows in its body, and not only in the sign it carries."""

    @each_court
    def test_swords_are_drawn_in_lines(self, count: int) -> None:
        assert body(count, SWORDS).get("fill") == "none"
        assert all(body(count, suit).get("fill") is None for suit in (CLUBS, COINS, CUPS))

    @each_court
    def test_all_have_the_same_outline(self, count: int) -> None:
        assert len({body(count, suit).get("d") for suit in (CLUBS, SWORDS, COINS, CUPS)}) == 1

    @each_court
    def test_coins_are_spotted_and_cups_banded_in_the_same_places(self, count: int) -> None:
        spots, bands = (bare(count, suit) for suit in (COINS, CUPS))
        assert spots.count("M") == bands.count("M") == 5
        assert set(re.findall(r"l[^M]+", spots)) == {"l.5 0"}
        assert "l.5 0" not in bands

    @each_court
    def test_clubs_are_solid(self, count: int) -> None:
        assert not bare(count, CLUBS)


class TestSign:
    def test_signs_in_latin(self) -> None:
        assert [ISE.sign(face, "latin") for face in (0, 1, 2, 3, EXTRA)] == ["H", "I", "O", "K", "G"]

    def test_signs_in_kanji(self) -> None:
        assert [ISE.sign(face, "kanji") for face in (44, 45, 46, 47, EXTRA)] == ["棍", "剣", "貨", "杯", "化"]


def test_pack_is_small() -> None:
    drawn = "".join(map(ISE.face, ISE.cards)).encode()
    assert len(drawn) < 76_000
    assert len(gzip.compress(drawn, mtime=0)) < 8_600
