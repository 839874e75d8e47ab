"""Chance: a random number generator with 256 bits of state, the same plain and compiled, and never part of a game's state.

A stream is a row of four signed 64-bit words, the state of xoshiro256++ (Blackman and Vigna, 2018). 256 bits are enough for every
order of a pack to come up. Rules draw nothing: the engine shuffles, and bots choose, from a stream that their caller owns.
"""

from __future__ import annotations

import hashlib

from mekuri.cards.given import Whole, typed, whole
from mekuri.engine.compiled import nth, rule, wrap
from mekuri.engine.errors import MekuriError

_HALF = 0xFFFFFFFF
# The odd constants of SplitMix64 (Steele, Lea and Flood, 2014) as signed words.
_STEP = wrap(0x9E3779B97F4A7C15)
_MIX_1 = wrap(0xBF58476D1CE4E5B9)
_MIX_2 = wrap(0x94D049BB133111EB)

Seed = Whole | str | bytes


class SeedError(MekuriError):
    """A value that is no seed."""


def plain_seed(seed: Seed) -> int | str | bytes:
    """A seed as an int, a text or bytes. Full-width digits and letters of a text count as the usual ones.

    Raises:
        SeedError: for a value that is no seed.
    """
    if isinstance(seed, str):
        return typed(seed)
    if isinstance(seed, bytes):
        return seed
    number = whole(seed)
    if number is None or abs(number) >> 256:
        raise SeedError("a seed is a text, bytes, or a whole number below 2**256")
    return number


def stream(seed: Seed, *path: int | str) -> list[int]:
    """The stream of a seed, at its start.

    Its words are the SHA-256 of the seed and the path, so equal seeds give equal streams on every machine.

    Args:
        seed: a text, bytes, or a whole number between -2**256 and 2**256. A number is the same seed as its decimal text.
        path: names one of many streams that come from the same seed.

    Returns:
        A row of four signed 64-bit words.

    Raises:
        SeedError: for any other seed.
    """
    digest = hashlib.sha256(b"mekuri")
    for part in (plain_seed(seed), *path):
        encoded = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
        # With its kind and length before it, no part can be taken for another.
        digest.update(b"%c%d:%b" % (b"b" if isinstance(part, bytes) else b"t", len(encoded), encoded))
    words = digest.digest()
    return [int.from_bytes(words[i : i + 8], "little", signed=True) for i in range(0, 32, 8)]


@rule
def _turn(word: int, places: int) -> int:
    """A 64-bit word rotated left by 1..63 places."""
    return wrap(word << places) | word >> (64 - places) & (1 << places) - 1


@rule
def draw(chance: list[int]) -> int:
    """The next 64 random bits of a stream, as a signed word. The stream moves on."""
    a, b, c, d = chance[0], chance[1], chance[2], chance[3]
    drawn = wrap(_turn(wrap(a + d), 23) + a)
    c ^= a
    d ^= b
    chance[0] = a ^ d
    chance[1] = b ^ c
    chance[2] = c ^ wrap(b << 17)
    chance[3] = _turn(d, 45)
    return drawn


@rule
def below(chance: list[int], n: int) -> int:
    """A number from 0 to n - 1, each as likely as any other (Lemire, 2019); n from 1 to 2**31."""
    while True:
        scaled = (draw(chance) >> 32 & _HALF) * n
        if scaled & _HALF >= n or scaled & _HALF >= (_HALF + 1) % n:
            return scaled >> 32


@rule
def shuffle(row: list[int], n: int, chance: list[int]) -> None:
    """Put the first n values of a row in random order."""
    for last in range(n - 1, 0, -1):
        other = below(chance, last + 1)
        held = row[last]
        row[last] = row[other]
        row[other] = held


@rule
def pick(choices: int, n: int, chance: list[int]) -> int:
    """A random member of a set, each as likely as any other; `n` is the number of its members."""
    return nth(choices, below(chance, n))


@rule
def mix(word: int) -> int:
    """Scramble a word: a bijection, each bit of the result depending on every bit of the word (SplitMix64's finaliser)."""
    word = wrap((word ^ word >> 30 & (1 << 34) - 1) * _MIX_1)
    word = wrap((word ^ word >> 27 & (1 << 37) - 1) * _MIX_2)
    return word ^ word >> 31 & (1 << 33) - 1


@rule
def begin_round(chance: list[int], key: list[int], number: int) -> None:
    """Set `chance` to the stream of round `number` under `key`, a row of four words."""
    for i in range(4):
        chance[i] = mix(key[i] ^ mix(wrap((number * 4 + i) * _STEP)))


def round_stream(seed: Seed, number: int) -> list[int]:
    """The stream of round `number` under a seed; see `stream` for seeds."""
    chance = [0] * 4
    begin_round(chance, stream(seed), number)
    return chance


@rule
def fold(checksum: int, value: int) -> int:
    """Add a value to a running 64-bit checksum, and return the new checksum."""
    return mix(wrap((checksum ^ value) * _STEP))
