"""The readings of Mushi that may be chosen. What each changes, and who says so, stands in the rule book."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class Misdeal(Choice):
    """Four of a flower, or the three rain cards, on the table."""

    REDEAL = 0
    ELDER_TAKES = 1


class StockFourth(Choice):
    """The card that completes a set of three is turned up while the oni lies on the table."""

    ONI_FIRST = 0
    SET_FIRST = 1


class LastOni(Choice):
    """The oni is the last card of the stock."""

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
    """A target that is no number."""

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
