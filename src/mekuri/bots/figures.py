"""Mean returns: their estimates, and how texts show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import sqrt

Z = 1.959964  # 95 %


class Mean(float):
    """A mean return, which is sent with three decimal places: further ones are noise."""

    __slots__ = ()


@dataclass(frozen=True, init=False)
class Estimate:
    """An estimated mean.

    Attributes:
        mean: the mean, in the game's units of `returns`.
        least, most: the bounds of its 95 % confidence interval; both are the mean where that is exact.
    """

    mean: Mean
    least: Mean
    most: Mean

    def __init__(self, mean: float, error: float) -> None:
        """Make an estimate from a mean and its standard error, which is 0 where the mean is exact."""
        for name, value in (("mean", mean), ("least", mean - Z * error), ("most", mean + Z * error)):
            object.__setattr__(self, name, Mean(value))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return (self.most - self.least) / (2 * Z)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval, (low, high)."""
        return self.least, self.most


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of some values, with its standard error."""
    n = len(values)
    mean = sum(values) / n
    spread = sum((one - mean) ** 2 for one in values)
    return Estimate(mean, sqrt(spread / (n * max(1, n - 1))))


def figure(value: float, sign: str = "-", beside: float = 0) -> str:
    """Return a number with two decimal places, or with one where it or the number beside it is 10 or more. 0 has no sign.

    Args:
        value: the number.
        sign: "+" to show the sign of positive numbers too, as for wins and losses; "-" for amounts.
        beside: the number that is shown beside it, so that both get equally many decimal places.
    """
    places = 1 if max(abs(value), abs(beside)) >= 10 else 2
    text = f"{value:{sign}.{places}f}"
    return text if float(text) else f"{0:.{places}f}"


def figures(parts: Sequence[float], sign: str = "-") -> list[str]:
    """Return numbers as texts that add up to the text of their sum: what rounding cost one, the next one gets.

    Args:
        parts: the numbers.
        sign: as for `figure`.
    """
    sums = [0.0, *accumulate(parts)]
    most = max(map(abs, [*parts, *sums]))
    shown = [float(figure(one, beside=most)) for one in sums]
    return [figure(now - before, sign, most) for before, now in pairwise(shown)]
