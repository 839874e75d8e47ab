"""Drawings of crane, swallow, cuckoo, phoenix, geese, nightingale and butterflies, each around 0."""

from __future__ import annotations

from mekuri.cards.art.hanafuda_shapes import (
    GREEN,
    GREY,
    INK,
    OCHRE,
    PAPER,
    RED,
    VIOLET,
    blob,
    brush,
    curve,
    cut,
    disc,
    dots,
    drawn,
    leaf,
    line,
    polygon,
    scallop,
    solid,
    toward,
)


def crane() -> str:
    """A crane that stands and looks up to the left: white, with a black throat and tail and a red crown."""
    neck = (-11 - 25j, -7.4 - 21j, -6.4 - 14j, -8.6 - 7j, -5 - 1j)
    body = blob(-9 - 4j, -8.4 + 4j, -1 + 10j, 8 + 9.4j, 15 + 5j, 9 - 1j, 1 - 6j, -5 - 7j)
    tail = (leaf(5 + 2j, 21 + 5j, 6), leaf(5 + 4j, 20 + 11j, 6), leaf(4 + 6j, 16 + 16j, 6), leaf(2 + 7j, 10 + 18j, 5))
    legs = (line(-1 + 8j, -2 + 19j, -1 + 31j), line(3 + 9j, 5 + 19j, 3 + 31j))
    toes = (line(-6 + 32j, -1 + 31j, 2 + 32.4j), line(-1 + 32j, 3 + 31j, 7 + 32.4j))
    feathers = (curve(-3 - 1j, 3 + 3j, 11 + 4j), curve(-4 + 2j, 2 + 6j, 9 + 7j), curve(0 - 4j, 5 - 1j, 11 + 1j))
    return (
        drawn(INK, 1.3, *legs, *toes)
        + cut(INK, *tail, width=0.6)
        + drawn(INK, 5.6, curve(*neck))
        + cut(PAPER, body, edge=INK, width=0.8)
        + drawn(PAPER, 4, curve(*neck))
        + drawn(INK, 0.7, *feathers)
        + solid(INK, brush((-10 - 23j, -6.6 - 17j, -6.8 - 11j), 3.6, 0.6))
        + cut(PAPER, disc(-11.2 - 25.4j, 3), edge=INK, width=0.7)
        + cut(RED, blob(-13.6 - 27.4j, -11.6 - 30j, -8.4 - 28.4j, -10.4 - 26.4j), width=0.5)
        + solid(INK, polygon(-13.8 - 26.4j, -22 - 29.4j, -13.6 - 24.4j), disc(-11.6 - 25.6j, 0.7))
    )


def swallow() -> str:
    """A swallow seen from above, flying up: wings like scythes, a forked tail, a red throat."""
    wings = "".join(
        blob(0 - 5j, side * 8 - 8j, side * 17 - 4j, side * 25 + 6j, side * 15 + 1j, side * 7 + 2j, 0 + 5j) for side in (1, -1)
    )
    tail = (leaf(-1 + 6j, -7.5 + 25j, 5), leaf(1 + 6j, 7.5 + 25j, 5))
    return (
        cut(INK, wings, *tail)
        + cut(INK, blob(0 - 14j, 3.6 - 8j, 3.2 + 4j, 0 + 12j, -3.2 + 4j, -3.6 - 8j), width=0.6)
        + solid(RED, blob(0 - 13j, 3 - 8.6j, 0 - 6j, -3 - 8.6j))
        + solid(OCHRE, polygon(-1.2 - 13j, 0 - 16.4j, 1.2 - 13j))
        + drawn(PAPER, 0.6, *(curve(side * 5 - 3j, side * 12 - 2.4j, side * 18 + 0.4j) for side in (1, -1)))
        + solid(PAPER, disc(-1.7 - 10.6j, 0.6), disc(1.7 - 10.6j, 0.6))
    )


