"""The options of Mushi and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class Misdeal(Choice):
    """The rule for a deal that lays four of a flower, or the three rain cards, on the table."""

    REDEAL = 0
    ELDER_TAKES = 1


class StockFourth(Choice):
    """Whether a turned-up card first takes the oni on the table, or the set of three that it completes there."""

    ONI_FIRST = 0
    SET_FIRST = 1


class LastOni(Choice):
    """The rule for the oni as the last card of the stock."""

    DRAWER = 0
    TAKES_RAIN = 1


@dataclass(frozen=True)
class MushiOptions(Options):
    """Options of a round."""

    misdeal: Misdeal = Misdeal.REDEAL
    declare_four: bool = True
    four_pairs: bool = False
    stock_fourth: StockFourth = StockFourth.ONI_FIRST
    last_oni: LastOni = LastOni.DRAWER
    five_brights: bool = False


class Target(Choice):
    """The word that may stand in place of a target in points."""

    OFF = 0  # no points end a match


@dataclass(frozen=True)
class MushiMatch(Options):
    """Options of a match: its rounds, and the points that end it early."""

    rounds: int = between(12, 1, 48, common=(1, 3, 12))
    target: int = between(Target.OFF, 1, 1000, words=Target)


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"declare_four": "no", "rounds": 1},
    "seed": {},
    "fudawiki-2026": {"last_oni": "takes-rain", "five_brights": "yes"},
    "reconstructed": {},
}
