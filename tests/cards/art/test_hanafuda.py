"""The hanafuda pack: every card is drawn, unlike any other, in few colours, light enough to be sent whole."""

import gzip
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from mekuri.cards.art import Pack, find_pack
from mekuri.cards.art.drawings import sheet
from mekuri.cards.deck import ALL, CLUBS, SWORDS, card, each

HANAFUDA, CALENDAR, RAIN_MAN = map(find_pack, ("hanafuda", "hanafuda-calendar", "hanafuda-rain-man"))
DRAWINGS = [HANAFUDA.face(drawn) for drawn in HANAFUDA.cards] + [HANAFUDA.back()]
PAINTS = {"fill", "stroke"}
# The allowed attributes of an element: shape and paint, without anything that a strict content policy or a second copy forbids.
SHAPE = {"d", "r", "cx", "cy", "x", "y", "rx", "width", "height", "transform"}
LINE = {"stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"}


def elements(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<svg>{drawing}</svg>").iter())[1:]


class TestPack:
    def test_pack_has_every_card(self) -> None:
        assert HANAFUDA.id == "hanafuda"
        assert HANAFUDA.cards == each(ALL)

    def test_all_cards_are_different(self) -> None:
        """Also the two chaff cards of a flower."""
        assert len(set(DRAWINGS)) == len(DRAWINGS) == 49

    @pytest.mark.parametrize("number", range(1, 13))
    def test_cards_have_several_shapes(self, number: int) -> None:
        for suit in range(4):
            assert len(elements(HANAFUDA.face(card(number, suit)))) >= 6

    def test_signs_name_flowers(self) -> None:
        assert len({HANAFUDA.sign(card(number, CLUBS), "kanji") for number in range(1, 13)}) == 12
        assert [HANAFUDA.sign(card(2, suit), "latin") for suit in range(4)] == list("HIOK")
        assert [HANAFUDA.sign(card(number, CLUBS), "kanji") for number in (1, 2, 6, 11, 12)] == list("松柳桐牡梅")
        assert HANAFUDA.sign(card(8, SWORDS), "kanji") == "芒"


class TestDrawings:
    def test_drawings_have_only_shapes_and_paint(self) -> None:
        """Shapes, groups and paint; no style, no name, no reference."""
        for drawing in DRAWINGS:
            for element in elements(drawing):
                assert element.tag in {"g", "path", "circle", "rect"}
                assert set(element.attrib) <= SHAPE | LINE | PAINTS
                assert not element.text

    def test_drawings_use_seven_paints(self) -> None:
        used = set()
        for drawing in DRAWINGS:
            used |= {element.attrib[paint] for element in elements(drawing) for paint in PAINTS & set(element.attrib)}
        paints = [paint for name, paint in sheet("hanafuda").classes.items() if name != "caption"]
        palette = {colour for paint in paints for name, colour in paint.items() if name in PAINTS}
        assert used == palette
        assert len(palette) == 7 + 1, "seven paints, and none"

    def test_no_empty_shape(self) -> None:
        for drawing in DRAWINGS:
            for element in elements(drawing):
                assert element.tag != "path" or re.fullmatch(r"M[-\d].*", element.attrib["d"])
                assert element.tag != "g" or len(element)

    def test_every_shape_is_painted(self) -> None:
        """Every shape is painted: a fill, or a line with a width."""
        for drawing in DRAWINGS:
            for element in elements(drawing):
                if element.tag != "g":
                    fill = element.attrib.get("fill", "none") != "none"
                    assert fill or float(element.attrib["stroke-width"]) > 0, element.attrib

    def test_rim_is_drawn_last(self) -> None:
        """The rim covers what passes the edge of the card."""
        for drawing in DRAWINGS[:-1]:
            rim = elements(drawing)[-1]
            assert (rim.tag, rim.attrib["fill"]) == ("rect", "none")
            assert float(rim.attrib["x"]) * 2 == float(rim.attrib["stroke-width"])

    def test_pack_is_small(self) -> None:
        faces = "".join(DRAWINGS).encode()
        assert len(faces) < 170_000
        assert len(gzip.compress(faces)) < 19_000

    def test_pack_is_the_same_in_every_process(self) -> None:
        """Another process, which hashes otherwise, draws the same."""
        code = "import mekuri.cards.art as a; p = a.find_pack('hanafuda'); print(*map(p.face, p.cards), p.back(), sep='\\n')"
        environment = {**os.environ, "PYTHONHASHSEED": "7"}
        printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment).stdout
        assert printed.splitlines() == DRAWINGS


class TestOtherOrders:
    def test_calendar_order_has_other_numbers(self) -> None:
        """The plum is the second month, the peony the sixth, the willow the eleventh, the paulownia the twelfth."""
        assert "".join(CALENDAR.sign(card(number, 0), "kanji") for number in range(1, 13)) == "松梅桜藤菖牡萩芒菊楓柳桐"
        assert [CALENDAR.sign(card(2, suit), "latin") for suit in range(4)] == list("HIOK")
        assert CALENDAR.face(card(2, 3)) == HANAFUDA.face(card(12, 3))

    def test_rain_man_order_swaps_clubs(self) -> None:
        two = [RAIN_MAN.face(card(2, suit)) for suit in range(4)]
        assert two == [HANAFUDA.face(card(2, suit)) for suit in (2, 1, 0, 3)]

    @pytest.mark.parametrize("pack", [CALENDAR, RAIN_MAN])
    def test_other_orders_have_every_picture_once(self, pack: Pack) -> None:
        assert sorted(map(pack.face, pack.cards)) == sorted(map(HANAFUDA.face, HANAFUDA.cards))
