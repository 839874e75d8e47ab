"""The readings of Hiyoko that may be chosen. What each changes, and who says so, stands in the rule book."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between
from mekuri.games.sequence import SequenceOptions


@dataclass(frozen=True)
class HiyokoOptions(SequenceOptions):
    """Options of a round."""

    all_out: bool = False


class Rounds(Choice):
    """A length of a match that is no number."""

    OPEN = 0  # as many as it takes until a seat has the points


@dataclass(frozen=True)
class HiyokoMatch(Options):
    """Options of a match: the rounds after which it ends at the latest, and the points that win it."""

    rounds: int = between(Rounds.OPEN, 1, 48, common=(1, 3), words=Rounds)
    target: int = between(3, 1, 9)


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 1},
    "seed": {},
    "fudawiki-2026": {"who_draws": "first-passer", "two_of_swords": "10"},
    "reconstructed": {},
}
