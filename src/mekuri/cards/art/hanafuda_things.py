"""Drawings of made things and the sky: ribbons, the curtain, the bridge, the sake cup, sun and moon; also faces, rim and back."""

from __future__ import annotations

from mekuri.cards.art.hanafuda_shapes import (
    BOTTOM,
    GREY,
    INK,
    LEFT,
    OCHRE,
    PAPER,
    RED,
    RIGHT,
    VIOLET,
    below,
    blob,
    brush,
    curve,
    cut,
    disc,
    drawn,
    line,
    placed,
    polygon,
    printed,
    scallop,
    solid,
    spread,
    toward,
)
from mekuri.cards.art.svg import HEIGHT, WIDTH, dotted, element

RIM = 1.8  # width of the paper folded over from the back


def whole(*layers: str) -> str:
    """The face of a card: layers from the bottom up, beneath the rim."""
    return printed(*layers) + _rim(fill="none")


def ground(colour: str = PAPER) -> str:
    """The paper of a face, which ends beneath the rim."""
    return solid(colour, polygon(LEFT + LEFT * 1j, RIGHT + LEFT * 1j, RIGHT + BOTTOM * 1j, LEFT + BOTTOM * 1j))


def foot(colour: str, *skyline: complex) -> str:
    """Land below a skyline, which goes from the left edge of the card to the right one."""
    return solid(colour, below(skyline, BOTTOM))


def sky(colour: str, *edge: complex) -> str:
    """A colour above an edge, which goes from the left edge of the card to the right one."""
    return solid(colour, below(edge, LEFT))


def back() -> str:
    """The back: dotted, with the fold of the paper along its edges."""
    fold = {"x": RIM, "y": RIM, "width": WIDTH - 2 * RIM, "height": HEIGHT - 2 * RIM, "rx": 2.1}
    return _rim(fill=INK) + element("rect", **fold, fill="none", stroke=GREY, stroke_width=0.3) + dotted(GREY)


def _rim(fill: str) -> str:
    """The rim: the paper of the back, folded over the edges."""
    middle = {"x": RIM / 2, "y": RIM / 2, "width": WIDTH - RIM, "height": HEIGHT - RIM, "rx": 3}
    return element("rect", **middle, fill=fill, stroke=INK, stroke_width=RIM)


def ribbon(where: complex, lean: float, colour: str, *marks: str) -> str:
    """A paper ribbon that hangs from the branches, slightly bent, with drawings on it."""
    shape = brush((-31j, -0.6 - 11j, 0.6 + 11j, 31j), 15, 15)
    return placed(drawn(PAPER, 3, shape) + cut(colour, shape, edge=INK, width=0.9) + "".join(marks), where, lean)


def poem() -> str:
    """A line of handwriting for a ribbon: strokes that spell nothing."""
    strokes = (
        brush((-4 - 22j, -1 - 23.4j, 3.4 - 24.4j), 1.2, 2.2),
        brush((-0.4 - 26j, -1 - 20j, -3.4 - 16.6j, 0.4 - 18.4j, 3.4 - 16j), 1.3, 1.9),
        brush((3 - 12.4j, -2.6 - 8.6j, 0.6 - 7.4j, 2.8 - 3.4j, -2.2 - 2.6j), 2.2, 1.2),
        brush((-3 + 2.4j, 2.8 + 1.4j, -1.4 + 6j, 2 + 7j), 1.2, 2.2),
        brush((0.6 + 7j, 0 + 13j, -3 + 13.4j, -2 + 10.6j, 3.2 + 11.4j), 1.9, 1.3),
        brush((0.4 + 16j, 0.8 + 22j, -2.6 + 25.6j), 1.4, 2.4),
    )
    return solid(PAPER, *strokes)


def borders() -> str:
    """Two pale lines along the edges of a blue ribbon, which tell it from a red one without colour."""
    return drawn(PAPER, 1.2, *(curve(side - 28j, side - 0.6 - 11j, side + 0.6 + 11j, side + 28j) for side in (-4.7, 4.7)))


