"""The deal of the day: its day, and the mixed cut, which is made from the cuts of all players who gave one.

Days are those of UTC, written `2026-11-24`. Only the SHA-256 of a cut is kept and shown: a player can find his own among them, and
nobody can read the text of another. See `docs/daily.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from mekuri.match.fair import check_cuts

DAY_MS = 86_400_000
CLOSING_MS = 60_000  # cuts for a day are refused from so long before it begins: clocks differ, and writing takes time
_FIRST = "mekuri deal of the day"  # the first line of `mixture`


def day_of(at: int) -> str:
    """Return the UTC day of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def begins(day: str) -> int:
    """Return when a day begins, in milliseconds since 1970. Raises ValueError for a text that is no day."""
    found = date.fromisoformat(day)
    if found.isoformat() != day:
        raise ValueError(f"a day is written 2026-11-24, not {day}")
    return round(datetime.combine(found, time(), UTC).timestamp() * 1000)


def ends(day: str) -> int:
    """Return when a day ends, in milliseconds since 1970. Raises ValueError for a text that is no day."""
    return begins(day) + DAY_MS


def closes(day: str) -> int:
    """Return when cutting for a day ends, in milliseconds since 1970. Raises ValueError for a text that is no day."""
    return begins(day) - CLOSING_MS


def after(day: str, days: int = 1) -> str:
    """Return the day so many days later. Raises ValueError for a text that is no day."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def digest_of(cut: str) -> str:
    """Return the SHA-256 of a cut, 64 hexadecimal digits. Raises OptionError for a cut that `check_cuts` refuses."""
    check_cuts([cut])
    return sha256(cut.encode()).hexdigest()


def mixture(day: str, game: str, digests: Iterable[str]) -> str:
    """Return the text whose SHA-256 is the mixed cut: lines with a fixed heading, the day, the game, and the sorted digests."""
    return "".join(f"{line}\n" for line in (_FIRST, day, game, *sorted(digests)))


def mixed(day: str, game: str, digests: Iterable[str]) -> str:
    """Return the mixed cut of a day's deal, 64 hexadecimal digits. Each cut that went into it changes all of it.

    Args:
        day: the day.
        game: the game's name.
        digests: the digests of the players' cuts, in any order.
    """
    return sha256(mixture(day, game, digests).encode()).hexdigest()
