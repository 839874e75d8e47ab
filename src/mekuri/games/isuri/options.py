"""The readings of Isuri that may be chosen. What each changes, and who says so, stands in the rule book."""

from dataclasses import dataclass

from mekuri.engine.options import Choice, Options, between
from mekuri.games.sequence import SequenceOptions


class Sets(Choice):
    """Which cards of one number may be discarded at once."""

    NEXT_NUMBER = 0
    FREE_SET = 1
    NATURALS_ONLY = 2


class GhostValue(Choice):
    """What a ghost is paid: the number printed on it, or the number it stands for."""

    PRINTED = 0
    REPRESENTED = 1


class SouDashi(Choice):
    """In which turn all six cards at once bring the bonus."""

    ANY_TURN = 0
    FIRST_TURN = 1


class PassPays(Choice):
    """Which turn costs a point when it is ended: one without a discard, or any."""

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
