"""The options of Kingo. The rule book says what each changes, and by which source."""

from dataclasses import dataclass

from mekuri.plugin import Choice, Options, between, one_of


class Nearest(Choice):
    """The order of equal hands: from the seat after the dealer, so that the dealer is last, or from the dealer."""

    AFTER_DEALER = 0
    DEALER = 1


@dataclass(frozen=True)
class KingoOptions(Options):
    """Options of a round."""

    wager: int = one_of(1, 2, 5, 10)
    nearest: Nearest = Nearest.AFTER_DEALER


@dataclass(frozen=True)
class KingoMatch(Options):
    """Options of a match: its rounds."""

    # kingo.match.length
    rounds: int = between(12, 1, 48, common=(3, 6, 12))
