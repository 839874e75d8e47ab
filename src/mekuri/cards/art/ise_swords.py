"""The swords of Ise, 2 to 9: thin lines that cross, black and red side by side, and from 4 up a lozenge where they cross.

An odd sword stands before all of it, broad and red.
"""

from __future__ import annotations

from mekuri.cards.art.ise_crest import crest
from mekuri.cards.art.printing import BLACK, PAPER, RED, Mark, draw, fill, lay
from mekuri.cards.art.strokes import Pull, across, bar, blade, blob, dabs, line, lozenge, mirrored


def swords(count: int) -> list[Mark]:
    """The card with a number of swords: half of them lean each way, and an odd one stands upright."""
    each_way = count // 2
    step = {1: 0, 2: 10, 3: 8, 4: 6.8}[each_way]
    aside = [(place - (each_way - 1) / 2) * step for place in range(each_way)]
    point = 32 if count == 2 else 19
    rising = [(15 + step * 0.8 + 93j, 47 + step + point * 1j) for step in aside]
    crossed = blades((2.6, 2.4, 2, 1.6)[each_way - 1], *rising, *map(mirrored, rising), guards=each_way < 3)
    odd = _upright(count > 3) if count % 2 else []
    if count == 2:
        return [*crossed, *_turban(31 + 28j)]
    if count == 3:
        return [*crossed, *odd, _dashes(10), draw(BLACK, 7, dabs(10 + 52j, 52 + 52j))]
    return [*crossed, *_seal(count), *odd, _dashes(9) if count < 6 else _dashes(7, 12.5)]


def blades(breadth: float, *pulls: Pull, guards: bool = True) -> list[Mark]:
    """Swords: each a thin black stroke with a red one at its side, and a guard across them where there is room."""
    red, hilts = [], []
    for start, end in pulls:
        side = across(end - start) * breadth
        red.append(line(start + side * 1.2, start + 0.9 * (end - start) + side * 0.9))
        guard = start + 0.15 * (end - start)
        hilts.append(line(guard - side * 1.1, guard + side * 2.1))
    black = fill(BLACK, *(blade(start, end, breadth) for start, end in pulls))
    return [draw(RED, breadth * 0.8, *red), black, *([draw(BLACK, breadth * 0.7, *hilts)] if guards else [])]


def _upright(lined: bool) -> list[Mark]:
    """The odd sword: red and broad, from 5 up with a black line along it."""
    lines = [draw(BLACK, 1.5, line(34 + 95j, 32.6 + 30j))] if lined else []
    return [lay(RED, 1.6, blade(31 + 96j, 31 + 18j, 9)), *lines]


def _dashes(*heights: float) -> Mark:
    return fill(RED, *(bar(24 + height * 1j, 38 + height * 1j, 3) for height in heights))


def _seal(count: int) -> list[Mark]:
    """4 to 9: a black lozenge, from 8 with a red line inside it. 6 and 8 bear the crest, which an odd sword would hide."""
    middle, size = 31 + 55j, {2: 20, 3: 26, 4: 32}[count // 2]
    shape = lozenge(middle, size, size * 1.3)
    inner = [draw(RED, 1.4, lozenge(middle, size - 8, size * 1.3 - 10.4))] if count >= 8 else []
    return [fill(PAPER, shape), draw(BLACK, 2.6, shape), *inner, *(crest(RED, middle, 12) if count in (6, 8) else [])]


def _turban(at: complex) -> list[Mark]:
    """The small head with a folded headdress that stands above the crossing of the 2."""
    dress = blob(at - 13 - 4j, at - 10 - 15j, at - 2 - 14j, at + 3 - 20j, at + 12 - 14j, at + 13 - 3j, at + 5 - 5j, at - 6 - 4j)
    face = blob(at - 8 - 5j, at + 8 - 5j, at + 8 + 6j, at + 10j, at - 8 + 6j)
    return [
        fill(PAPER, face),
        draw(BLACK, 1, face),
        draw(BLACK, 1.8, dabs(at - 2.8 + 1j, at + 2.8 + 1j)),
        fill(RED, dress),
        draw(RED, 2, dabs(at + 4.8j)),
        fill(BLACK, bar(at - 10 - 4j, at + 10 - 4.5j, 3)),
        *crest(BLACK, at - 11.5j, 8),
    ]
