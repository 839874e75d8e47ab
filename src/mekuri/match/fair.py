"""Fair deals: packs that nobody arranged alone, from secrets of the dealing side and a cut of every seat.

Whoever deals (the server) draws a root and publishes a commitment to it. Then every seat gives its cut, a short text. The
secrets of the rounds hang on one chain of SHA-256, hashed down from the root: the commitment is the hash of the first secret,
each secret the hash of the next. So all of them are fixed before the first cut is known, and a secret opened after its round
tells nothing of those to come. The lot and the packs follow from secrets and cuts, and `mekuri verify` derives them again.

This proves that the dealing side could not choose its secrets after it saw the cuts, and so that it did not arrange the packs
alone, as long as one cut came from a seat that it does not play itself. It does not keep the dealing side from knowing the
pack while it is played, and it proves nothing where that side and a player conspire: see `docs/fair.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from unicodedata import category

from mekuri.engine.chance import SeedError, shuffle, stream
from mekuri.engine.errors import OptionError

MOST_ROUNDS = 1000  # of a match: what one record holds, and how many secrets hang on a chain
LONGEST_CUT = 64
_ROOT_BYTES = 32
_STAGE, _STAGES_KEPT = 50, 1 << 14  # links of a chain, and how many such pieces of the chains of all matches are remembered


@dataclass(frozen=True)
class Fair:
    """What is known of fair deals when some rounds are opened. It deals those rounds again.

    Attributes:
        commitment: the hash of the first secret, 64 hexadecimal digits; it was published before any cut was given.
        cuts: a text for each seat, "" for one that gave none.
        secrets: those of the opened rounds, in order, 64 hexadecimal digits each.
    """

    commitment: str
    cuts: tuple[str, ...]
    secrets: tuple[str, ...]

    def lot(self) -> list[int]:
        """The stream from which the first dealer was drawn. Raises OptionError where no round is opened."""
        return _lot(self._secret(0), self.cuts)

    def seats(self) -> list[int]:
        """The stream from which seats were drawn. Raises OptionError where no round is opened."""
        return _seats(self._secret(0), self.cuts)

    def round(self, number: int) -> list[int]:
        """The stream of an opened round, counted from 0. Raises OptionError for one that is not."""
        return _deal(self._secret(number), number, self.cuts)

    def opened(self, rounds: int) -> Fair:
        """The same: what has been opened stays open."""
        return self

    def _secret(self, number: int) -> str:
        if not 0 <= number < len(self.secrets):
            raise OptionError(f"the secret of round {number + 1} has not been opened")
        return self.secrets[number]


class FairDeals:
    """The deals of a match from a root, which only the dealing side knows, and the cuts of the seats.

    Attributes:
        commitment: see `commit`.
        cuts: a text for each seat, "" for one that gave none.
    """

    def __init__(self, root: bytes, cuts: Sequence[str]) -> None:
        self.commitment = commit(root)
        self.cuts = check_cuts(cuts)
        self._root = root

    def secret(self, number: int) -> str:
        """The secret of a round, counted from 0, in hexadecimal: to be opened when the round is over, never before.

        Raises OptionError for a round that no match can have.
        """
        if not 0 <= number < MOST_ROUNDS:
            raise OptionError(f"fair deals go as far as round {MOST_ROUNDS}, not to round {number + 1}")
        return _hash_down(self._root, MOST_ROUNDS - number).hex()

    def lot(self) -> list[int]:
        """The stream from which the first dealer is drawn."""
        return _lot(self.secret(0), self.cuts)

    def seats(self) -> list[int]:
        """The stream from which seats are drawn, whoever has given which cut."""
        return _seats(self.secret(0), self.cuts)

    def round(self, number: int) -> list[int]:
        """The stream of a round, counted from 0. Raises OptionError for a round that no match can have."""
        return _deal(self.secret(number), number, self.cuts)

    def opened(self, rounds: int) -> Fair:
        """What may be told when the first so many rounds are opened. Raises OptionError for more than a match can have."""
        return Fair(self.commitment, self.cuts, tuple(self.secret(number) for number in range(rounds)))


def commit(root: bytes) -> str:
    """The commitment to a root of 32 unforeseeable bytes: to be published before the first cut. Raises SeedError for others."""
    if not isinstance(root, bytes) or len(root) != _ROOT_BYTES:
        raise SeedError(f"the root of fair deals is {_ROOT_BYTES} bytes: take secrets.token_bytes({_ROOT_BYTES})")
    return _hash_down(root, MOST_ROUNDS + 1).hex()


def check_cuts(cuts: Sequence[str]) -> tuple[str, ...]:
    """The cuts as a tuple. Raises OptionError for one that is no text, too long, or cannot be written."""
    if not isinstance(cuts, tuple | list):
        raise OptionError("cuts are a row of texts, one for each seat")
    for seat, cut in enumerate(cuts):
        if not isinstance(cut, str) or len(cut) > LONGEST_CUT or any(category(sign) == "Cs" for sign in cut):
            raise OptionError(f"a cut is a text of at most {LONGEST_CUT} whole characters, and that of seat {seat} is not")
    return tuple(cuts)


def draw_seats(seats: Sequence[int], chance: list[int]) -> list[int]:
    """Lots for seats: to which of them each comes who waits, in the order of their cuts."""
    drawn = list(seats)
    shuffle(drawn, len(drawn), chance)
    return drawn


def hashed(secret: str) -> str:
    """What a secret hashes to: the secret of the round before it, or the commitment. Both in hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def _hash_down(root: bytes, times: int) -> bytes:
    stages, left = divmod(times, _STAGE)
    return _hashed_often(_stage(root, stages), left)


@lru_cache(_STAGES_KEPT)
def _stage(root: bytes, stages: int) -> bytes:
    """A root hashed down so many stages. A match asks for a secret a round, one link of the chain above the last."""
    return _hashed_often(_stage(root, stages - 1), _STAGE) if stages else root


def _hashed_often(found: bytes, times: int) -> bytes:
    for _ in range(times):
        found = sha256(found).digest()
    return found


def _lot(secret: str, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair lot", *cuts)


def _seats(secret: str, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair seats", *sorted(cuts))


def _deal(secret: str, number: int, cuts: Sequence[str]) -> list[int]:
    return stream(bytes.fromhex(secret), "fair deal", number, *cuts)
