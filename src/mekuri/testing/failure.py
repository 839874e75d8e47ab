"""What a check says of a game that does not do what every game must, or of which it can say nothing."""

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

_MOST_TOLD = 300  # characters of a value that is not what it should be


class CheckFailure(AssertionError):
    """A game does not do what every game must.

    Attributes:
        what: what is wrong.
        position: the position at which it is seen, where it is seen at one.
        how: the check and what it was given, as Python: it makes the failure again.
    """

    def __init__(self, what: str, position: str = "", how: str = "") -> None:
        self.what = what
        self.position = position
        self.how = how
        super().__init__(what, position, how)

    def __str__(self) -> str:
        """All of it, in lines."""
        at = f"at the position: {self.position}" if self.position else ""
        again = f"again: {self.how}" if self.how else ""
        return "\n".join(filter(None, (self.what, at, again)))


class LeftOut(SkipTest):
    """A check that can say nothing of a game, and why. In a test it is a test left out."""


def check(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a check: whatever it raises becomes a CheckFailure that says how to make it again."""
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
    """A value as Python makes it again."""
    return f"mekuri.games.find({value.id!r})" if isinstance(value, Contract) else repr(value)


def what_was_raised(error: Exception) -> str:
    """What was raised, and in which line of which file."""
    if isinstance(error, CannotCompile):
        return str(error)  # which says where it is
    passed = traceback.extract_tb(error.__traceback__)
    at = f" ({passed[-1].filename}, line {passed[-1].lineno})" if passed else ""
    return f"{type(error).__name__}: {error}{at}"


def hold(true: object, what: str, at: RoundState | None = None) -> None:
    """Raises CheckFailure where something is not true. `at` is the state in which it is not."""
    if not true:
        raise CheckFailure(what, _position(at))


def same(one: object, other: object, what: str, at: RoundState | None = None) -> None:
    """Raises CheckFailure where two things that must be equal are not."""
    if one != other:
        raise CheckFailure(f"{what}: {_short(one)} is not {_short(other)}", _position(at))


def _short(value: object) -> str:
    told = repr(value)
    return told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}..."


def _position(s: RoundState | None) -> str:
    """The position of a state; nothing where it is so broken that it cannot be written."""
    with suppress(Exception):
        return position_text(s) if s else ""
    return ""
