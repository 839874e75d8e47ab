"""When it is clear which actions are not the best: what they bring is compared, batch by batch of the same worlds."""

from __future__ import annotations

from math import sqrt

BATCH = 1024  # play-outs between two looks
_LEAST = 16  # batches before anything is held to be clear
_CLEAR = 3.290527  # 99.9 %


class Batches:
    """What actions have brought, batch by batch."""

    def __init__(self) -> None:
        self._brought: dict[int, list[float]] = {}

    def add(self, brought: dict[int, float]) -> None:
        """Note what each action brought on average in one batch. One that is left out once never comes again."""
        for action, mean in brought.items():
            self._brought.setdefault(action, []).append(mean)

    def behind(self, actions: list[int], best: int) -> list[int]:
        """Those of some actions, all of them in every batch so far, that clearly bring less than the best."""
        return [action for action in actions if action != best and self._less(action, best)]

    def _less(self, action: int, best: int) -> bool:
        apart = [one - other for one, other in zip(self._brought[best], self._brought[action], strict=True)]
        n = len(apart)
        if n < _LEAST:
            return False
        mean = sum(apart) / n
        spread = sum((one - mean) ** 2 for one in apart) / (n - 1)
        return mean > _CLEAR * sqrt(spread / n)
