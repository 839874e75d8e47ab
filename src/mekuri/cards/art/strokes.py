"""Shapes of brush strokes as SVG path data: most are outlines to fill, some are lines to stroke.

A point is a complex number, x + y·1j with y downwards: a sum moves it, a product with 1j turns it by a right angle. Lengths are in
units of the card's viewBox.
Path data is relative, so that the same shape at two places is nearly the same text, which compresses well.
"""

from __future__ import annotations

import cmath
import math

from mekuri.cards.art.svg import WIDTH, number

Pull = tuple[complex, complex]  # a straight stroke: its start and its end
Touch = tuple[complex, float]  # a point of a brush stroke, and the stroke's width there


def line(*points: complex) -> str:
    """A line from point to point, to stroke."""
    at = _rounded(points[0])
    data = [f"M{_pair(at)}l"]
    for point in points[1:]:
        step = _rounded(point - at)
        data.append(_pair(step))
        at += step
    return _joined(data)


def polygon(*corners: complex) -> str:
    """A closed shape with straight sides."""
    return f"{line(*corners)}z"


def blob(*points: complex) -> str:
    """A closed shape without corners: a quadratic B-spline, which is drawn towards its points but does not quite reach them.

    Its curves meet halfway between two points, so SVG can find each point by itself as the reflection of the one before.
    """
    first = at = _rounded((points[0] + points[1]) / 2)
    bend = _rounded(points[1] - at)
    data = [f"M{_pair(at)}q{_pair(bend)}"]
    bend += at
    for point in (*points[2:], points[0]):
        step = _rounded((bend + point) / 2 - at)
        data.append(_pair(step) if len(data) == 1 else f"t{_pair(step)}")
        at += step
        bend = 2 * at - bend  # the next point as rounding has moved it; the step after it corrects that
    data.append(f"T{_pair(first)}z")
    return _joined(data)


def brush(*touches: Touch) -> str:
    """The outline of a stroke of a round brush through points, with a width at each. Its ends are blunt."""
    points = [point for point, _ in touches]
    ways = [_unit(after - before) for before, after in zip(points[:1] + points, points[1:] + points[-1:], strict=False)]
    sides = [way * 1j * breadth / 2 for way, (_, breadth) in zip(ways, touches, strict=True)]
    tail = points[0] - ways[0] * touches[0][1] * 0.2
    tip = points[-1] + ways[-1] * touches[-1][1] * 0.2
    return blob(
        tail + sides[0],
        *(point + side for point, side in zip(points, sides, strict=True)),
        tip + sides[-1],
        tip - sides[-1],
        *(point - side for point, side in zip(reversed(points), reversed(sides), strict=True)),
        tail - sides[0],
    )


def bar(start: complex, end: complex, breadth: float) -> str:
    """The outline of a straight stroke of a broad brush: wider at its start, narrower midway, with blunt, slightly slanted ends."""
    way = _unit(end - start)
    side, middle = way * 1j * breadth / 2, (start + end) / 2
    return polygon(
        start + side * 1.06,
        middle + side * 0.9,
        end + side + way * breadth * 0.1,
        end - side * 1.02 - way * breadth * 0.06,
        middle - side * 0.92,
        start - side - way * breadth * 0.1,
    )


def blade(start: complex, end: complex, breadth: float) -> str:
    """The outline of a thin straight stroke that ends in a point."""
    way = _unit(end - start)
    side = way * 1j * breadth / 2
    return polygon(start + side, start + 0.8 * (end - start) + side, end, start + 0.8 * (end - start) - side * 0.6, start - side)


def dabs(*centres: complex) -> str:
    """Dots, to stroke with round ends: each is a line so short that it is a dot, though not quite a round one."""
    return "".join(line(centre, centre + 0.5) for centre in centres)


def lozenge(centre: complex, breadth: float, height: float) -> str:
    """A lozenge: a square on its corner, with a width and a height."""
    return polygon(centre - height / 2 * 1j, centre + breadth / 2, centre + height / 2 * 1j, centre - breadth / 2)


def box(centre: complex, breadth: float, height: float) -> str:
    """A rectangle around its centre."""
    half, tall = breadth / 2, height / 2 * 1j
    return polygon(centre - half - tall, centre + half - tall, centre + half + tall, centre - half + tall)


def arc(centre: complex, spoke: complex, turn: float) -> str:
    """An arc of a circle, to stroke or to fill.

    Args:
        centre: the centre of the circle.
        spoke: the way from the centre to the start of the arc.
        turn: the angle of the arc, clockwise, in degrees below 360.
    """
    start, end = _rounded(centre + spoke), _rounded(centre + spoke * cmath.rect(1, math.radians(turn)))
    return f"M{_pair(start)}{_bent(abs(spoke), turn > 180, end - start)}"


def disc(centre: complex, radius: float) -> str:
    """A circle."""
    width = _rounded(complex(2 * radius))
    return f"M{_pair(_rounded(centre - radius))}{_bent(radius, False, width)}{_bent(radius, False, -width)}z"


def wave(start: complex, end: complex, waves: int, height: float) -> str:
    """A wavy line with a number of whole waves, to stroke. `height` sets how far the waves rise."""
    step = (end - start) / (2 * waves)
    crest = step / 2 - _unit(step) * 1j * height
    return _joined([f"M{_pair(start)}q{_pair(crest)}", _pair(step), f"t{_pair(step)}" * (2 * waves - 1)])


def across(way: complex) -> complex:
    """The step of length 1 to the left of a direction, seen when moving along it."""
    return -1j * _unit(way)


def mirrored(pull: Pull) -> Pull:
    """The stroke mirrored left to right in the middle of the card."""
    start, end = pull
    return WIDTH - start.conjugate(), WIDTH - end.conjugate()


def _unit(way: complex) -> complex:
    return way / abs(way)


def _rounded(point: complex) -> complex:
    """A point rounded to half units, a quarter of a millimetre: no wood block was cut finer, and the SVG is a tenth shorter."""
    return complex(round(point.real * 2) / 2, round(point.imag * 2) / 2)


def _pair(point: complex) -> str:
    return _joined([_short(point.real), _short(point.imag)])


def _bent(radius: float, far: bool, step: complex) -> str:
    """The path data of a clockwise arc with a radius to a relative end; `far` takes the longer way round."""
    return _joined([f"a{_short(radius)}", _short(radius), "0", str(int(far)), "1", _pair(step)])


def _short(value: float) -> str:
    """A number without the zero before its point."""
    return number(value).replace("0.", ".", 1) if abs(value) < 1 else number(value)


def _joined(data: list[str]) -> str:
    """Path data with a space only where two numbers would run together."""
    text = data[0]
    for part in data[1:]:
        text += f" {part}" if text[-1].isdigit() and (part[0].isdigit() or part[0] == ".") else part
    return text
