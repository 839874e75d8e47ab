"""The options of Tensho and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between, numbers, one_of


class YakuSet(Choice):
    """The choice of the round's yaku set: by vote before the deal, or agreed for the whole match."""

    VOTE = 0
    ONE = 1
    TWO = 2


class FourOnField(Choice):
    """The rule for a deal that lays four of a number on the field."""

    REDEAL = 0
    DEAD = 1
    DEALER_TAKES = 2


class TriplePick(Choice):
    """The two of three of a number that the dealer may take: any, or one chaff and one other card."""

    FREE = 0
    NARA = 1


class Triples(Choice):
    """The number of triples from which the dealer may take two cards."""

    ONE = 0
    BOTH = 1


class SixOnField(Choice):
    """The rule for a deal that lays the 6 of clubs on the field."""

    STAYS = 0
    DEALER_TAKES = 1


class FourthCard(Choice):
    """The number of cards that a card takes where three of its number lie on the field."""

    TAKES_THREE = 0
    TAKES_ONE = 1


class LastStock(Choice):
    """The end of the round: when the hands are out, or when the stock is empty as well."""

    HANDS_OUT = 0
    EMPTY_STOCK = 1


class Overlap(Choice):
    """Whether yaku of three cards count beside a yaku of four that holds all their cards."""

    ADDITIVE = 0
    SUPERSET_ONLY = 1


class CardPoints(Choice):
    """The table of card points that breaks the last tie."""

    SEED_EXPLICIT = 0
    HANAFUDA = 1
    ISE_2023 = 2


class Tie(Choice):
    """The winner where yaku, chaff and card points are all equal."""

    DRAWN = 0
    DEALER = 1
    NON_DEALER = 2


class InstantYaku(Choice):
    """The yaku points that a round with an instant win adds to the match: none, or those of the yaku made by then."""

    NONE = 0
    COUNT = 1


class DealOrder(Choice):
    """The order of the deal: in threes as the source has it, or each place in one packet."""

    STEPS = 0
    PACKETS = 1


class Score(Choice):
    """The account that a round changes: rounds won, or points."""

    ROUNDS = 0
    POINTS = 1


class Shoniban(Choice):
    """The side game before the field is turned up: none, or the game whose card points decide between rows of equal strength."""

    NONE = 0
    HON_BANA = 1
    TENSHO = 2


class Tokotoko(Choice):
    """The side game for the dead cards after the round: none, with each seat's best three of four cards, or with its choice."""

    NONE = 0
    BEST = 1
    CHOOSE = 2


@dataclass(frozen=True)
class TenshoOptions(Options):
    """Options of a round. The last three make reduced games for research."""

    yaku_set: YakuSet = YakuSet.VOTE
    four_on_field: FourOnField = FourOnField.REDEAL
    triple_pick: TriplePick = TriplePick.FREE
    triples: Triples = Triples.ONE
    six_on_field: SixOnField = SixOnField.STAYS
    fourth_card: FourthCard = FourthCard.TAKES_THREE
    last_stock: LastStock = LastStock.HANDS_OUT
    overlap: Overlap = Overlap.ADDITIVE
    chaff: int = one_of(21, 20, 22)
    card_points: CardPoints = CardPoints.SEED_EXPLICIT
    ten_nine_king: bool = False
    rainman_back: bool = False
    tie: Tie = Tie.DRAWN
    score: Score = Score.ROUNDS
    instant_points: int = between(300, 0, 1000)
    instant_yaku: InstantYaku = InstantYaku.NONE
    deal_order: DealOrder = DealOrder.STEPS
    shoniban: Shoniban = Shoniban.NONE
    shoniban_stake: int = between(10, 1, 100)
    tokotoko: Tokotoko = Tokotoko.NONE
    tokotoko_free: bool = False
    deck: tuple[int, ...] = numbers(tuple(range(1, 13)), state="deck_numbers")
    hand: int = between(6, 1, 11, state="hand_cards")
    field: int = between(9, 1, 24, state="field_cards")


@dataclass(frozen=True)
class TenshoMatch(Options):
    """Options of a match: its rounds."""

    rounds: int = between(6, 1, 48, common=(1, 3, 6))


# By ruleset version, the options that came after it, with the values that play as it did.
OLDER = {1: {"instant_yaku": "count", "deal_order": "packets"}}

PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"yaku_set": "one", "rounds": 1},
    "seed": {"four_on_field": "dead", "fourth_card": "takes-one", "chaff": "20"},
    "fudawiki-2026": {"card_points": "ise-2023"},
    "reconstructed": {"card_points": "hanafuda"},
    "side-games": {"shoniban": "hon-bana", "tokotoko": "best"},
}
