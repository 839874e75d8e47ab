"""The options of Koi-Koi and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between, one_of


class Brights(Choice):
    """The points of Five Brights, Four Brights, Rainy Four and Three Brights."""

    STANDARD = 0  # 15, 8, 7, 6
    CLASSIC = 1  # 15, 10, 8, 6
    NINTENDO = 2  # 10, 8, 7, 5
    YAKUZA = 3  # 10, 8, 7, 6
    DOJO = 4  # 12, 9, 8, 6


class Sets(Choice):
    """How the sets of three count: Boar, Deer, Butterflies and the two ribbon sets, beside five animals and five ribbons."""

    GROUPED = 0  # only the best of a group counts; each further card of the kind adds 1
    BOTH = 1  # as GROUPED, but five animals and five ribbons count beside the sets
    STACK_5 = 2  # each set has 5 points and counts beside all others
    STACK_6 = 3  # the same, with 6 points for a ribbon set
    STACK_6_6 = 4  # the same, with 6 points for each set
    OVERLAY = 5  # as STACK_5, and both ribbon sets together bring 10 more
    GROUPED_6 = 6  # as GROUPED, with 6 points for a ribbon set and 12 for both


class Viewing(Choice):
    """When the two viewing yaku count."""

    ON = 0
    OFF = 1
    LIMITED = 2  # only beside a yaku of another kind
    WEATHER = 3  # not while a willow (flowers) or a paulownia (moon) lies on the field
    LIMITED_WEATHER = 4  # both limits


class ViewingPoints(Choice):
    """The points of a viewing yaku."""

    FIVE = 0
    THREE = 1
    ONE_THEN_THREE = 2  # 1, and 3 for a player who has called koi-koi


class Cup(Choice):
    """What the sake cup counts as: an animal and chaff, the better of the two, or an animal alone."""

    BOTH = 0
    EITHER = 1
    ANIMAL = 2


class Month(Choice):
    """When the four cards of the month are a yaku. AUTO: in matches of twelve rounds."""

    AUTO = 0
    ON = 1
    OFF = 2


class KoiMultiplier(Choice):
    """How calls of koi-koi multiply the winner's points."""

    OPPONENT = 0  # by 2 if the loser has called
    NO = 1
    CALLER = 2  # by 2 if the winner has called
    ANYONE = 3  # by 2 if either has called
    OPPONENT_COUNT = 4  # by 1 + the loser's calls
    SHARED_COUNT = 5  # by 1 + all calls
    BONUS = 6  # the winner's own calls: 1 to 3 add as many points, n from 4 on multiply by n - 2


class FieldMultiplier(Choice):
    """How brights that are dealt to the field multiply the winner's points."""

    NO = 0
    ANY_BRIGHT = 1  # by 2
    EACH_BRIGHT = 2  # by 1 + their number


class Draw(Choice):
    """Who scores in a round that nobody wins."""

    NOTHING = 0
    OYAKEN_6 = 1  # the dealer scores 6
    OYAKEN_3 = 2
    OYAKEN_1 = 3
    LAST_YAKU = 4  # the player who made or improved a yaku last scores it


class DrawDealer(Choice):
    """Who deals after a round that nobody wins: the same dealer, or the other player."""

    STAYS = 0
    PASSES = 1


class Teyaku(Choice):
    """What a lucky hand does: it wins the round, it is dealt again, or nothing."""

    WIN = 0
    MISDEAL = 1
    OFF = 2


class FieldFour(Choice):
    """The rule for a deal that lays all four cards of a month on the field."""

    REDEAL = 0
    DEALER_TAKES = 1
    DEALER_WINS = 2


class FieldPairs(Choice):
    """The rule for a deal that lays four pairs on the field."""

    REDEAL = 0
    PLAY = 1


class Calls(Choice):
    """Limits on calling koi-koi."""

    ANY = 0
    ONCE = 1  # once a round
    NEW_YAKU = 2  # an improved yaku asks nothing
    THREE_POINTS = 3  # with less than 3 points the round ends


class LastCall(Choice):
    """Whether koi-koi is offered to a player who has no turn left."""

    OWN_CARDS = 0
    ALWAYS = 1


