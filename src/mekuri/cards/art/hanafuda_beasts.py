"""Drawings of boar, deer, the Rain Man and his frog, and the storm of the lightning card."""

from __future__ import annotations

from math import tau

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
    beads,
    below,
    blob,
    brush,
    curve,
    cut,
    disc,
    dots,
    drawn,
    leaf,
    line,
    placed,
    polygon,
    solid,
    spread,
    toward,
)


def boar() -> str:
    """A boar charging to the left, its bristles up. Drawn around 0."""
    back = (-9 - 9j, -3 - 13j, 3 - 14.6j, 10 - 13j, 17 - 8j)
    bristles = [leaf(place + 2j, place + toward(38, 6.4), 3) for place in (*back, -6 - 11j, 0 - 14j, 6.6 - 14j, 13.6 - 10.8j)]
    legs = (
        brush((-9 + 7j, -14 + 13j, -20 + 15j), 5, 2.2),
        brush((-5 + 8j, -7 + 14j, -12 + 18j), 5, 2.2),
        brush((12 + 6j, 18 + 12j, 22 + 19j), 6, 2.2),
        brush((7 + 8j, 11 + 14j, 12 + 20j), 6, 2.2),
    )
    body = blob(
        -25 + 5j, -18 - 2j, -12 - 8j, -3 - 13.4j, 7 - 14j, 17 - 8j, 21 + 1j, 17 + 9j, 6 + 11j, -6 + 11j, -15 + 10.6j, -24 + 9.6j
    )
    return (
        solid(INK, *bristles)
        + cut(INK, *legs, width=0.7)
        + cut(INK, body, width=0.8)
        + drawn(INK, 1, curve(20 - 3j, 25 - 6j, 24 - 10j))
        + cut(RED, blob(-26.4 + 4.6j, -23.6 + 4j, -22.8 + 9j, -25.4 + 9.8j), width=0.5)
        + solid(INK, disc(-25.2 + 6j, 0.5), disc(-25 + 8j, 0.5))
        + solid(PAPER, brush((-19 + 8.6j, -21.4 + 6j, -20.6 + 2j), 2.4, 0.4), disc(-15.6 + 0.6j, 1.5))
        + solid(RED, disc(-15.8 + 0.8j, 0.8))
        + cut(INK, leaf(-11 - 3j, -3 - 10j, 6), width=0.7)
        + drawn(
            OCHRE,
            0.9,
            *(curve(start, start + 5 - 2j, start + 9 - 1j) for start in (-4 - 3j, 3 - 7j, 4 + 1j, -5 + 4j, 10 - 2j, 7 + 6j)),
        )
    )


def deer() -> str:
    """A stag that stands to the left and looks back over its shoulder. Drawn around 0."""
    legs = (
        brush((-11 + 5j, -11.6 + 14j, -13 + 27j), 5, 1.6),
        brush((-8 + 7j, -7 + 15j, -8 + 27j), 4.6, 1.6),
        brush((11 + 4j, 13.4 + 13j, 11 + 27j), 6, 1.6),
        brush((8 + 6j, 8 + 15j, 6 + 27j), 5, 1.6),
    )
    body = blob(-10 - 8j, -4 - 5.4j, 5 - 6.4j, 14 - 5j, 15.6 + 1j, 12 + 8j, 4 + 8.4j, -6 + 10j, -13 + 6j, -15 - 3j)
    neck = brush((-8.6 + 1j, -12 - 8j, -10 - 18j), 9, 5)
    head = blob(-13 - 22j, -9 - 23j, -4 - 20.4j, 1.6 - 16.6j, 0.4 - 14.8j, -5 - 15.4j, -11 - 16j)
    antlers = (
        curve(-10 - 22j, -15 - 28j, -14 - 36j),
        curve(-14.6 - 29j, -19 - 31j, -20 - 35j),
        curve(-8 - 22.4j, -5 - 29j, -7 - 37j),
        curve(-5.8 - 29j, -1 - 31j, -0.4 - 35j),
    )
    spots = (-8 - 3j, -2 - 2j, 4 - 3j, 10 - 2j, -9 + 2j, -3 + 3j, 3 + 2.4j, 9 + 3j, -11.4 - 8j)
    return (
        drawn(PAPER, 2.6, *antlers)
        + drawn(INK, 1.5, *antlers)
        + cut(INK, leaf(14 - 3j, 19 + 3j, 4), width=0.5)
        + cut(OCHRE, legs[1], legs[3], edge=INK, width=0.8)
        + cut(OCHRE, legs[0], legs[2], edge=INK, width=0.8)
        + cut(OCHRE, neck, body, edge=INK, width=0.9)
        + solid(OCHRE, neck, body)
        + cut(OCHRE, leaf(-11 - 19.6j, -17.6 - 21j, 4), head, edge=INK, width=0.8)
        + drawn(PAPER, 1.9, dots(spots))
        + solid(INK, disc(-5 - 19j, 0.9), blob(0.4 - 17.4j, 2 - 16.6j, 1 - 15.2j, -0.2 - 16j))
    )


