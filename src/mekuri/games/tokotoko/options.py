"""The options of Tokotoko and its presets. The rule book says what each option changes, and from which source it comes."""

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

    # tokotoko.match.length
    rounds: int = between(10, 1, 100, common=(1, 5, 10))


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 5},
    "fudawiki": {"hand": "choose"},
}
