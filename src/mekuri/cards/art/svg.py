"""Makes SVG as text: elements, attributes, and numbers in their shortest form."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT = 62, 102  # the size of a card in half millimetres: the old cards measure 31 by 51 mm


def number(value: float) -> str:
    """A length or coordinate as text, with one decimal at most."""
    return f"{round(value, 1) + 0:g}"  # adding 0 makes 0 of -0


def element(name: str, *inner: str, **attributes: str | float) -> str:
    """An SVG element.

    Args:
        name: the element's name.
        inner: the elements or texts inside it, already as SVG.
        attributes: its attributes. An underscore in a name becomes a hyphen, and one at its end is dropped.
    """
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inner)}</{name}>" if inner else f"<{name}{written}/>"


def path(d: str, **attributes: str | float) -> str:
    """A path element with path data `d`. SVG fills it black unless `fill` is given."""
    return element("path", d=d, **attributes)


def group(*inner: str, **attributes: str | float) -> str:
    """A group of elements that share attributes; an empty text for no elements."""
    return element("g", *inner, **attributes) if inner else ""


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
