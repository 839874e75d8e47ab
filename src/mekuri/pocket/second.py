"""Work that takes long, in the worker of a page or in a second one, which loads this module without a desk."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

Ask = Callable[[str], Awaitable[str]]
"""Has the second worker do `run`. Raises an error where that worker cannot start or has failed."""

_log = logging.getLogger("mekuri.pocket")


class Slices:
    """A `mekuri.desk.work.Work` on the event loop: other requests are answered between two pieces of work."""

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work` when what waits has been done. Returns its result or raises its exception."""
        await asyncio.sleep(0)
        return work()

    def close(self) -> None:
        """Do nothing: no work is ever queued."""


class Second(Slices):
    """A `mekuri.desk.work.Work` in the second worker. Once that has failed, work runs as in `Slices`.

    Args:
        ask: has the second worker do work; None where there is none.
    """

    def __init__(self, ask: Ask | None) -> None:
        self._ask = ask

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work`, which can be pickled. Returns its result or raises its exception."""
        if self._ask:
            try:
                result: T = pickle.loads(bytes.fromhex(await self._ask(pickle.dumps(work).hex())))
            except Exception as error:  # of JavaScript, or of the work, which then raises it here
                _log.warning("The second worker has failed: %s", error)
                self._ask = None
            else:
                return result
        return await super().do(work)


def run(work: str) -> str:
    """Run work that was pickled, as hexadecimal digits, and return its result in the same way."""
    return pickle.dumps(pickle.loads(bytes.fromhex(work))()).hex()
