"""A run in shards whose workers do what a test asks of them, for tests of the executors."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mekuri.engine.errors import MekuriError
from mekuri.lab.shards import Done, Row
from tests.helpers.patience import PATIENCE


def wait_for(happened: Callable[[], object]) -> None:
    """Wait until something has happened, such as in another process."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


@dataclass(frozen=True)
class Squares:
    """A run whose shard i is i squared.

    Attributes:
        shards: how many shards there are.
        folder: where each attempt leaves a file, named by its shard and its process.
        deadly: the shard that kills its process.
        deaths: how often it does.
        bad: the shard that has a fault.
        refused: the shard that is refused.
        gate: a file that all shards wait for; None for no waiting.
    """

    shards: int
    folder: Path
    deadly: int = -1
    deaths: int = 0
    bad: int = -1
    refused: int = -1
    gate: Path | None = None

    @property
    def threads(self) -> int:
        return self.shards

    def about(self) -> dict[str, Any]:
        return {"verb": "square", "shards": self.shards}

    def units(self, number: int) -> int:
        return 1

    def prepare(self) -> None:
        """Nothing is compiled."""

    def worker(self) -> Squaring:
        return Squaring(self)

    def begun(self, number: int) -> list[int]:
        """The processes that have begun a shard."""
        return [int(file.name.split("-")[1]) for file in self.folder.glob(f"{number}-*")]


class Squaring:
    """The worker of `Squares`."""

    def __init__(self, run: Squares) -> None:
        self._run = run

    def play(self, number: int, done: Done) -> Row:
        run = self._run
        before = len(run.begun(number))
        (run.folder / f"{number}-{os.getpid()}-{before}").touch()
        if run.gate:
            wait_for(run.gate.exists)
        if number == run.deadly and before < run.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == run.bad:
            raise ZeroDivisionError("a fault")
        if number == run.refused:
            raise MekuriError("this is refused")
        done(1)
        return {"square": number**2, "checksum": number**2}

    def close(self) -> None:
        """Nothing has been started."""
