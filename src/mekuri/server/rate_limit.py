"""A rate limit for a minute, or another time, for each key and for all together."""

from __future__ import annotations

from collections import Counter

from mekuri.table.errors import ProblemError
from mekuri.table.time import Time

_MINUTE = 60.0  # seconds


class RateLimit:
    """Counts calls in fixed windows of a minute, or another time, for each key and for all together.

    Args:
        each: the limit of one key.
        time: the clock.
        together: the limit of all keys together; None for no limit.
        seconds: how long a window is.
    """

    def __init__(self, each: int, time: Time, together: int | None = None, seconds: float = _MINUTE) -> None:
        self._each = each
        self._together = together
        self._monotonic = time.monotonic
        self._window = seconds
        self._since = float("-inf")
        self._times: Counter[str] = Counter()

    def count(self, who: str) -> None:
        """Count a call for a key. Raises ProblemError with the seconds to wait where the limit is reached."""
        now = self._monotonic()
        if now - self._since >= self._window:
            self._since = now
            self._times.clear()
        if self._times[who] >= self._each or (self._together is not None and self._times.total() >= self._together):
            raise ProblemError("too-many", seconds=max(1, round(self._since + self._window - now)))
        self._times[who] += 1

    def forgive(self, who: str) -> None:
        """Undo one counted call of a key."""
        self._times[who] -= self._times[who] > 0
