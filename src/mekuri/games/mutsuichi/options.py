"""The options of Mutsu-ichi and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between, one_of


class Payout(Choice):
    """The amount that a bet on the right number wins, in tenths of the bet."""

    FIVE = 50
    FOUR_SIX = 46
    FOUR_FIVE = 45


@dataclass(frozen=True)
class MutsuIchiOptions(Options):
    """Options of a round. Bets are such that a tenth of one is a whole number of chips."""

    most_cards: int = between(4, 1, 6)
    least_cards: int = between(0, 0, 1)
    bet_size: int = one_of(10, 20, 50, 100)
    payout: Payout = Payout.FIVE
    bets_shown: bool = False


class Rounds(Choice):
    """The word that may stand in place of a number of rounds."""

    OPEN = 0  # until the players stop


class BankRounds(Choice):
    """The word that may stand in place of the number of rounds that a bank lasts."""

    ALL = 0  # as long as the match


@dataclass(frozen=True)
class MutsuIchiMatch(Options):
    """Options of a match: its rounds, and the number of rounds that a bank lasts."""

    rounds: int = between(24, 1, 240, common=(1, 3, 24), words=Rounds)
    bank_rounds: int = between(6, 1, 48, common=(6, 10), words=BankRounds)


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 6, "bank_rounds": BankRounds.ALL},
    "seed": {"bets_shown": True, "rounds": Rounds.OPEN, "bank_rounds": BankRounds.ALL},
    "fudawiki-2026": {},
    "reconstructed": {},
    "parlour-4-6": {"payout": "four-six"},
    "parlour-4-5": {"payout": "four-five"},
}
