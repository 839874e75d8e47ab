"""How likely it is that counts are what chance made of equal shares: Pearson's chi-square test."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

LEAST_LIKELY = 1e-4  # what is less likely than this is no chance


def equally_likely(counts: Sequence[int]) -> float:
    """The p-value that things which came so often are all equally likely.

    It is the upper tail of the chi-square distribution, whose degrees of freedom are whole: from that of one or of two degrees it
    grows by a term for every two more (Abramowitz and Stegun, 26.4.4 and 26.4.5).
    """
    degrees, expected = len(counts) - 1, sum(counts) / max(len(counts), 1)
    half = sum((n - expected) ** 2 for n in counts) / expected / 2 if expected else 0.0
    if degrees < 1 or half == 0:
        return 1.0
    power, tail = (0.5, erfc(sqrt(half))) if degrees % 2 else (1.0, exp(-half))
    while power < degrees / 2:
        tail += exp(power * log(half) - half - lgamma(power + 1))
        power += 1
    return min(tail, 1.0)
