"""Format mean returns for texts."""

from __future__ import annotations


def figure(value: float, sign: str = "-", beside: float = 0) -> str:
    """Return a number with two decimal places, or with one where it or the number beside it is 10 or more. 0 has no sign.

    Args:
        value: the number.
        sign: "+" to show the sign of positive numbers too, as for wins and losses; "-" for amounts.
        beside: the number that is shown beside it, so that both get equally many decimal places.
    """
    places = 1 if max(abs(value), abs(beside)) >= 10 else 2
    told = f"{value:{sign}.{places}f}"
    return told if float(told) else f"{0:.{places}f}"
