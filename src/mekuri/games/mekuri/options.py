"""The options of Mekuri and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between, one_of


class YakuSet(Choice):
    """The list of yaku: that of Edo, Blomhoff's, or Judan's."""

    EDO = 0
    BLOMHOFF = 1
    JUDAN = 2


class YakuRatio(Choice):
    """Whether the yaku of Edo have one value, or Kamisan is worth half as much again."""

    EQUAL = 0
    BLOMHOFF = 1


class ForcedOut(Choice):
    """What a player who is forced out is paid: nothing, or half the value of each yaku in the hand."""

    NOTHING = 0
    HALF_YAKU = 1


class Par(Choice):
    """The par of three players: the same for all, or less for early players."""

    EQUAL = 0
    BY_TURN = 1


class FieldFour(Choice):
    """The rule for a deal that lays all four cards of a number on the field."""

    REDEAL = 0
    DEALER_TAKES = 1


class HandFour(Choice):
    """The rule for a hand with all four cards of a number: it is played, or it may be shown and dealt again."""

    PLAY = 0
    REDEAL = 1


class Values(Choice):
    """The table of card points: that of Edo or Blomhoff's."""

    EDO = 0
    BLOMHOFF = 1


class Score(Choice):
    """What a round counts: card points against a par and yaku, yaku alone, or card points without a par and yaku."""

    CARDS_AND_YAKU = 0
    YAKU = 1
    CARDS_AS_COUNTED = 2


@dataclass(frozen=True)
class MekuriOptions(Options):
    """Options of a round. `two_hands` is how many cards each of two players is dealt."""

    score: Score = Score.CARDS_AND_YAKU
    yaku_value: int = one_of(100, 50, 150, 12)
    yaku_ratio: YakuRatio = YakuRatio.EQUAL
    yaku_set: YakuSet = YakuSet.EDO
    values: Values = Values.EDO
    par: Par = Par.EQUAL
    drop_fee: int = one_of(0, 12, 24)
    forced_out: ForcedOut = ForcedOut.NOTHING
    field_four: FieldFour = FieldFour.REDEAL
    hand_four: HandFour = HandFour.PLAY
    two_hands: int = one_of(10, 7)


class Target(Choice):
    """The word that may stand in place of a target in points."""

    OFF = 0  # no points end a match


@dataclass(frozen=True)
class MekuriMatch(Options):
    """Options of a match: its rounds, and the points that end it early."""

    rounds: int = between(6, 1, 48, common=(3, 6, 12))
    target: int = between(Target.OFF, 1, 10_000, common=(100,), words=Target)


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 3},
    "blomhoff": {
        "score": "cards-as-counted",
        "values": "blomhoff",
        "yaku_set": "blomhoff",
        "yaku_value": 12,
        "rounds": 12,
        "target": 100,
    },
    "judan": {"score": "yaku", "yaku_set": "judan"},
}