def umbrella(centre: complex, radius: float, turn: float = 0) -> str:
    """An oiled-paper umbrella, open, seen from the side; its point up unless turned."""

    def at(bearing: float, far: float = 1) -> complex:
        return toward(bearing, radius * far)

    brim = (at(84), at(60, 0.6), at(34, 0.52), at(0, 0.42), at(-34, 0.52), at(-60, 0.6), at(-84))
    top = at(0, 0.96)
    ribs = (
        curve(top, top + (end - top) * 0.5 + toward(lean, radius * 0.16), end)
        for end, lean in zip(brim[1:-1], (60, 30, 0, -30, -60), strict=True)
    )
    canopy = blob(top, at(42), *brim, at(-42))
    drawing = (
        drawn(INK, 1.5, line(top, at(180, 0.72)))
        + cut(OCHRE, canopy, edge=INK, width=1)
        + drawn(INK, 0.6, *ribs)
        + cut(RED, blob(top - 1.4j, at(28, 0.9), at(0, 0.78), at(-28, 0.9)), edge=INK, width=0.8)
        + drawn(INK, 2.4, line(top - 1j, top - 3j))
    )
    return placed(drawing, centre, turn)


def rain_man() -> str:
    """A courtier on high clogs, one hand raised to hold an umbrella, watching to the left. Drawn around 0, which is his belt."""
    return (
        solid(INK, polygon(-7 + 22j, -1 + 22j, -2 + 24.4j, -6 + 24.4j), polygon(2 + 22j, 8 + 22j, 7 + 24.4j, 3 + 24.4j))
        + cut(RED, blob(-8 + 4j, 7 + 3j, 10 + 20j, 4 + 22.6j, 0 + 20j, -4 + 22.6j, -9 + 20j), width=0.7)
        + drawn(INK, 0.8, line(0 + 8j, 0 + 20j))
        + cut(INK, blob(-5 - 11j, 4 - 11j, 9 - 5j, 10 + 5j, 6 + 10j, -4 + 10j, -9 + 6j, -8 - 4j), width=0.7)
        + drawn(PAPER, 3.2, line(-11.6 - 7j, -10 - 4j))
        + cut(VIOLET, blob(0 - 9j, 6 - 4j, 5 + 4j, -2 + 9j, -9 + 12j, -13 + 6j, -13.4 - 3j, -7 - 4j), width=0.7)
        + drawn(PAPER, 0.7, curve(-11 + 3j, -6 + 2j, -1 - 2j), curve(-9 + 7.6j, -4 + 5j, 1 + 1j))
        + cut(PAPER, blob(-6 - 19j, 0 - 21j, 4 - 18j, 3 - 13j, -1 - 10.6j, -5.4 - 12.4j), edge=INK, width=0.8)
        + solid(INK, blob(-6.4 - 19.4j, -3 - 22j, -1 - 27j, 4 - 26j, 6 - 20j, 4 - 13.6j, 1 - 17j))
        + drawn(INK, 0.8, line(-4.6 - 16.6j, -2.6 - 16.8j), line(-4.4 - 13.4j, -3 - 13.4j))
    )