def cuckoo() -> str:
    """A cuckoo flying to the left, calling; its belly and its long tail are barred."""
    tail = (leaf(8 + 3j, 27 + 3j, 5), leaf(8 + 3j, 26 + 9j, 5), leaf(8 + 3j, 22 + 14j, 5))
    far = blob(-3 - 3j, -7 - 12j, -6 - 23j, -1 - 17j, 1 - 13j, 3 - 10j, 4 - 3j)
    near = blob(-3 - 2j, 3 - 11j, 14 - 20j, 23 - 23j, 21 - 17j, 18.4 - 15j, 18 - 11j, 14.6 - 9.6j, 13.6 - 5.4j, 9 - 4.4j, 6 + 1j)
    slits = (line(8 - 8.6j, 17.6 - 16j), line(6.6 - 5.6j, 15 - 11j), line(5 - 3j, 11 - 6.4j))
    bars = (
        curve(-9 + 2.4j, -7.6 + 4j, -7.6 + 6j),
        curve(-5.6 + 1.8j, -4 + 4.4j, -4.4 + 7.4j),
        curve(-1.6 + 2j, 0.2 + 4.6j, -0.4 + 7.6j),
    )
    return (
        cut(GREY, far, edge=INK, width=0.8)
        + cut(GREY, *tail, edge=INK, width=0.8)
        + cut(PAPER, blob(-16 - 4j, -12 - 7.4j, -5 - 4.6j, 4 - 2.4j, 12 + 3j, 4 + 7.6j, -5 + 7.6j, -12 + 3j), edge=INK, width=0.8)
        + drawn(INK, 0.9, *bars)
        + solid(INK, blob(-16 - 4j, -12 - 7.4j, -5 - 4.6j, 4 - 2.4j, 12 + 3j, 2 + 2j, -7 + 0.6j, -11 + 1j, -14 - 0.6j))
        + cut(INK, near, width=0.7)
        + drawn(PAPER, 0.7, *slits)
        + solid(PAPER, disc(-12.4 - 3.8j, 1.3))
        + solid(
            INK,
            disc(-12.6 - 3.8j, 0.7),
            polygon(-15 - 5.4j, -21 - 5.6j, -15.6 - 3.6j),
            polygon(-15.8 - 3.2j, -20 - 1.6j, -14.6 - 1.6j),
        )
    )


def goose() -> str:
    """A wild goose flying to the left with its neck stretched out."""
    far, near = blob(-2j, -5 - 8j, -3 - 14j, 1 - 8j, 4 - 1j), blob(-2 - 0.6j, 3 - 8j, 12 - 13j, 10 - 7j, 6.4 - 4j, 6 + 1j)
    return (
        solid(INK, far)
        + cut(INK, blob(-14 - 1.6j, -6 - 0.6j, 0 - 2j, 7 + 0.4j, 13 + 3.4j, 6 + 4j, -1 + 3.4j, -7 + 1.2j, -13.6 + 0.8j), width=0.6)
        + cut(INK, near, width=0.8)
        + solid(OCHRE, polygon(-14 - 1.4j, -18 + 0.2j, -14 + 0.9j))
    )


