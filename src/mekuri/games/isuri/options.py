"""The options of Isuri and its presets. The rule book says what each option changes, and from which source it comes."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between
from mekuri.games.sequence import SequenceOptions


class Sets(Choice):
    """Which sets of cards of one number may be discarded at once."""

    NEXT_NUMBER = 0
    FREE_SET = 1
    NATURALS_ONLY = 2


class GhostValue(Choice):
    """The points that a ghost is paid: those of its printed number, or of the number that it stands for."""

    PRINTED = 0
    REPRESENTED = 1


class SouDashi(Choice):
    """The turn in which discarding all six cards at once brings the bonus."""

    ANY_TURN = 0
    FIRST_TURN = 1


class PassPays(Choice):
    """The turns that cost a point when they are ended: those without a discard, or any."""

    NO_DISCARD = 0
    ANY_TURN = 1


@dataclass(frozen=True)
class IsuriOptions(SequenceOptions):
    """Options of a round."""

    sets: Sets = Sets.NEXT_NUMBER
    ghost_value: GhostValue = GhostValue.PRINTED
    sou_dashi: SouDashi = SouDashi.ANY_TURN
    pass_pays: PassPays = PassPays.NO_DISCARD


@dataclass(frozen=True)
class IsuriMatch(Options):
    """Options of a match: its rounds."""

    rounds: int = between(6, 1, 48, common=(1, 3, 6))


PRESETS: dict[str, dict[str, object]] = {
    "default": {},
    "first": {"rounds": 1},
    "seed": {"sets": "free-set"},
    "fudawiki-2026": {"who_draws": "first-passer", "two_of_swords": "10"},
    "reconstructed": {},
}