def curtain(top: float) -> str:
    """The curtain of a cherry party, hung in two swags: stripes, and a crest in the middle."""
    rope = [LEFT + top * 1j, 9 + (top + 4) * 1j, 16 + (top + 5.4) * 1j, 23 + (top + 4) * 1j, 31 + top * 1j]
    rope += [WIDTH - point.conjugate() for point in rope[-2::-1]]
    hem = (curve(*rope[:5]), curve(*rope[4:]))
    stripes = [line(across + (top + 4) * 1j, across + HEIGHT * 1j) for across in spread(5.4, 56.6, 9)]
    told = solid(PAPER, below(tuple(rope), BOTTOM)) + drawn(RED, 3.6, *stripes[::2]) + drawn(INK, 3.6, *stripes[1::2])
    crest = 31 + (top + 28) * 1j
    return (
        told
        + drawn(PAPER, 9, *hem)
        + drawn(VIOLET, 6, *hem)
        + drawn(INK, 1, *hem)
        + cut(PAPER, disc(crest, 11), edge=INK, width=1)
        + solid(RED, scallop(crest, 5.6, 5))
        + solid(PAPER, disc(crest, 2.6))
    )


def bridge() -> str:
    """Planks laid zigzag over the marsh, on posts."""
    spans = ((64 + 54j, 36 + 61j), (44 + 69j, 8 + 76j), (22 + 82j, -4 + 88j))
    told = ""
    for right, left in spans:
        posts = [line(end + 2j, end + 13j) for end in (right - 5 + 1j, left + 9)]
        told += drawn(INK, 2.6, *posts)
    for right, left in spans:
        thick = 8j
        told += cut(OCHRE, polygon(right, left, left + thick, right + thick), edge=INK, width=1)
        told += drawn(INK, 0.7, line(right + thick * 0.36, left + thick * 0.36), line(right + thick * 0.68, left + thick * 0.68))
    return told


def ripples(*places: complex) -> str:
    """Ripples on still water."""
    return drawn(VIOLET, 0.9, *(curve(place - 6, place - 2 - 1j, place + 2 + 0.6j, place + 6 - 0.6j) for place in places))


def sake_cup(centre: complex, size: float) -> str:
    """A lacquer cup for sake seen half from above, with a golden sign of long life in it."""

    def at(across: float, down: float) -> complex:
        return centre + complex(across, down) * size

    def oval(middle: complex, across: float, down: float) -> str:
        return blob(
            *(middle + complex(toward(bearing).real * across, toward(bearing).imag * down) * size for bearing in range(0, 360, 45))
        )

    sign = (
        line(at(-0.3, -0.34), at(0.3, -0.34)),
        line(at(0, -0.44), at(0, -0.1)),
        line(at(-0.42, -0.2), at(0.42, -0.2)),
        line(at(-0.26, -0.04), at(0.26, -0.04)),
        line(at(0.06, -0.1), at(-0.3, 0.2)),
        line(at(-0.12, 0.1), at(0.3, 0.1)),
        line(at(0.16, 0.02), at(0.16, 0.24), at(0.06, 0.24)),
    )
    foot = polygon(at(-0.36, 0.5), at(0.36, 0.5), at(0.44, 0.86), at(-0.44, 0.86))
    bowl = blob(at(-1, -0.06), at(-0.74, 0.42), at(-0.3, 0.64), at(0.3, 0.64), at(0.74, 0.42), at(1, -0.06), at(0, -0.2))
    return (
        cut(INK, foot, width=0.8)
        + cut(RED, bowl, edge=INK, width=1)
        + cut(RED, oval(at(0, -0.08), 1, 0.48), edge=INK, width=1)
        + drawn(PAPER, 0.8, oval(at(0, -0.08), 0.88, 0.4))
        + drawn(OCHRE, size * 0.07, *sign)
    )
