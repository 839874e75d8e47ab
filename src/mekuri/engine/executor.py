"""Executors: each runs the one text of the rules in its own way, on states and rows of numbers of its own kind.

An executor makes these (`states`, `words`, `bot`), moves states in and out of them (`write`, `read`) and runs an entry on them
(`call`). Search, solver and simulation are written once, for any executor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol

from mekuri.engine.bot import Bot
from mekuri.engine.contract import Contract
from mekuri.engine.entry import Entry
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.observe import Layout


class Executor(Protocol):
    """A way to run rules. All executors give equal results."""

    def states(self, contract: Contract, n: int) -> Any:
        """Return a row of n cleared states of a game."""

    def words(self, values: Iterable[int]) -> Any:
        """Return a row of signed 64-bit numbers."""

    def zeros(self, n: int) -> Any:
        """Return a row of n numbers, all 0."""

    def bot(self, bot: Bot) -> Any:
        """Return a bot of rules text as an argument of an entry."""

    def write(self, states: Any, place: int, state: RoundState) -> None:
        """Write a plain state to a place of a row."""

    def read(self, states: Any, kind: type[RoundState]) -> list[RoundState]:
        """Return the states of a row as plain ones of a class."""

    def prepare(self, entry: Entry[..., Any], *arguments: Any) -> None:
        """Make an entry ready for arguments of these types, without running it. Raises CannotCompile if that fails."""

    def call(self, entry: Entry[..., Any], *arguments: Any) -> Any:
        """Run an entry on arguments that this executor has made. It must be prepared for arguments of their types."""


class Encoder(Executor, Protocol):
    """An executor that also encodes observations, as environments do."""

    def rows(self, n: int, length: int) -> Any:
        """Return n rows of so many numbers, all 0."""

    def layout(self, layout: Layout) -> Any:
        """Return the layout of observations as an argument of an entry."""

    def bound(self, entry: Entry[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Prepare an entry, and return a function that runs it on these very arguments."""


class _Plain:
    """Runs the Python functions themselves, on lists."""

    def states(self, contract: Contract, n: int) -> Any:
        return [contract.state() for _ in range(n)]

    def words(self, values: Iterable[int]) -> Any:
        return list(values)

    def zeros(self, n: int) -> Any:
        return [0] * n

    def rows(self, n: int, length: int) -> Any:
        return [[0] * length for _ in range(n)]

    def bot(self, bot: Bot) -> Any:
        return bot

    def layout(self, layout: Layout) -> Any:
        return layout

    def bound(self, entry: Entry[..., Any], *arguments: Any) -> Callable[[], Any]:
        return partial(entry.plain, *arguments)

    def write(self, states: Any, place: int, state: RoundState) -> None:
        copy(states[place], state)

    def read(self, states: Any, kind: type[RoundState]) -> list[RoundState]:
        return list(states)

    def prepare(self, entry: Entry[..., Any], *arguments: Any) -> None:
        pass

    def call(self, entry: Entry[..., Any], *arguments: Any) -> Any:
        return entry.plain(*arguments)


class _MachineCode:
    """Runs machine code that Numba has made of the functions, on NumPy arrays. All but `call` raise ImportError without Numba."""

    def states(self, contract: Contract, n: int) -> Any:
        import numpy as np

        from mekuri.engine import numba_backend

        return np.zeros(n, numba_backend.record(contract))

    def words(self, values: Iterable[int]) -> Any:
        import numpy as np

        return np.array([*values], np.int64)

    def zeros(self, n: int) -> Any:
        import numpy as np

        return np.zeros(n, np.int64)

    def rows(self, n: int, length: int) -> Any:
        import numpy as np

        return np.zeros((n, length), np.int64)

    def bot(self, bot: Bot) -> Any:
        from mekuri.engine import numba_backend

        return numba_backend.bot_record(bot)

    def layout(self, layout: Layout) -> Any:
        from mekuri.engine import numba_backend

        return numba_backend.layout_record(layout)

    def bound(self, entry: Entry[..., Any], *arguments: Any) -> Callable[[], Any]:
        entry.prepare(*arguments)

        from mekuri.engine.numba_calls import Bound

        return Bound(entry.prepared, arguments)

    def write(self, states: Any, place: int, state: RoundState) -> None:
        from mekuri.engine import numba_backend

        numba_backend.to_record(state, states[place])

    def read(self, states: Any, kind: type[RoundState]) -> list[RoundState]:
        from mekuri.engine import numba_backend

        return numba_backend.from_records(states, kind)

    def prepare(self, entry: Entry[..., Any], *arguments: Any) -> None:
        entry.prepare(*arguments)

    def call(self, entry: Entry[..., Any], *arguments: Any) -> Any:
        return entry.prepared(*arguments)


PLAIN: Encoder = _Plain()
MACHINE_CODE: Encoder = _MachineCode()


def workspace(contract: Contract, n: int, *, compiled: bool = False) -> Any:
    """Return n cleared states of a game, which a bot may overwrite while it thinks.

    Returns:
        A list of n plain states; or, compiled, a NumPy array of n records for machine code.

    Raises:
        ImportError: `compiled` is true and NumPy or Numba is not installed.
    """
    return (MACHINE_CODE if compiled else PLAIN).states(contract, n)