class Finish(Choice):
    """When a round that nobody wins ends: when the hands are out, or when the stock is empty as well."""

    HANDS_OUT = 0
    EMPTY_STOCK = 1


class ScoreOf(Choice):
    """The yaku that the winner scores."""

    ALL = 0
    BEST_YAKU = 1
    BOTH_PLAYERS = 2


class Ledger(Choice):
    """What the other player pays in a round: nothing, or as much as the winner scores."""

    POINTS = 0
    ZERO_SUM = 1


@dataclass(frozen=True)
class KoikoiOptions(Options):
    """Options of a round."""

    brights: Brights = Brights.STANDARD
    sets: Sets = Sets.GROUPED
    viewing: Viewing = Viewing.ON
    viewing_points: ViewingPoints = ViewingPoints.FIVE
    cup: Cup = Cup.BOTH
    month_yaku: Month = Month.AUTO
    seven: bool = True
    koi_multiplier: KoiMultiplier = KoiMultiplier.OPPONENT
    field_multiplier: FieldMultiplier = FieldMultiplier.NO
    draw: Draw = Draw.NOTHING
    draw_dealer: DrawDealer = DrawDealer.STAYS
    teyaku: Teyaku = Teyaku.WIN
    both_hands: int = one_of(6, 12)
    field_four: FieldFour = FieldFour.REDEAL
    field_pairs: FieldPairs = FieldPairs.REDEAL
    calls: Calls = Calls.ANY
    last_call: LastCall = LastCall.OWN_CARDS
    hand_cards: int = one_of(8, 10)
    finish: Finish = Finish.HANDS_OUT
    score_of: ScoreOf = ScoreOf.ALL
    ledger: Ledger = Ledger.POINTS


class Target(Choice):
    """The word that may stand in place of a target in points."""

    OFF = 0  # no points end a match


class Stake(Choice):
    """The word that may stand in place of a stake in points."""

    OFF = 0  # both players start from nothing, and the match goes on whatever they have


@dataclass(frozen=True)
class KoikoiMatch(Options):
    """Options of a match: its rounds, the points that end it early, and the points that each player starts with and can lose."""

    rounds: int = between(12, 1, 48, common=(3, 6, 12))
    target: int = between(Target.OFF, 1, 1000, common=(50,), words=Target)
    stake: int = between(Stake.OFF, 1, 1000, common=(30, 50), words=Stake)


# Values that a source does not give are the default's.
PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"month_yaku": "off", "teyaku": "misdeal", "seven": "no", "koi_multiplier": "no", "rounds": 3},
    "nintendo": {"brights": "nintendo", "sets": "both", "calls": "once"},
    "classic": {
        "brights": "classic",
        "sets": "stack-6",
        "viewing": "off",
        "cup": "animal",
        "seven": "no",
        "koi_multiplier": "no",
        "draw": "oyaken-6",
    },
    "yakuza": {"brights": "yakuza", "sets": "stack-5", "cup": "either", "month_yaku": "on"},
    "koikoi-japan": {
        "brights": "nintendo",
        "sets": "overlay",
        "viewing_points": "one-then-three",
        "month_yaku": "off",
        "seven": "no",
        "koi_multiplier": "bonus",
        "draw": "oyaken-1",
        "teyaku": "misdeal",
        "field_pairs": "play",
        "ledger": "zero-sum",
        "stake": 30,
        "rounds": 8,
    },
    "newhanafuda": {"sets": "stack-5", "koi_multiplier": "shared-count"},
    "hanafuda-online": {
        "brights": "classic",
        "sets": "grouped-6",
        "viewing": "limited-weather",
        "month_yaku": "on",
        "seven": "no",
        "koi_multiplier": "no",
    },
    "dojo": {
        "brights": "dojo",
        "sets": "stack-6-6",
        "seven": "no",
        "koi_multiplier": "shared-count",
        "month_yaku": "off",
        "teyaku": "off",
        "ledger": "zero-sum",
        "stake": 30,
        "rounds": 3,
    },
    "bga-hard": {"month_yaku": "off", "ledger": "zero-sum", "stake": 50, "rounds": 6},
}
