"""The deal of the day: which day it is, and the one cut that the cuts of all who gave one make together.

Days are those of UTC, written `2026-11-24`. Nothing of a cut is kept or shown but its SHA-256: whoever gave one finds it among the
others, and nobody reads what somebody else has written. See `docs/daily.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from mekuri.match.fair import check_cuts

DAY_MS = 86_400_000
CLOSING_MS = 60_000  # before a day begins, from which on nobody cuts for it: clocks differ, and to write takes time
_FIRST = "mekuri deal of the day"  # the first line of what a mixed cut is the hash of


def day_of(at: int) -> str:
    """The day of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def begins(day: str) -> int:
    """When a day begins, in milliseconds since 1970. Raises ValueError for what is no day."""
    found = date.fromisoformat(day)
    if found.isoformat() != day:
        raise ValueError(f"a day is written 2026-11-24, not {day}")
    return round(datetime.combine(found, time(), UTC).timestamp() * 1000)


def ends(day: str) -> int:
    """When it is over. Raises ValueError for what is no day."""
    return begins(day) + DAY_MS


def closes(day: str) -> int:
    """From when on nobody cuts for it. Raises ValueError for what is no day."""
    return begins(day) - CLOSING_MS


def after(day: str, days: int = 1) -> str:
    """The day so many days later. Raises ValueError for what is no day."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def digest_of(cut: str) -> str:
    """What is kept of a cut: its SHA-256, 64 hexadecimal digits. Raises OptionError for one that cannot be."""
    check_cuts([cut])
    return sha256(cut.encode()).hexdigest()


def mixture(day: str, game: str, digests: Iterable[str]) -> str:
    """What the mixed cut is the SHA-256 of, as text: a line that says what it is, the day, the game, and the digests in order."""
    return "".join(f"{line}\n" for line in (_FIRST, day, game, *sorted(digests)))


def mixed(day: str, game: str, digests: Iterable[str]) -> str:
    """The cut of the deal of a day, 64 hexadecimal digits: whoever gives one of those cuts changes all of it."""
    return sha256(mixture(day, game, digests).encode()).hexdigest()
