"""Drawings of wisteria, iris, bush clover, susuki, chrysanthemum and peony."""

from __future__ import annotations

from math import asin, degrees

from mekuri.cards.art.hanafuda_shapes import (
    BOTTOM,
    GREEN,
    INK,
    LEFT,
    OCHRE,
    PAPER,
    RED,
    RIGHT,
    VIOLET,
    along,
    arc,
    beads,
    blob,
    bow,
    combed,
    curve,
    cut,
    dots,
    drawn,
    leaf,
    line,
    placed,
    ring_of_beads,
    ring_of_teeth,
    scallop,
    solid,
    spot,
    toward,
)


def wisteria(top: complex, size: float = 1, sway: float = 0, long: bool = False) -> str:
    """A hanging cluster of wisteria, 50 or 72 long at size 1: black florets with violet hearts, closer together towards the tip."""
    tip, shoulder = (72j, 55j) if long else (50j, 37j)
    sides = (curve(side * 6 + 2j, side * 5.8 + shoulder / 2, side * 2.7 + shoulder) for side in (-1, 1))
    strands = (curve(0j, 0.6 + tip / 2, tip), *sides)
    florets = (
        drawn(INK, 0.8, line(-7j, tip))
        + beads(PAPER, 6, 4.8, *strands)
        + beads(INK, 5, 4.8, *strands)
        + beads(VIOLET, 2.8, 4.8, *strands)
    )
    return placed(florets, top, sway, size)


def feather_leaf(base: complex, size: float = 1, turn: float = 180) -> str:
    """A leaf of the wisteria: narrow leaflets in pairs, and one at the tip."""
    leaflets = [leaf(-14j, -22j, 3)]
    for far in (3, 7.6, 12):
        leaflets += [leaf(-far * 1j, side * 5.6 - (far + 5) * 1j, 2.8) for side in (1, -1)]
    return placed(drawn(GREEN, 0.7, line(0j, -15j)) + cut(GREEN, *leaflets, width=0.5), base, turn, size)


def blades(*leaves: tuple[complex, complex, float], colour: str = INK) -> str:
    """Sword leaves of the iris, each from its base to its tip, with a width."""
    ribs = (line(base + (tip - base) * 0.12, base + (tip - base) * 0.8) for base, tip, _ in leaves)
    return cut(colour, *(leaf(base, tip, width) for base, tip, width in leaves), width=0.7) + drawn(PAPER, 0.35, *ribs)


def iris(centre: complex, size: float) -> str:
    """A flower of the iris: three falls that hang, each with a golden throat, and three standards that stand."""
    standards = [leaf(1j, tip, 4.2) for tip in (-3.6 - 8.5j, 3.6 - 8.5j, -9.7j)]
    right = blob(0.5 - 1.2j, 5.5 - 3.2j, 10 + 0.2j, 9.8 + 5j, 6.2 + 5.2j, 4 + 2j)
    left = blob(-4 + 2j, -6.2 + 5.2j, -9.8 + 5j, -10 + 0.2j, -5.5 - 3.2j, -0.5 - 1.2j)
    middle = blob(0 - 1j, 3 + 2j, 4.6 + 6.6j, 2.4 + 9.8j, 0 + 9j, -2.4 + 9.8j, -4.6 + 6.6j, -3 + 2j)
    throats = (leaf(-0.5j, 6j, 2), leaf(-2 - 0.5j, -7.4 + 1.8j, 1.6), leaf(2 - 0.5j, 7.4 + 1.8j, 1.6))
    falls = cut(VIOLET, left, right, width=0.5) + cut(VIOLET, middle, width=0.5)
    return placed(cut(VIOLET, *standards, width=0.5) + falls + solid(OCHRE, *throats), centre, 0, size / 10)


def clover(root: complex, size: float = 1, turn: float = 0, mirrored: bool = False, short: bool = False) -> str:
    """A stem of bush clover that arches to the left, 90 high at size 1: small round leaves in threes."""
    stem = (0j, -2 - 24j, -12 - 44j) if short else (0j, 1 - 36j, -8 - 66j, -24 - 84j, -42 - 88j)
    rounds, veins = [], []
    for index, (place, ahead) in enumerate(along(stem, 4 if short else 9)[1:]):
        side = 1 if index % 2 else -1
        out = ahead * 1j * side
        middle = place + out * 4
        leaflets = [middle + out * 3.2, middle + ahead * 3.5 - out * 0.6, middle - ahead * 3.5 - out * 0.6]
        rounds += leaflets
        veins += [line(place, leaflets[0]), line(leaflets[1], place + out, leaflets[2])]
    foliage = drawn(PAPER, 6.3, dots(rounds)) + drawn(RED, 5.4, dots(rounds)) + drawn(INK, 0.5, *veins)
    return placed(drawn(INK, 0.8, curve(*stem)) + foliage, root, turn, size, mirrored)


