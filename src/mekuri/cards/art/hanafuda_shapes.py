"""Shapes of woodblock prints as SVG path data, and the few paints they are printed in.

A point is a complex number: `20+30j` lies 20 across and 30 down. A direction is a compass bearing: 0 is up, 90 is right.
Closed shapes that are worked out here run clockwise, so that those of one path may overlap.

So that a page loads a pack quickly, pictures are written in tenths of a unit, without decimals (`printed` scales them back), and
shapes that come often are drawn around 0 and then placed: repeated text compresses well.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import cos, radians, sin, tau

from mekuri.cards.art.svg import HEIGHT, WIDTH, element, group, number, path

PAPER = "#f4ead2"
INK = "#211"
RED = "#c32"
OCHRE = "#da4"
VIOLET = "#549"
GREEN = "#354"
GREY = "#ba9"
PALETTE = (PAPER, INK, RED, OCHRE, VIOLET, GREEN, GREY)

LEFT, RIGHT, BOTTOM = 1.4, WIDTH - 1.4, HEIGHT - 1.4  # the edges of shapes that fill a card, which end beneath the rim
KEYLINE = 1.0  # the width of the bare paper around a shape that lies on another

Piece = tuple[str, tuple[complex, ...]]  # a command of a path, and its points


# Paints


def printed(*layers: str) -> str:
    """A picture of layers, from the bottom up. Lines have round ends and joints, and are bare paper unless they name a colour."""
    return group(
        *layers,
        transform="scale(.1)",
        fill="none",
        stroke=PAPER,
        stroke_width=0,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def solid(colour: str, *shapes: str) -> str:
    """Shapes filled with a colour."""
    return path("".join(shapes), fill=colour)


def cut(colour: str, *shapes: str, edge: str = PAPER, width: float = KEYLINE) -> str:
    """Shapes filled with a colour, with an edge in another colour that separates them from the layers below."""
    return path("".join(shapes), fill=colour, **_line(edge, width))


def drawn(colour: str, width: float, *shapes: str) -> str:
    """Shapes drawn as lines."""
    return path("".join(shapes), **_line(colour, width))


def beads(colour: str, width: float, step: float, *shapes: str) -> str:
    """Beads along lines, `width` wide and `step` apart."""
    return path("".join(shapes), **_line(colour, width), stroke_dasharray=f"0 {step * 10:g}")


def combed(colour: str, length: float, thickness: float, step: float, *shapes: str) -> str:
    """Fine teeth across lines, `length` long, `thickness` thick, and `step` apart."""
    return path("".join(shapes), **_line(colour, length), **_teeth(thickness, step))


def spot(colour: str, radius: float, edge: str = PAPER, width: float = 0) -> str:
    """A disc around 0, with an edge if `width` is not 0."""
    return element("circle", r=radius * 10, fill=colour, **(_line(edge, width) if width else {}))


def ring_of_beads(colour: str, width: float, count: int, radius: float, filled: bool = False) -> str:
    """A ring of beads around 0, the first to the right. If `filled`, the disc within is filled as well."""
    inside = {"fill": colour} if filled else {}
    return element("circle", r=radius * 10, **inside, **_line(colour, width), stroke_dasharray=f"0 {radius * 10 * tau / count:.1f}")


def ring_of_teeth(colour: str, near: float, far: float, thickness: float, count: int, between: bool = False) -> str:
    """A ring of fine radial lines around 0, from radius `near` to `far`, the first to the right.

    If `between`, all are turned by half a step, so that they stand between the lines of another ring.
    """
    radius = (near + far) / 2
    step = radius * tau / count
    shift = {"stroke_dashoffset": step * 5} if between else {}
    return element("circle", r=radius * 10, **_line(colour, far - near), **_teeth(thickness, step), **shift)


def placed(drawing: str, where: complex, turn: float = 0, size: float = 1, mirrored: bool = False) -> str:
    """A drawing around 0 that is scaled (and mirrored left to right), then turned by degrees clockwise, then moved to a place."""
    steps = [f"translate({round(where.real * 10)} {round(where.imag * 10)})"]
    if turn:
        steps.append(f"rotate({number(turn)})")
    if mirrored or size != 1:
        scale = f"{round(size, 2):g}"
        steps.append(f"scale(-{scale} {scale})" if mirrored else f"scale({scale})")
    return group(drawing, transform="".join(steps))


def _teeth(thickness: float, step: float) -> dict[str, str | float]:
    return {"stroke_dasharray": f"{thickness * 10:g} {(step - thickness) * 10:.1f}", "stroke_linecap": "butt"}


def _line(colour: str, width: float) -> dict[str, str | float]:
    """The attributes of a line. A line in the colour of paper needs no colour, as `printed` sets it."""
    return {"stroke_width": width * 10} if colour == PAPER else {"stroke": colour, "stroke_width": width * 10}


# Shapes


def toward(bearing: float, length: float = 1) -> complex:
    """The step of a length in a direction, a bearing in degrees."""
    turn = radians(bearing)
    return complex(sin(turn), -cos(turn)) * length


def line(*points: complex) -> str:
    """A line through points, straight from each to the next."""
    return _told(points[0], [("l", (point,)) for point in points[1:]])


def polygon(*points: complex) -> str:
    """A closed shape with straight sides."""
    return line(*points) + "z"


def dots(points: Iterable[complex]) -> str:
    """Points, which are dots when they are drawn as lines with round ends."""
    told, here = "", 0j
    for point in points:
        told += f"m{_numbers(point - here)}h0"
        here += _rounded(point - here)
    return "M" + told[1:]


def disc(centre: complex, radius: float, start: float = 0) -> str:
    """A circle. `start` is the bearing in degrees at which its line starts."""
    out = toward(start, radius)
    half = f"a{_numbers(complex(radius, radius))} 0 1 1"
    return f"M{_numbers(centre + out)}{half}{_joined(_numbers(-2 * out))}{half}{_joined(_numbers(2 * out))}z"


def arc(centre: complex, radius: float, first: float, last: float) -> str:
    """An arc of a circle, clockwise from one bearing in degrees to another."""
    start, end = centre + toward(first, radius), centre + toward(last, radius)
    large = int(last - first > 180)
    return f"M{_numbers(start)}a{_numbers(complex(radius, radius))} 0 {large} 1{_joined(_numbers(end - start))}"


def below(skyline: tuple[complex, ...], base: float) -> str:
    """The shape between a smooth skyline and the height `base`, which makes it a sky if it is above the skyline."""
    return f"{curve(*skyline)}V{round(base * 10)}H{round(skyline[0].real * 10)}z"


def curve(*points: complex) -> str:
    """A smooth line through points."""
    return _told(points[0], _bends((points[0], *points, points[-1])))


def bow(start: complex, bend: complex, reach: complex) -> str:
    """A line with one bend. `bend`, the point it bends towards, and `reach`, its end, are relative to its start."""
    return _told(start, [("q", (start + bend, start + reach))])


def blob(*points: complex) -> str:
    """A closed smooth shape through points."""
    return _told(points[0], _bends((points[-1], *points, points[0], points[1]))) + "z"


def along(points: tuple[complex, ...], steps: int) -> list[tuple[complex, complex]]:
    """Places spread over the smooth line through points, evenly by its parameter, each with the line's direction of length 1."""
    found = []
    padded = (points[0], *points, points[-1])
    for step in range(steps):
        whole, part = divmod((step + 0.5) / steps * (len(points) - 1), 1)
        before, start, end, after = padded[int(whole) : int(whole) + 4]
        pull, push = start + (end - before) / 6, end - (after - start) / 6
        rest = 1 - part
        place = start * rest**3 + 3 * pull * part * rest**2 + 3 * push * part**2 * rest + end * part**3
        found.append((place, _unit((pull - start) * rest**2 + 2 * (push - pull) * part * rest + (end - push) * part**2)))
    return found


