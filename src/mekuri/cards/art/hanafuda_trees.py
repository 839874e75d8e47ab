"""Drawings of trees: pine, willow, cherry, paulownia, maple and plum."""

from __future__ import annotations

from math import tau

from mekuri.cards.art.hanafuda_shapes import (
    GREEN,
    INK,
    OCHRE,
    PAPER,
    RED,
    VIOLET,
    along,
    arc,
    bow,
    brush,
    combed,
    curve,
    cut,
    disc,
    dots,
    drawn,
    leaf,
    line,
    lobed,
    lobes,
    notched_petal,
    placed,
    polygon,
    ring_of_beads,
    ring_of_teeth,
    solid,
    spot,
    spread,
    toward,
)


def branch(*points: complex, width: float, end: float = 1.2) -> str:
    """A branch, thinner towards its end."""
    return cut(INK, brush(points, width, end), width=0.7)


def crooked(*points: complex, width: float, end: float = 1.6) -> str:
    """A branch that changes its direction at every joint, thinner from joint to joint."""
    widths = spread(width, end, len(points) - 1) if len(points) > 2 else [width]
    return "".join(drawn(INK, thick, line(*pair)) for thick, *pair in zip(widths, points, points[1:], strict=False))


def bark(*places: complex) -> str:
    """Scales of bark on a trunk."""
    return drawn(PAPER, 0.6, *(curve(place - 2, place + 1j, place + 2 + 0.4j) for place in places))


def pine(centre: complex, radius: float, turn: float = 0, colour: str = INK) -> str:
    """A tuft of pine: needles fanned out from a red bud."""
    needles, half = 15, 100
    edge = [toward(150, 2)]
    for index, bearing in enumerate(spread(half, -half, needles)):
        if index:
            edge.append(toward(bearing + half / (needles - 1), 8))
        edge.append(toward(bearing, 10))
    edge.append(toward(-150, 2))
    step = tau * 5.6 * half / 180 / (needles - 1)
    tuft = (
        cut(colour, polygon(*edge[::-1]), width=0.7)
        + combed(PAPER, 4, 0.3, step, arc(0j, 5.6, -half + half / (needles - 1) - 1, half))
        + spot(RED, 1.7, width=0.5)
    )
    return placed(tuft, centre, turn, radius / 10)


def willow(top: complex, leaves: int, sway: float = 0, colour: str = INK) -> str:
    """A strand of willow: narrow leaves, left and right by turns, down a thin twig."""
    places = [place for place, _ in along((0j, 2 + 24j, -1 + 48j, 1 + 72j, 0 + 96j), 23)[:leaves]]
    sides = [1 if index % 2 else -1 for index in range(leaves)]
    blades = [bow(place, side * 1.8 + 2.6j, side * 1.8 + 6.6j) for place, side in zip(places, sides, strict=True)]
    twig = curve(*places[::4], places[-1] + 5j)
    return placed(drawn(colour, 0.6, twig) + drawn(colour, 1.5, *blades), top, sway)


def cherry(centre: complex, radius: float, turn: float = 0, colour: str = RED) -> str:
    """A cherry blossom: five notched petals. A white one is drawn in red on paper."""
    pen = RED if colour == PAPER else PAPER
    blossom = (
        cut(colour, *(notched_petal(0j, bearing, 10) for bearing in range(90, 450, 72)), edge=pen, width=0.5)
        + ring_of_teeth(pen, 0, 5, 0.4, 5)
        + ring_of_beads(OCHRE, 0.9, 5, 5)
        + spot(pen, 1.2)
    )
    return placed(blossom, centre, turn, radius / 10)


def buds(*stalks: tuple[complex, complex]) -> str:
    """Buds of the cherry, each at the end of its stalk."""
    return drawn(INK, 0.5, *(line(*stalk) for stalk in stalks)) + drawn(RED, 2.8, dots(end for _, end in stalks))


def plum(centre: complex, radius: float, turn: float = 0, colour: str = RED) -> str:
    """A plum blossom: five round petals and a crown of stamens. A white one is drawn in ink on paper."""
    pen = INK if colour == PAPER else PAPER
    gold = RED if colour == PAPER else OCHRE
    blossom = (
        ring_of_beads(pen, 9.2, 5, 5.6)
        + ring_of_beads(colour, 8, 5, 5.6, filled=True)
        + ring_of_teeth(pen, 1.6, 5.2, 0.45, 10)
        + ring_of_beads(gold, 1.1, 10, 5.7)
        + spot(gold, 1.5)
    )
    return placed(blossom, centre, turn, radius / 10)


def maple(centre: complex, size: float, turn: float = 0, colour: str = RED) -> str:
    """A leaf of the maple: seven pointed lobes and a stalk."""
    pen = INK if colour == OCHRE else PAPER
    lengths = ((0, 10), (42, 9.2), (84, 7.6), (128, 5), (232, 5), (276, 7.6), (318, 9.2))
    tips = [toward(bearing, length) for bearing, length in lengths]
    drawing = (
        drawn(INK, 0.9, bow(0j, -0.6 + 4j, 0.8 + 8j))
        + cut(colour, lobes(*tips, notch=0.42, belly=0.34), width=0.6)
        + drawn(pen, 0.4, *(line(0j, tip * 0.6) for tip in tips))
    )
    return placed(drawing, centre, turn, size / 10)


def paulownia_leaf(base: complex, size: float, turn: float = 180, colour: str = INK) -> str:
    """A leaf of the paulownia: broad, with three pointed lobes and pale veins. It hangs unless turned."""
    shape = lobed((-3.4 + 2j, -6.2 - 3j), (-4.4 - 3.4j, -4 - 4.6j), (-3.8 - 8j, -10j))
    veins = (line(-0.6j, -7.6j), line(-5 - 2.8j, -1j, 5 - 2.8j), line(-2.6 - 5.4j, -3.4j, 2.6 - 5.4j))
    return placed(cut(colour, shape, width=0.4) + drawn(PAPER, 0.25, *veins), base, turn, size / 10)


def paulownia_spike(base: complex, height: float, turn: float = 0, colour: str = VIOLET) -> str:
    """A flower spike of the paulownia: bells in pairs up a stalk, the topmost still buds."""
    bells = []
    for far, size in ((2.2, 2.7), (4.6, 2.3), (6.7, 1.8)):
        for side in (-1, 1):
            root, way = -far * 1j, toward(side * 58)
            bells.append(leaf(root, root + way * size * 1.5, size * 0.9) + disc(root + way * size * 0.86, size * 0.42))
    spike = drawn(INK, 0.3, line(0j, -10j)) + cut(colour, *bells, width=0.2) + solid(colour, leaf(-7.6j, -11j, 2))
    return placed(spike, base, turn, height / 10)


def sprig(base: complex, tip: complex, colour: str = GREEN) -> str:
    """A small young leaf, or a bud."""
    return cut(colour, leaf(base, tip, abs(tip - base) * 0.5), width=0.5)