def clover_flowers(*places: complex) -> str:
    """Flowers of the bush clover: little violet sprays between the leaves."""
    sprays = [curve(place, place + 2 - 3.4j, place + 3 - 7j) for place in places]
    return drawn(INK, 0.4, *sprays) + beads(VIOLET, 2.4, 2.6, *sprays)


def hill(centre: complex, radius: float, colour: str = INK, grass: str = INK) -> str:
    """A round hill down to the foot of the card, with grass along its brow."""
    left, right = max(LEFT, centre.real - radius), min(RIGHT, centre.real + radius)
    first, last = (degrees(asin((across - centre.real) / radius)) for across in (left, right))
    brow = arc(centre, radius + 1.3, first, last)
    land = arc(centre, radius, first, last) + f"V{round(BOTTOM * 10)}H{round(left * 10)}z"
    return combed(grass, 3, 0.6, 2.3, brow) + combed(grass, 6, 0.6, 3.9, brow) + solid(colour, land)


def susuki(root: complex, size: float = 1, turn: float = 0, mirrored: bool = False, colour: str = INK) -> str:
    """A stem of susuki, 50 high at size 1, with a plume that the wind combs to the left."""
    hairs = []
    for index in range(9):
        start = complex(-1 - 0.1 * index, -50 + 1.5 * index)
        lean, length = -6 - 10 * index, 14 - 0.4 * index
        hairs.append(bow(start, toward(lean + 14, length * 0.6), toward(lean, length) + 2j))
    stem = curve(0j, -3 - 26j, -1 - 50j)
    return placed(drawn(colour, 0.9, stem) + drawn(colour, 1.3, *hairs), root, turn, size, mirrored)


def chrysanthemum(centre: complex, radius: float, colour: str = RED, pen: str = PAPER) -> str:
    """A chrysanthemum: a disc of many narrow petals in two rings."""
    flower = (
        ring_of_beads(pen, 3.9, 16, 8.4)
        + ring_of_beads(colour, 2.9, 16, 8.4, filled=True)
        + ring_of_teeth(pen, 4.6, 8.6, 0.45, 16, between=True)
        + ring_of_beads(pen, 3.2, 12, 4.8)
        + ring_of_beads(colour, 2.4, 12, 4.8, filled=True)
        + ring_of_teeth(pen, 2.1, 4.7, 0.4, 12, between=True)
        + spot(RED if colour == OCHRE else OCHRE, 1.8, pen, 0.6)
    )
    return placed(flower, centre, 0, radius / 10)


def chrysanthemum_leaf(base: complex, size: float, turn: float, colour: str = GREEN) -> str:
    """A leaf of the chrysanthemum: five lobes."""
    shape = lobed_leaf()
    veins = line(-0.6j, -7.4j), line(-2.7 - 4.2j, -2j, 2.7 - 4.2j)
    return placed(cut(colour, shape, width=0.5) + drawn(PAPER, 0.35, *veins), base, turn, size / 10)


def lobed_leaf() -> str:
    """The outline of a chrysanthemum leaf."""
    left = (-2.4 - 0.6j, -3.6 - 2.2j, -2.2 - 3j, -4.4 - 4.4j, -4.2 - 6j, -2.2 - 6.2j, -3 - 8.2j)
    return blob(0j, *left, -10j, *(-point.conjugate() for point in left[::-1]))


def peony(centre: complex, radius: float, colour: str = RED, pen: str = PAPER) -> str:
    """A peony: rings of broad lobes about a golden heart."""
    flower = (
        cut(colour, scallop(0j, 8.6, 9, 10), edge=pen, width=0.5)
        + ring_of_teeth(pen, 5.4, 8.4, 0.3, 9)
        + cut(colour, scallop(0j, 6, 7, 12), edge=pen, width=0.5)
        + cut(colour, scallop(0j, 3.6, 5, 30), edge=pen, width=0.5)
        + ring_of_beads(OCHRE, 1.3, 6, 1.6)
    )
    return placed(flower, centre, 0, radius / 10)


def peony_leaf(base: complex, size: float, turn: float, colour: str = GREEN) -> str:
    """A leaf of the peony: three pointed leaflets."""
    tips = [toward(bearing, far) for bearing, far in ((-44, 8), (44, 8), (0, 10))]
    leaflets = cut(colour, *(leaf(0j, tip, abs(tip) * 0.42) for tip in tips), width=0.3)
    return placed(leaflets + drawn(PAPER, 0.2, *(line(0j, tip * 0.75) for tip in tips)), base, turn, size / 10)
