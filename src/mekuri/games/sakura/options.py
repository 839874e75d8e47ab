"""The options of Sakura and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class Teams(Choice):
    """The sides: each player alone, two sides, or three sides."""

    NONE = 0
    TWO = 2  # 4 or 6 players
    THREE = 3  # 6 players


class Hiki(Choice):
    """The four of a month that a player may take at once."""

    ANY = 0  # in hand and on the field in any mixture, at least one in hand
    THREE_ONE = 1  # three in hand and one on the field, or one and three
    OFF = 2


class GajiStock(Choice):
    """The rule for the gaji that is turned up from the stock."""

    WILD = 0
    PLAIN = 1  # it takes a willow only


class GajiField(Choice):
    """The rule for the gaji that is dealt to the field."""

    PLAIN = 0  # it lies there as a willow
    DISCARD = 1  # it is out of play


class GajiRest(Choice):
    """The cards left on the field that the player who used the gaji gets: those of the month that it took, or all."""

    MATE = 0
    ALL = 1


class Result(Choice):
    """What a round counts in the match: its points, or wins."""

    POINTS = 0
    WINS = 1  # a round won counts 1
    CHU = 2  # 2 if won by 50 points
    BASA = 3  # 2 if won by 100 points
    BOTH = 4  # 2 if won by 50 points, 3 by 100


class FieldFour(Choice):
    """The rule for a deal that lays all four cards of a month on the field."""

    DEALER_TAKES = 0
    REDEAL = 1


class End(Choice):
    """When a round ends: when the stock is empty, or when the hands are."""

    ALL_CARDS = 0
    HANDS = 1


@dataclass(frozen=True)
class SakuraOptions(Options):
    """Options of a round."""

    teams: Teams = Teams.NONE
    hiki: Hiki = Hiki.ANY
    gaji_stock: GajiStock = GajiStock.WILD
    gaji_field: GajiField = GajiField.PLAIN
    gaji_rest: GajiRest = GajiRest.MATE
    result: Result = Result.POINTS
    field_four: FieldFour = FieldFour.DEALER_TAKES
    zero_sum: bool = False
    end: End = End.ALL_CARDS


class Rounds(Choice):
    """The word that may stand in place of a number of rounds."""

    PLAYERS = 0  # as many rounds as players, but at least four


@dataclass(frozen=True)
class SakuraMatch(Options):
    """Options of a match: its rounds."""

    rounds: int = between(Rounds.PLAYERS, 1, 99, common=(4, 6, 12), words=Rounds)


# Values that a source does not give are the default's.
PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 1},
    "teams": {"teams": "two"},
    "bga": {"hiki": "three-one", "end": "hands", "rounds": 4},
    "paradise": {"result": "wins"},
}
