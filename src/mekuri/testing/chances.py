"""Pearson's chi-square test of equal probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

LEAST_LIKELY = 1e-4  # a smaller p-value fails a check


def equally_likely(counts: Sequence[int]) -> float:
    """Return the p-value of the hypothesis that all outcomes are equally likely; 1 for fewer than two outcomes.

    This is the upper tail of the chi-square distribution for whole degrees of freedom: it starts with the tail for one or two
    degrees, and adds a term for every two more (Abramowitz and Stegun, 26.4.4 and 26.4.5).

    Args:
        counts: how often each outcome came.
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
