"""The hanafuda pack: every card is drawn, unlike any other, in few colours, light enough to be sent whole."""

import gzip
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from mekuri.cards.art.hanafuda import CALENDAR, FLOWERS, HANAFUDA, RAIN_MAN
from mekuri.cards.art.hanafuda_shapes import PALETTE, brush, curve, disc, leaf, line, lobed, lobes, placed, scallop, toward
from mekuri.cards.art.pack import Pack
from mekuri.cards.deck import ALL, CLUBS, SWORDS, card, each

DRAWINGS = [HANAFUDA.face(drawn) for drawn in HANAFUDA.cards] + [HANAFUDA.back()]
PAINTS = {"fill", "stroke"}
# What an element may say: its shape, or how it is painted. Nothing that a strict content policy or a second copy could trip over.
SHAPE = {"d", "r", "x", "y", "rx", "width", "height", "transform"}
LINE = {"stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"}


def elements(drawing: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<svg>{drawing}</svg>").iter())[1:]


def area(points: list[complex]) -> float:
    """Twice the area that points run around: above 0 where they run clockwise on a page."""
    return sum((one.conjugate() * other).imag for one, other in zip(points, points[1:] + points[:1], strict=True))


def points_of(shape: str) -> list[complex]:
    """The points a shape goes by, those it bends towards among them, in units."""
    place, found = 0j, []
    for command, text in re.findall(r"([Mlqcsa])([^A-Za-z]*)", shape):
        numbers = [float(text) / 10 for text in re.findall(r"-?[\d.]+", text)]
        length = {"M": 2, "l": 2, "q": 4, "c": 6, "s": 4, "a": 7}[command]
        for start in range(0, len(numbers), length):
            told = numbers[start : start + length][-2 if command == "a" else 0 :]
            steps = [complex(*pair) for pair in zip(told[::2], told[1::2], strict=True)]
            found += [place + step for step in steps]
            place += steps[-1]
    return found


class TestPack:
    def test_whole(self) -> None:
        assert HANAFUDA.id == "hanafuda"
        assert HANAFUDA.cards == each(ALL)

    def test_different(self) -> None:
        """Also the two chaff cards of a flower."""
        assert len(set(DRAWINGS)) == len(DRAWINGS) == 49

    @pytest.mark.parametrize("number", range(1, 13))
    def test_more_than_one_stroke(self, number: int) -> None:
        for suit in range(4):
            assert len(elements(HANAFUDA.face(card(number, suit)))) >= 6

    def test_signs(self) -> None:
        assert len(set(FLOWERS)) == 12
        assert [HANAFUDA.sign(card(2, suit), "latin") for suit in range(4)] == list("HIOK")
        assert [HANAFUDA.sign(card(number, CLUBS), "kanji") for number in (1, 2, 6, 11, 12)] == list("松柳桐牡梅")
        assert HANAFUDA.sign(card(8, SWORDS), "kanji") == "芒"


class TestDrawings:
    def test_plain(self) -> None:
        """Shapes, groups and paint; no style, no name, no reference."""
        for drawing in DRAWINGS:
            for element in elements(drawing):
                assert element.tag in {"g", "path", "circle", "rect"}
                assert set(element.attrib) <= SHAPE | LINE | PAINTS
                assert not element.text

    def test_palette(self) -> None:
        used = set()
        for drawing in DRAWINGS:
            used |= {element.attrib[paint] for element in elements(drawing) for paint in PAINTS & set(element.attrib)}
        assert used == {*PALETTE, "none"}

    def test_no_empty_shape(self) -> None:
        for drawing in DRAWINGS:
            for element in elements(drawing):
                assert element.tag != "path" or re.fullmatch(r"M[-\d].*", element.attrib["d"])
                assert element.tag != "g" or len(element)

    def test_seen(self) -> None:
        """Every shape is painted: a fill, or a line with a width."""
        for drawing in DRAWINGS:
            for element in elements(drawing):
                if element.tag != "g":
                    fill = element.attrib.get("fill", "none") != "none"
                    assert fill or float(element.attrib["stroke-width"]) > 0, element.attrib

    def test_rim_last(self) -> None:
        """The rim covers what passes the edge of the card."""
        for drawing in DRAWINGS[:-1]:
            rim = elements(drawing)[-1]
            assert (rim.tag, rim.attrib["fill"]) == ("rect", "none")
            assert float(rim.attrib["x"]) * 2 == float(rim.attrib["stroke-width"])

    def test_light(self) -> None:
        faces = "".join(DRAWINGS).encode()
        assert len(faces) < 170_000
        assert len(gzip.compress(faces)) < 19_000

    def test_same_everywhere(self) -> None:
        """Another process, which hashes otherwise, draws the same."""
        code = "from mekuri.cards.art.hanafuda import HANAFUDA as p; print(*map(p.face, p.cards), p.back(), sep='\\n')"
        environment = {**os.environ, "PYTHONHASHSEED": "7"}
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment).stdout
        assert told.splitlines() == DRAWINGS


class TestShapes:
    def test_clockwise(self) -> None:
        """Shapes of one path may overlap: none punches a hole in another."""
        closed = [
            scallop(0j, 8, 9),
            leaf(1 + 1j, 9 + 30j, 6),
            leaf(9 + 30j, 1 + 1j, 6),
            brush((0j, 9 + 4j, 12 + 20j), 4, 2),
            lobes(*(toward(bearing, 9) for bearing in range(0, 360, 60)), notch=0.4, belly=0.3),
            lobed((-3 + 2j, -6 - 3j), (-4 - 3j, -4 - 5j), (-4 - 8j, -10j)),
        ]
        for shape in closed:
            assert shape.endswith("z")
            assert area(points_of(shape)) > 0, shape
        assert disc(9 + 9j, 5).count(" 0 1 1") == 2

    def test_steps_do_not_drift(self) -> None:
        """However many steps a line takes, it ends where it was told to, to a tenth."""
        points = tuple(complex(index * 0.349, (index % 7) * 0.261) for index in range(150))
        for shape in (line(*points), curve(*points)):
            assert abs(points_of(shape)[-1] - points[-1]) < 0.08

    def test_placed(self) -> None:
        assert placed("<path/>", 3 + 4j) == '<g transform="translate(30 40)"><path/></g>'
        assert placed("<path/>", -1j, 90, 2, mirrored=True) == '<g transform="translate(0 -10)rotate(90)scale(-2 2)"><path/></g>'


class TestOtherOrders:
    def test_of_the_calendar(self) -> None:
        """The plum is the second month, the peony the sixth, the willow the eleventh, the paulownia the twelfth."""
        assert "".join(CALENDAR.sign(card(number, 0), "kanji") for number in range(1, 13)) == "松梅桜藤菖牡萩芒菊楓柳桐"
        assert [CALENDAR.sign(card(2, suit), "latin") for suit in range(4)] == list("HIOK")
        assert CALENDAR.face(card(2, 3)) == HANAFUDA.face(card(12, 3))

    def test_with_the_rain_man_as_clubs(self) -> None:
        two = [RAIN_MAN.face(card(2, suit)) for suit in range(4)]
        assert two == [HANAFUDA.face(card(2, suit)) for suit in (2, 1, 0, 3)]

    @pytest.mark.parametrize("pack", [CALENDAR, RAIN_MAN])
    def test_every_picture_once(self, pack: Pack) -> None:
        assert sorted(map(pack.face, pack.cards)) == sorted(map(HANAFUDA.face, HANAFUDA.cards))