def frog() -> str:
    """A frog about to leap to the right. Drawn around 0."""
    return (
        drawn(GREEN, 2.2, line(-4 + 1j, -7.4 - 1.4j, -6 + 3.4j, -9 + 3.8j), line(2 + 2j, 3.4 + 4j, 6 + 4j))
        + cut(GREEN, blob(-6 + 2j, -4 - 1.6j, 1 - 5.4j, 6 - 5.6j, 6.6 - 3j, 3 + 1j, -1 + 3.4j), width=0.5)
        + cut(OCHRE, disc(3.6 - 5.6j, 1.2), edge=INK, width=0.5)
    )


def stream(top: float) -> str:
    """A stream across the foot of the card, whose upper edge is at the height `top`."""

    def wave(down: float, swell: float) -> tuple[complex, ...]:
        return tuple(
            complex(across, down + (swell if index % 2 else -swell)) for index, across in enumerate(spread(LEFT, RIGHT, 8))
        )

    return solid(VIOLET, below(wave(top, 1.4), BOTTOM)) + drawn(PAPER, 1, curve(*wave(top + 5, 1.4)), curve(*wave(top + 10, -1.4)))


def bolt(*points: complex, width: float = 5) -> str:
    """A flash of lightning through points: broad in the middle of every stretch, sharp at the end."""
    left, right = [points[0] - width / 2], [points[0] + width / 2]
    for index, point in enumerate(points[1:-1]):
        half = width / 2 * (1 - index / len(points) * 0.7)
        left.append(point - half)
        right.append(point + half)
    return cut(OCHRE, polygon(*left, points[-1], *right[::-1]), edge=INK, width=0.9)


def thunder_drum(centre: complex, radius: float) -> str:
    """A drum of the thunder god, with the three commas on its skin."""
    heads, tails = [], []
    for bearing in (0, 120, 240):
        head = centre + toward(bearing, radius * 0.4)
        heads.append(disc(head, radius * 0.23))
        tails.append(
            brush(
                (head, centre + toward(bearing + 40, radius * 0.6), centre + toward(bearing + 88, radius * 0.64)), radius * 0.4, 0.3
            )
        )
    return (
        cut(OCHRE, disc(centre, radius * 1.16), edge=INK, width=0.9)
        + beads(INK, 1, radius * tau / 12, disc(centre, radius))
        + solid(PAPER, disc(centre, radius * 0.84))
        + solid(INK, *heads)
        + solid(INK, *tails)
    )


def claw(wrist: complex, size: float, turn: float) -> str:
    """The thunder god's hand: an arm and three talons."""
    fingers, nails = [], []
    for bearing in (-44, 0, 44):
        knuckle, tip = wrist + toward(turn + bearing, size * 0.6), wrist + toward(turn + bearing * 0.5, size * 1.25)
        fingers.append(brush((wrist, knuckle, tip), size * 0.5, size * 0.24))
        nails.append(leaf(tip - toward(turn, size * 0.16), tip + toward(turn - bearing * 0.4, size * 0.7), size * 0.3))
    arm = brush(
        (wrist - toward(turn - 14, size * 2), wrist - toward(turn, size * 0.6), wrist + toward(turn, size * 0.2)), size, size * 0.7
    )
    return cut(OCHRE, *nails, edge=INK, width=0.8) + cut(RED, arm, *fingers, edge=INK, width=1.6) + solid(RED, arm, *fingers)


def cloud(*lumps: tuple[complex, float], colour: str = INK) -> str:
    """A cloud of round lumps."""
    rounds = [disc(*lump) for lump in lumps]
    return drawn(PAPER, 1.8, *rounds) + solid(colour, *rounds)
