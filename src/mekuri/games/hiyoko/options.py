"""The options of Hiyoko and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between
from mekuri.games.sequence import SequenceOptions


@dataclass(frozen=True)
class HiyokoOptions(SequenceOptions):
    """Options of a round."""

    all_out: bool = False


class Rounds(Choice):
    """The word that may stand in place of a number of rounds."""

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
