"""Find the actions that are clearly not the best, by comparing their means over batches of the same worlds."""

from __future__ import annotations

from math import sqrt

BATCH = 1024  # play-outs of all actions together in a batch
_LEAST = 16  # the least number of batches for a clear difference
_CLEAR = 3.290527  # 99.9 %


class Batches:
    """The mean results of actions, batch by batch."""

    def __init__(self) -> None:
        self._brought: dict[int, list[float]] = {}

    def add(self, brought: dict[int, float]) -> None:
        """Add the mean result of each action in a batch. An action that is missing once must not come again."""
        for action, mean in brought.items():
            self._brought.setdefault(action, []).append(mean)

    def behind(self, actions: list[int], best: int) -> list[int]:
        """Return the actions that clearly (99.9 %) bring less than the best.

        Args:
            actions: actions with a result in every batch so far.
            best: the best of them so far.
        """
        return [action for action in actions if action != best and self._less(action, best)]

    def _less(self, action: int, best: int) -> bool:
        apart = [one - other for one, other in zip(self._brought[best], self._brought[action], strict=True)]
        n = len(apart)
        if n < _LEAST:
            return False
        mean = sum(apart) / n
        spread = sum((one - mean) ** 2 for one in apart) / (n - 1)
        return mean > _CLEAR * sqrt(spread / n)
