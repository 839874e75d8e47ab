"""How often something may be done in a minute."""

from __future__ import annotations

from collections import Counter
from time import monotonic

from mekuri.table.errors import ProblemError

_MINUTE = 60.0  # seconds


class RateLimit:
    """Counts what is done in the present minute: by each, and by all together.

    Args:
        each: how often one may do it.
        together: how often all may, if there is a limit to that.
    """

    def __init__(self, each: int, together: int | None = None) -> None:
        self._each = each
        self._together = together
        self._since = 0.0
        self._times: Counter[str] = Counter()

    def count(self, who: str) -> None:
        """Somebody does it. Raises ProblemError where that is once too often."""
        now = monotonic()
        if now - self._since >= _MINUTE:
            self._since = now
            self._times.clear()
        if self._times[who] >= self._each or (self._together is not None and self._times.total() >= self._together):
            raise ProblemError("too-many", seconds=max(1, round(self._since + _MINUTE - now)))
        self._times[who] += 1

    def forgive(self, who: str) -> None:
        """What somebody has just done is not to count."""
        self._times[who] -= self._times[who] > 0
