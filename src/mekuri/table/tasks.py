"""Work that is finished once it is begun, even where nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Tasks:
    """What must not be broken off."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """How many have not come to their end."""
        return len(self._running)

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something whole, even where whoever asks goes away."""
        return await asyncio.shield(self.begin(work))

    async def finish(self) -> None:
        """Wait until everything is done, whatever comes of it."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # Whoever asked may be gone; then nobody else takes note of a refusal.
        _ = task.cancelled() or task.exception()
