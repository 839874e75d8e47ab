"""Mean returns as people are told them."""

from __future__ import annotations


def figure(value: float, sign: str = "-", beside: float = 0) -> str:
    """Two decimal places, one from ten on: so many for all that stands together. `sign` is that of Python's formats.

    Args:
        value: what is told.
        sign: "+" for what is won or lost, "-" for amounts.
        beside: the largest of what stands beside it.
    """
    places = 1 if max(abs(value), abs(beside)) >= 10 else 2
    told = f"{value:{sign}.{places}f}"
    return told if float(told) else f"{0:.{places}f}"
