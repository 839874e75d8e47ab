"""Work that takes long, in the worker of a page or in a second one, which loads this module without a desk."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Sent(Protocol):
    """Bytes from JavaScript."""

    def to_bytes(self) -> bytes:
        """Return a copy for Python."""


Ask = Callable[[bytes], Awaitable[Sent]]
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
            packed = pickle.dumps(work)
            try:
                done: tuple[T, Exception | None] = pickle.loads((await self._ask(packed)).to_bytes())
            except Exception as error:  # of JavaScript
                _log.warning("The second worker has failed: %s", error)
                self._ask = None
            else:
                result, raised = done
                if raised is not None:
                    raise raised
                return result
        return await super().do(work)


def run(work: Sent) -> bytes:
    """Run work that was pickled. Returns its result and no exception, or None and the exception that it raised, pickled.

    Raises:
        MemoryError: this worker has too little memory.
    """
    job: Callable[[], object] = pickle.loads(work.to_bytes())
    done: tuple[object, Exception | None]
    try:
        done = job(), None
    except MemoryError:
        raise
    except Exception as error:
        error.add_note(traceback.format_exc())  # the first worker's traceback begins where it raises the error again
        done = None, error
    return pickle.dumps(done)
