"""The readings of Tenshu that may be chosen. What each changes, and who says so, stands in the rule book."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class DealOrder(Choice):
    """In which order the cards are dealt: by threes and twos as in Nara, or five to each pile and then the field."""

    NARA = 0
    SIMPLE = 1


class ServantCard(Choice):
    """Whether the servant's card lies open or only the servant sees it."""

    SHOWN = 0
    HIDDEN = 1


class OnifudaOnField(Choice):
    """The onifuda is dealt to the field."""

    NARA = 0
    ANY_CARD = 1
    DEALER_HAND = 2
    DEALER_ALONE = 3
    REDEAL = 4


class OnifudaAndThree(Choice):
    """What the onifuda takes of three cards of a number."""

    ONE = 0
    ALL = 1
    NONE = 2


class OnifudaAlone(Choice):
    """The onifuda is played, and there is nothing that it could take."""

    TAKEN = 0
    STAYS = 1


class FourOnField(Choice):
    """Four of a number lie on the field after the deal."""

    REDEAL = 0
    DEALER_TAKES = 1
    DEAD = 2


class ThreeOnField(Choice):
    """Three of a number lie on the field after the deal."""

    STACKED = 0
    NARA = 1


class PileChoice(Choice):
    """How a player chooses the pile that becomes the hand."""

    BLIND = 0
    LOOK_AT_BOTH = 1


class Notta(Choice):
    """When the others may shout "Notta!" to exchange hands with the dealer."""

    ON = 0
    OFF = 1
    ONIFUDA_ON_FIELD = 2
    CHAINED = 3


class NottaPass(Choice):
    """Whether a pass at "Notta!" is final, or whoever has not shouted may do so while the table waits."""

    FINAL = 0
    SILENCE = 1


class CardPoints(Choice):
    """What the cards count: as printed, or with the 5 points that are missing given to the big 1 or to the onifuda."""

    AS_PRINTED = 0
    BALANCED = 1
    ONIFUDA_FIFTEEN = 2


class Fuke(Choice):
    """How few cards make Fuke."""

    EXACTLY_FOUR = 0
    AT_MOST_FOUR = 1


class Leftover(Choice):
    """Whether the card that is left counts for yaku."""

    COUNTS = 0
    POINTS_ONLY = 1


class ThreeYaku(Choice):
    """Whose three yaku make the round void."""

    TOGETHER = 0
    PER_PLAYER = 1


class VoidRound(Choice):
    """Whether a void round counts as played, or is dealt again."""

    COUNTS = 0
    REPLAY = 1


class VoidDealer(Choice):
    """Who deals after a void round: the same dealer, or whoever has most card points."""

    SAME = 0
    MOST_POINTS = 1


class NextDealer(Choice):
    """Who deals next: the winner of the round, or the next seat."""

    WINNER = 0
    IN_TURN = 1


class Stones(Choice):
    """A seat has fewer stones than it must pay: more are lent, or it is out of the match."""

    LENT = 0
    ELIMINATION = 1


@dataclass(frozen=True)
class TenshuOptions(Options):
    """Options of a round."""

    deal_order: DealOrder = DealOrder.NARA
    servant_card: ServantCard = ServantCard.SHOWN
    servant_onifuda: bool = False
    servant_refuses: bool = False
    servant_declines: bool = False
    pass_forfeits: bool = False
    four_on_field: FourOnField = FourOnField.REDEAL
    onifuda_on_field: OnifudaOnField = OnifudaOnField.NARA
    three_on_field: ThreeOnField = ThreeOnField.STACKED
    notta: Notta = Notta.ON
    notta_pass: NottaPass = NottaPass.FINAL
    pile_choice: PileChoice = PileChoice.BLIND
    onifuda_and_three: OnifudaAndThree = OnifudaAndThree.ONE
    onifuda_alone: OnifudaAlone = OnifudaAlone.TAKEN
    leftover: Leftover = Leftover.COUNTS
    fuke: Fuke = Fuke.EXACTLY_FOUR
    three_yaku: ThreeYaku = ThreeYaku.TOGETHER
    void_round: VoidRound = VoidRound.COUNTS
    void_dealer: VoidDealer = VoidDealer.SAME
    card_points: CardPoints = CardPoints.AS_PRINTED
    deals_next: NextDealer = NextDealer.WINNER


class Rounds(Choice):
    """A length of a match that is no number."""

    CIRCUIT = 0  # as many as there are participants


@dataclass(frozen=True)
class TenshuMatch(Options):
    """Options of a match: its rounds, and what happens when stones run out."""

    rounds: int = between(Rounds.CIRCUIT, 1, 24, common=(1, 3), words=Rounds)
    stones: Stones = Stones.LENT


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"notta": "off", "rounds": 1},
    "seed": {},
    "fudawiki-2026": {},
    "reconstructed": {"card_points": "balanced"},
}
