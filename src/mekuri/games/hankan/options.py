"""The options of Hankan and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class Pays(Choice):
    """The amount that a bet on the better row wins, in hundredths of the bet."""

    HALF = 50
    FULL = 100


class TiePoints(Choice):
    """The game whose card points decide between two rows of equal strength."""

    HON_BANA = 0
    TENSHO = 1


@dataclass(frozen=True)
class HankanOptions(Options):
    """Options of a round."""

    pays: Pays = Pays.HALF
    tie_points: TiePoints = TiePoints.HON_BANA


@dataclass(frozen=True)
class HankanMatch(Options):
    """Options of a match: its rounds, each of which is one pack."""

    # hankan.match.length
    rounds: int = between(4, 1, 48, common=(1, 2, 4))


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 1},
    "full": {"pays": "full"},
}
