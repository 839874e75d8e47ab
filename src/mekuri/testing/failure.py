"""The exceptions that checks raise, the decorator that marks a check, and the assertions that checks use."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TypeVar
from unittest import SkipTest

from mekuri.engine.contract import Contract
from mekuri.engine.errors import CannotCompile
from mekuri.engine.fields import RoundState
from mekuri.engine.position import position_text

P = ParamSpec("P")
R = TypeVar("R")

_MOST_TOLD = 300  # characters of a wrong value that a message shows


class CheckFailure(AssertionError):
    """A game has failed a check.

    Attributes:
        what: the fault.
        position: the position at which the fault was seen; "" where it is not bound to one.
        how: a Python call of the check with its arguments, which makes the failure again; "" until `check` adds it.
    """

    def __init__(self, what: str, position: str = "", how: str = "") -> None:
        self.what = what
        self.position = position
        self.how = how
        super().__init__(what, position, how)

    def __str__(self) -> str:
        """Return the fault, the position and the call, a line each."""
        at = f"at the position: {self.position}" if self.position else ""
        again = f"again: {self.how}" if self.how else ""
        return "\n".join(filter(None, (self.what, at, again)))


class LeftOut(SkipTest):
    """A check cannot be applied to a game; the message says why. unittest and pytest count the test as skipped."""


def check(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a check: every exception it raises, but LeftOut, becomes a CheckFailure with the call that makes it again."""
    told = inspect.signature(function)

    @wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except LeftOut:
            raise
        except CheckFailure as failure:
            if failure.how:
                raise
            raise CheckFailure(failure.what, failure.position, how(*arguments, **named)) from failure.__cause__
        except Exception as error:
            raise CheckFailure(what_was_raised(error), "", how(*arguments, **named)) from error

    def how(*arguments: P.args, **named: P.kwargs) -> str:
        given = told.bind(*arguments, **named).arguments
        values = ", ".join(f"{name}={_written(value)}" for name, value in given.items())
        return f"{function.__module__}.{function.__name__}({values})"

    return checked


def _written(value: object) -> str:
    """Return a Python expression that makes a value again."""
    return f"mekuri.games.find({value.id!r})" if isinstance(value, Contract) else repr(value)


def what_was_raised(error: Exception) -> str:
    """Return the type and message of an exception, with the file and line where it was raised."""
    if isinstance(error, CannotCompile):
        return str(error)  # which says where it is
    passed = traceback.extract_tb(error.__traceback__)
    at = f" ({passed[-1].filename}, line {passed[-1].lineno})" if passed else ""
    return f"{type(error).__name__}: {error}{at}"


def hold(true: object, what: str, at: RoundState | None = None) -> None:
    """Raise CheckFailure where a value is false.

    Args:
        true: the value.
        what: the fault that the failure names.
        at: the state in which it is seen; its position is added to the failure.
    """
    if not true:
        raise CheckFailure(what, _position(at))


def same(one: object, other: object, what: str, at: RoundState | None = None) -> None:
    """Raise CheckFailure where two values are not equal.

    Args:
        one: the value that was found.
        other: the value that it should be.
        what: the name of the value in the failure.
        at: the state in which it is seen; its position is added to the failure.
    """
    if one != other:
        raise CheckFailure(f"{what}: {_short(one)} is not {_short(other)}", _position(at))


def _short(value: object) -> str:
    told = repr(value)
    return told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}..."


def _position(s: RoundState | None) -> str:
    """Return the position of a state as text; "" where the state is so broken that it has none."""
    with suppress(Exception):
        return position_text(s) if s else ""
    return ""
