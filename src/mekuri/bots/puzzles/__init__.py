"""Puzzles, which are found in rounds that bots play: judge whether a decision is one, and mine rounds for them."""

from mekuri.bots.puzzles.judge import (
    CLEAR,
    DEALS,
    NEARLY_ALL,
    WORLDS,
    Exact,
    Verdict,
    deals,
    exactly,
    greedy_choices,
    is_clear,
    judge,
    sure,
)
from mekuri.bots.puzzles.mine import MOST, Mining

__all__ = [
    "CLEAR",
    "DEALS",
    "MOST",
    "NEARLY_ALL",
    "WORLDS",
    "Exact",
    "Mining",
    "Verdict",
    "deals",
    "exactly",
    "greedy_choices",
    "is_clear",
    "judge",
    "sure",
]
