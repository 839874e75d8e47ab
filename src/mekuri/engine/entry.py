"""Where Python comes into machine code: a whole loop, never a single move, because the step between the two is what costs.

Numba is imported when an entry is first asked for its compiled form, and never before: importing Mekuri is instant, and
where Numba is missing everything still runs plain.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_one_by_one = Lock()  # threads that prepare: rules are made known once, and machine code is added to what another has made


class Entry(Generic[P, R]):
    """A function that runs plain when called, and compiled when called as `entry.compiled(...)`."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self.__doc__ = function.__doc__
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Run the plain function."""
        return self.plain(*arguments, **named)

    def compiled(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Run the function compiled. The states are NumPy records. Raises ImportError where Numba is missing."""
        self.prepare(*arguments, **named)
        assert self._compiled is not None
        return self._compiled(*arguments, **named)  # type: ignore[no-any-return]

    @property
    def prepared(self) -> Callable[..., Any]:
        """The compiled function, for arguments of types for which it has been prepared: it does not look once more."""
        assert self._compiled is not None
        return self._compiled

    def prepare(self, *arguments: P.args, **named: P.kwargs) -> None:
        """Compile for arguments of these types, or load from the cache, without running."""
        from mekuri.engine import numba_backend

        with _one_by_one:
            self._compiled = numba_backend.prepare(self.plain, self._compiled, arguments)


def entry(function: Callable[P, R]) -> Entry[P, R]:
    """Mark a function that Python may call compiled."""
    return Entry(function)
