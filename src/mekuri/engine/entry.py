"""Entries: functions that Python calls compiled. Each is a whole loop and no single move, as the call itself is what costs time.

Numba is imported when an entry is first asked for its compiled form, and never before: importing Mekuri is instant, and
where Numba is missing everything still runs plain.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from mekuri.engine.compiled import available

P = ParamSpec("P")
R = TypeVar("R")

_one_by_one = Lock()  # held while a thread compiles, as registering rules and adding compiled code to an entry are not thread-safe


class Entry(Generic[P, R]):
    """A function that runs plain when called, and compiled when called as `entry.compiled(...)`.

    Attributes:
        plain: the Python function.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.plain = function
        self.__doc__ = function.__doc__
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Run the plain function."""
        return self.plain(*arguments, **named)

    def compiled(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Run the function compiled, and compile it first where needed. States are given as NumPy records.

        Raises:
            ImportError: if Numba is not installed, or is turned off by `NUMBA_DISABLE_JIT`.
            CannotCompile: if Numba refuses a rule.
        """
        self.prepare(*arguments, **named)
        assert self._compiled is not None
        return self._compiled(*arguments, **named)  # type: ignore[no-any-return]

    @property
    def prepared(self) -> Callable[..., Any]:
        """The compiled function. It may be called only with arguments of types for which it has been prepared."""
        assert self._compiled is not None
        return self._compiled

    def prepare(self, *arguments: P.args, **named: P.kwargs) -> None:
        """Compile for arguments of these types, or load from the cache, without running.

        Raises:
            ImportError: if Numba is not installed, or is turned off by `NUMBA_DISABLE_JIT`.
            CannotCompile: if Numba refuses a rule.
        """
        if not available():
            raise ImportError("rules cannot be compiled here: Numba is not installed, or NUMBA_DISABLE_JIT turns it off")

        from mekuri.engine import numba_backend

        with _one_by_one:
            self._compiled = numba_backend.prepare(self.plain, self._compiled, arguments)


def entry(function: Callable[P, R]) -> Entry[P, R]:
    """Make an `Entry` of a function, as a decorator."""
    return Entry(function)
