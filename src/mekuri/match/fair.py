"""Fair deals: packs that nobody can arrange alone, made from secrets of the dealer's side and a cut of every seat.

The dealing side (the server) draws a secret root and publishes a commitment to it. Then every seat gives its cut, a short text.
The secrets of the rounds form a chain of SHA-256 hashes that begins with the root: the secret of the last round is the hash of the
root, each other secret the hash of the next round's, and the commitment the hash of the first. So all secrets are fixed before the
first cut is known, and a secret that is opened after its round does not reveal those of later rounds. The lot and the packs follow
from secrets and cuts, and `mekuri verify` derives them again.

This proves that the dealing side could not choose its secrets after it saw the cuts, and so that it did not arrange the packs
alone, as long as one cut came from a seat that it does not play itself. The dealing side still knows the pack while it is played,
and nothing is proved where that side and a player conspire: see `docs/fair.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from operator import index
from unicodedata import category

from mekuri.cards.given import Whole, whole
from mekuri.engine.chance import SeedError, shuffle, stream
from mekuri.engine.errors import OptionError

MOST_ROUNDS = 1000  # rounds of a match, at most: so many rounds fit in a record, and so many secrets are in a chain
LONGEST_CUT = 64  # characters
_ROOT_BYTES = 32
_STAGE, _STAGES_KEPT = 50, 1 << 14  # hashes between two cached links of a chain, and how many such links are cached over all chains


@dataclass(frozen=True)
class Fair:
    """The public part of a match's fair deals: the secrets of its first rounds are opened, and those rounds can be dealt again.

    Attributes:
        commitment: the hash of the first secret, 64 hexadecimal digits; it was published before any cut was given.
        cuts: the cut of each seat, "" for a seat that gave none.
        secrets: the secrets of the opened rounds, in order from the first, 64 hexadecimal digits each.
    """

    commitment: str
    cuts: tuple[str, ...]
    secrets: tuple[str, ...]

    def lot(self) -> list[int]:
        """Return the stream of chance from which the first dealer was drawn. Raises OptionError where no round is opened."""
        return _lot(self._secret(0), self.cuts)

    def seats(self) -> list[int]:
        """Return the stream of chance from which the lots for seats were drawn. Raises OptionError where no round is opened."""
        return _seats(self._secret(0), self.cuts)

    def round(self, number: int) -> list[int]:
        """Return the stream of chance of an opened round, counted from 0. Raises OptionError where the round is not opened."""
        return _deal(self._secret(number), number, self.cuts)

    def opened(self, rounds: Whole) -> Fair:
        """Return this object itself: nothing more can be opened, and nothing can be closed again."""
        return self

    def _secret(self, number: Whole) -> str:
        which = whole(number)
        if which is None or not 0 <= which < len(self.secrets):
            raise OptionError(f"the secret of round {number if which is None else which + 1} has not been opened")
        return self.secrets[which]


class FairDeals:
    """The fair deals of a match, made from a root, which only the dealing side knows, and the cuts of the seats.

    Args:
        root: 32 random bytes.
        cuts: the cut of each seat, "" for a seat that gave none; at most 64 characters each.

    Raises:
        SeedError: the root is not 32 bytes.
        OptionError: a cut is too long, or no text.

    Attributes:
        commitment: the commitment to the root, 64 hexadecimal digits: see `commit`.
        cuts: the cut of each seat.
    """

    def __init__(self, root: bytes, cuts: Sequence[str]) -> None:
        self.commitment = commit(root)
        self.cuts = check_cuts(cuts)
        self._root = root

    def secret(self, number: Whole) -> str:
        """Return the secret of a round, 64 hexadecimal digits. It must not be published before the round is over.

        Args:
            number: the round, from 0 to 999.

        Raises:
            OptionError: no match has such a round.
        """
        which = whole(number)
        if which is None or not 0 <= which < MOST_ROUNDS:
            shown = number if which is None else which + 1
            raise OptionError(f"fair deals go as far as round {MOST_ROUNDS}, not to round {shown}")
        return _hash_down(self._root, MOST_ROUNDS - which).hex()

    def lot(self) -> list[int]:
        """Return the stream of chance from which the first dealer is drawn."""
        return _lot(self.secret(0), self.cuts)

    def seats(self) -> list[int]:
        """Return the stream of chance from which lots for seats are drawn. It does not depend on which seat gave which cut."""
        return _seats(self.secret(0), self.cuts)

    def round(self, number: int) -> list[int]:
        """Return the stream of chance of a round, counted from 0. Raises OptionError for a round that no match can have."""
        return _deal(self.secret(number), number, self.cuts)

    def opened(self, rounds: Whole) -> Fair:
        """Return the public part, with the secrets of the first so many rounds.

        Raises:
            OptionError: no match has so many rounds.
        """
        return Fair(self.commitment, self.cuts, tuple(self.secret(number) for number in range(index(rounds))))


def commit(root: bytes) -> str:
    """Return the commitment to a root: the SHA-256 of the first round's secret. It is published before the first cut is given.

    Args:
        root: 32 random bytes.

    Returns:
        64 hexadecimal digits.

    Raises:
        SeedError: the root is not 32 bytes.
    """
    if not isinstance(root, bytes) or len(root) != _ROOT_BYTES:
        raise SeedError(f"the root of fair deals is {_ROOT_BYTES} bytes: take secrets.token_bytes({_ROOT_BYTES})")
    return _hash_down(root, MOST_ROUNDS + 1).hex()


def check_cuts(cuts: Sequence[str]) -> tuple[str, ...]:
    """Check the cuts of the seats, and return them as a tuple.

    Raises:
        OptionError: a cut is no text, longer than 64 characters, or holds a surrogate, which UTF-8 cannot encode.
    """
    if not isinstance(cuts, tuple | list):
        raise OptionError("cuts are a row of texts, one for each seat")
    for seat, cut in enumerate(cuts):
        if not isinstance(cut, str) or len(cut) > LONGEST_CUT or any(category(sign) == "Cs" for sign in cut):
            raise OptionError(f"a cut is a text of at most {LONGEST_CUT} whole characters, and that of seat {seat} is not")
    return tuple(cuts)


def draw_seats(seats: Sequence[int], chance: list[int]) -> list[int]:
    """Draw lots for seats.

    Args:
        seats: the seats to be given out, in ascending order.
        chance: four words of the stream for seats; they are advanced.

    Returns:
        The seats, shuffled: the first one goes to the player whose cut comes first in ascending order, and so on.
    """
    drawn = list(seats)
    shuffle(drawn, len(drawn), chance)
    return drawn


def hashed(secret: str) -> str:
    """Return the SHA-256 of a secret, which is the secret of the round before it, or the commitment. Both in hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def _hash_down(root: bytes, times: int) -> bytes:
    stages, left = divmod(times, _STAGE)
    return _hashed_often(_stage(root, stages), left)


@lru_cache(_STAGES_KEPT)
def _stage(root: bytes, stages: int) -> bytes:
    """Return the link of a root's chain after so many stages, cached.

    A match needs one link of the chain for each round, so nearly all of them are a few hashes away from a cached one.
    """
    return _hashed_often(_stage(root, stages - 1), _STAGE) if stages else root


def _hashed_often(found: bytes, times: int) -> bytes:
    for _ in range(times):
        found = sha256(found).digest()
    return found


def _lot(secret: str, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair lot", *cuts)


def _seats(secret: str, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair seats", *sorted(cuts))


def _deal(secret: str, number: Whole, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair deal", index(number), *cuts)