def brush(points: tuple[complex, ...], start: float, end: float) -> str:
    """The outline of a brush stroke through points, whose width changes from `start` to `end`."""
    ways = [_unit(after - before) for before, after in pairwise(points)]
    ways = [ways[0], *(_unit(one + other) for one, other in pairwise(ways)), ways[-1]]
    asides = [way * 0.5j * (start + (end - start) * index / (len(points) - 1)) for index, way in enumerate(ways)]
    left = [point - aside for point, aside in zip(points, asides, strict=True)]
    right = [point + aside for point, aside in zip(points, asides, strict=True)][::-1]
    there, back = _bends((left[0], *left, left[-1])), _bends((right[0], *right, right[-1]))
    return _told(left[0], [*there, ("l", (right[0],)), *back]) + "z"


def leaf(base: complex, tip: complex, width: float) -> str:
    """A leaf, pointed at both ends."""
    middle, aside = (base + tip) / 2, _unit(tip - base) * 1j * width
    return _told(base, [("q", (middle - aside, tip)), ("q", (middle + aside, base))]) + "z"


def notched_petal(base: complex, bearing: float, length: float) -> str:
    """A petal of the cherry, broad and notched at its tip."""

    def at(aside: float, far: float) -> complex:
        return base + toward(bearing + aside, length * far)

    sides: list[Piece] = [("c", (at(-46, 0.45), at(-40, 0.9), at(-11, 1))), ("l", (at(0, 0.8),)), ("l", (at(11, 1),))]
    return _told(base, [*sides, ("c", (at(40, 0.9), at(46, 0.45), base))]) + "z"


