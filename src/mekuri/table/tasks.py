"""Asynchronous work that runs to its end once it has begun, even where its caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Tasks:
    """A set of asyncio tasks that are not cancelled with their callers."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """Return the number of tasks that are running."""
        return len(self._running)

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a coroutine as a task of the set, and return the task."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and return its result. It runs to its end even where the caller is cancelled."""
        return await asyncio.shield(self.begin(work))

    async def finish(self) -> None:
        """Wait until no task is running. Exceptions of tasks are ignored."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # The caller may have been cancelled: an exception that nobody retrieves would be logged by asyncio.
        _ = task.cancelled() or task.exception()
