"""SVG as text: elements, their attributes, numbers as short as they can be."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT = 62, 102  # of a card: half millimetres of the old cards' 31 by 51


def number(value: float) -> str:
    """A length or coordinate with one decimal at most."""
    return f"{round(value, 1) + 0:g}"  # adding 0 makes 0 of -0


def element(name: str, *inner: str, **attributes: str | float) -> str:
    """An element. In names of attributes an underscore stands for a hyphen."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(inner)}</{name}>" if inner else f"<{name}{told}/>"


def path(d: str, **attributes: str | float) -> str:
    """A path. Filled black unless told otherwise, as SVG has it."""
    return element("path", d=d, **attributes)


def group(*inner: str, **attributes: str | float) -> str:
    """Elements with attributes in common; nothing where there are none."""
    return element("g", *inner, **attributes) if inner else ""


def dotted(colour: str, edge: int = 7, apart: int = 8) -> str:
    """A back's pattern, as towels are dyed: rows of dots, each dot between two of the row beside it."""
    half = apart // 2

    def rows(first: int) -> str:
        lines = "".join(f"M{x} {first}V{HEIGHT - edge}" for x in range(first, WIDTH - edge + 1, apart))
        return path(lines, fill="none", stroke=colour, stroke_width=1.8, stroke_linecap="round", stroke_dasharray=f"0 {apart}")

    return rows(edge) + rows(edge + half)


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