def lobed(*half: tuple[complex, complex]) -> str:
    """A symmetric leaf that points up from 0.

    Args:
        half: the sides of its left half, from 0 up, each as the point that it bends towards and the corner at its end.
    """
    corners = [0j, *(corner for _, corner in half)]
    left: list[Piece] = [("q", side) for side in half]
    right: list[Piece] = [
        ("q", (-bend.conjugate(), -start.conjugate())) for (bend, _), start in zip(half[::-1], corners[-2::-1], strict=True)
    ]
    return _told(0j, left + right) + "z"


def lobes(*tips: complex, notch: float, belly: float) -> str:
    """A leaf with pointed lobes around 0.

    Args:
        tips: the tips of the lobes, clockwise.
        notch: the distance of the notches from 0, as a part of the distance of the nearer tip.
        belly: how broad the lobes are, as a part of their length.
    """
    pieces: list[Piece] = []
    for tip, after in zip(tips, [*tips[1:], tips[0]], strict=True):
        corner = _unit(_unit(tip) + _unit(after)) * min(abs(tip), abs(after)) * notch
        pieces.append(("q", (tip * (0.55 + belly * 1j), corner)))
        pieces.append(("q", (after * (0.55 - belly * 1j), after)))
    return _told(tips[0], pieces) + "z"


def scallop(centre: complex, radius: float, lobes: int, turn: float = 0) -> str:
    """A disc whose edge is a ring of round lobes."""
    corners = [centre + toward(turn + 360 / lobes * lobe, radius) for lobe in range(lobes)]
    bow = _numbers(abs(corners[1] - corners[0]) * 0.56 * (1 + 1j))
    steps = (after - before for before, after in zip(corners, [*corners[1:], corners[0]], strict=True))
    return f"M{_numbers(corners[0])}" + "".join(f"a{bow} 0 0 1{_joined(_numbers(step))}" for step in steps) + "z"


def spread(first: float, last: float, count: int) -> list[float]:
    """A number of values, at least 2, evenly spread from the first to the last."""
    return [first + (last - first) * index / (count - 1) for index in range(count)]


def _unit(step: complex) -> complex:
    return step / abs(step)


def _bends(points: tuple[complex, ...]) -> list[Piece]:
    """The pieces of a Catmull-Rom spline from the second point to the last but one, as curves of a path."""
    pieces: list[Piece] = []
    for before, start, end, after in zip(points, points[1:], points[2:], points[3:], strict=False):
        pull, push = start + (end - before) / 6, end - (after - start) / 6
        pieces.append(("s", (push, end)) if pieces else ("c", (pull, push, end)))
    return pieces


def _told(start: complex, pieces: list[Piece]) -> str:
    """Relative path data, which is shorter than absolute. Every step starts at the rounded end of the step before it."""
    told, here, before = "M" + _numbers(start), _rounded(start), ""
    for command, points in pieces:
        steps = _numbers(*(point - here for point in points))
        told += command + steps if command != before else _joined(steps)
        here += _rounded(points[-1] - here)
        before = command
    return told


def _rounded(point: complex) -> complex:
    return complex(round(point.real, 1), round(point.imag, 1))


def _numbers(*points: complex) -> str:
    """The coordinates of points in tenths, joined as path data."""
    told = ""
    for point in points:
        for value in (point.real, point.imag):
            text = str(round(value * 10))
            told += _joined(text) if told else text
    return told


def _joined(numbers: str) -> str:
    """Numbers that follow another number: with a space before them, unless a minus separates them."""
    return numbers if numbers.startswith("-") else " " + numbers
