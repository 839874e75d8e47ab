"""The options of Tenshu and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between


class DealOrder(Choice):
    """The order of the deal: by threes and twos as in Nara, or five to each pile and then the field."""

    NARA = 0
    SIMPLE = 1


class ServantCard(Choice):
    """Whether the servant's card lies open or only the servant sees it."""

    SHOWN = 0
    HIDDEN = 1


class OnifudaOnField(Choice):
    """The rule for a deal that lays the onifuda on the field."""

    NARA = 0
    ANY_CARD = 1
    DEALER_HAND = 2
    DEALER_ALONE = 3
    REDEAL = 4


class OnifudaAndThree(Choice):
    """The cards that the onifuda takes of three of a number."""

    ONE = 0
    ALL = 1
    NONE = 2


class OnifudaAlone(Choice):
    """The rule for an onifuda that is played and finds nothing to take: its player keeps it, or it stays on the field."""

    TAKEN = 0
    STAYS = 1


class FourOnField(Choice):
    """The rule for a deal that lays four of a number on the field."""

    REDEAL = 0
    DEALER_TAKES = 1
    DEAD = 2


class ThreeOnField(Choice):
    """The rule for a deal that lays three of a number on the field."""

    STACKED = 0
    NARA = 1


class PileChoice(Choice):
    """Whether a player chooses the pile that becomes the hand without looking, or after a look at both."""

    BLIND = 0
    LOOK_AT_BOTH = 1


class Notta(Choice):
    """When the others may shout "Notta!" to exchange hands with the dealer."""

    ON = 0
    OFF = 1
    ONIFUDA_ON_FIELD = 2
    CHAINED = 3


class NottaPass(Choice):
    """Whether a pass at "Notta!" is final, or a seat passes by silence alone and may shout while the table waits."""

    FINAL = 0
    SILENCE = 1


class CardPoints(Choice):
    """The table of card points: as printed, or with the 5 points that are missing there given to the big 1 or to the onifuda."""

    AS_PRINTED = 0
    BALANCED = 1
    ONIFUDA_FIFTEEN = 2


class Fuke(Choice):
    """The number of captured cards that makes Fuke."""

    EXACTLY_FOUR = 0
    AT_MOST_FOUR = 1


class Leftover(Choice):
    """Whether the card that is left counts for yaku."""

    COUNTS = 0
    POINTS_ONLY = 1


class ThreeYaku(Choice):
    """Whether three yaku of all seats together make the round void, or only three of one seat."""

    TOGETHER = 0
    PER_PLAYER = 1


class VoidRound(Choice):
    """Whether a void round counts as played, or is dealt again."""

    COUNTS = 0
    REPLAY = 1


class VoidDealer(Choice):
    """Who deals after a void round: the same dealer, or the seat with the most card points."""

    SAME = 0
    MOST_POINTS = 1


class NextDealer(Choice):
    """Who deals next: the winner of the round, or the next seat."""

    WINNER = 0
    IN_TURN = 1


class Stones(Choice):
    """The rule for a seat that has fewer stones than it must pay: it is lent more, or it is out of the match."""

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
    """The word that may stand in place of a number of rounds."""

    CIRCUIT = 0  # as many rounds as there are seats


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
