"""The readings of Tokotoko that may be chosen. What each changes, and who says so, stands in the rule book."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class Hand(Choice):
    """Who takes three of the four cards: the table takes the best, or each chooses."""

    BEST = 0
    CHOOSE = 1


@dataclass(frozen=True)
class TokotokoOptions(Options):
    """Options of a round."""

    hand: Hand = Hand.BEST
    free: bool = False


@dataclass(frozen=True)
class TokotokoMatch(Options):
    """Options of a match: its rounds."""

    rounds: int = between(10, 1, 100, common=(1, 5, 10))


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 5},
    "fudawiki": {"hand": "choose"},
}