def phoenix() -> str:
    """The phoenix, flying up to the left: a raised wing of three colours, a comb, and a tail of long plumes with eyes."""
    plumes = ((6 + 4j, 20 + 8j, 27 + 22j, 19 + 38j), (5 + 6j, 13 + 16j, 12 + 30j, 1 + 42j), (3 + 6j, 2 + 17j, -5 + 27j, -17 + 31j))
    told = ""
    for plume, colour, eye in zip(plumes, (RED, OCHRE, VIOLET), (OCHRE, VIOLET, RED), strict=True):
        told += cut(colour, brush(plume, 1.6, 7), width=0.6) + drawn(PAPER, 0.5, curve(*plume))
        told += cut(colour, scallop(plume[-1], 4.8, 7), width=0.6) + cut(eye, disc(plume[-1], 2.2), width=0.8)
    told += cut(VIOLET, *(leaf(-1 + 1j, toward(bearing, 22), 7) for bearing in (-2, -20)), width=0.6)
    for bearing, colour in ((74, RED), (58, OCHRE), (42, RED), (26, OCHRE), (10, RED)):
        told += cut(colour, leaf(2 + 1j, 2 + 1j + toward(bearing, 28), 8), width=0.6)
    told += cut(VIOLET, *(leaf(1 + 1j, 1 + 1j + toward(bearing, 16), 6.4) for bearing in (66, 42, 18)), width=0.6)
    told += cut(RED, *(leaf(-12 - 17j, tip, 3) for tip in (-3 - 25j, -7 - 27j, -12 - 27j)), width=0.5)
    neck = (-13.6 - 16j, -11 - 12j, -11.6 - 5j, -6 + 1j, 1 + 4j)
    told += drawn(INK, 6.2, curve(*neck)) + cut(
        OCHRE, blob(-10 - 2j, -3 - 4j, 5 - 1j, 10 + 6j, 3 + 9j, -6 + 6j), edge=INK, width=0.8
    )
    told += drawn(OCHRE, 4.6, curve(*neck)) + drawn(
        INK, 0.6, *(curve(place - 1.8, place + 1.4j, place + 1.8) for place in (-4 + 3j, 0 + 1j, 4 + 4j, 1 + 5.6j))
    )
    told += drawn(INK, 0.6, *(curve(place - 1.4, place + 1.1j, place + 1.4) for place in (-11.4 - 10j, -11 - 6.4j, -9 - 3j)))
    return (
        told
        + solid(RED, leaf(-14 - 14.4j, -14.8 - 8.6j, 2.6))
        + solid(INK, polygon(-15.4 - 17.6j, -21 - 14.4j, -15 - 14.6j), disc(-13.4 - 16.6j, 0.8))
    )


def nightingale() -> str:
    """A nightingale (the bush warbler of the plum) perched, singing to the left."""
    return (
        cut(GREEN, leaf(6 + 2j, 22 + 9j, 5), leaf(6 + 3j, 19 + 13j, 4), width=0.7)
        + drawn(INK, 0.9, line(-1 + 8j, -2 + 12j), line(3 + 8j, 3.4 + 12.4j))
        + cut(OCHRE, blob(-11 - 8j, -9 - 12j, -4 - 12j, 4 - 5j, 12 + 4j, 6 + 8j, -3 + 8j, -9 + 1j), width=0.9)
        + solid(GREEN, blob(-11.4 - 9j, -8.6 - 12.6j, -4 - 12j, 5 - 5j, 12 + 4j, 7 + 7j, 0 + 5j, -4 - 2j, -8.6 - 6j))
        + cut(INK, leaf(-2 - 3j, 15 + 6j, 7), width=0.7)
        + drawn(PAPER, 0.5, curve(1 - 1j, 6 + 2j, 11 + 4j))
        + solid(INK, polygon(-11 - 9.8j, -16.4 - 11.6j, -11.2 - 8.2j), polygon(-11 - 8.6j, -15.4 - 7.4j, -10.8 - 7j))
        + solid(PAPER, disc(-7.8 - 9.4j, 1.4))
        + solid(INK, disc(-8 - 9.4j, 0.8))
    )


def butterfly(upper: str = OCHRE, lower: str = RED) -> str:
    """A butterfly seen from above."""
    tops = (blob(side * 1 - 1j, side * 4 - 10j, side * 13 - 12j, side * 14 - 5j, side * 7 + 1j) for side in (1, -1))
    ends = (blob(side * 1 + 0j, side * 8 + 1j, side * 10 + 7j, side * 5 + 11j, side * 2 + 6j) for side in (1, -1))
    return (
        cut(lower, *ends, edge=INK, width=0.8)
        + cut(upper, *tops, edge=INK, width=0.8)
        + solid(INK, disc(9.6 - 7.4j, 1.8), disc(-9.6 - 7.4j, 1.8), leaf(0 - 5j, 0 + 9j, 3.4))
        + drawn(INK, 0.7, curve(0 - 5j, 2 - 11j, 5 - 13j), curve(0 - 5j, -2 - 11j, -5 - 13j))
        + drawn(PAPER, 1.2, dots((5.6 + 6j, -5.6 + 6j)))
    )
