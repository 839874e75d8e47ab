"""The exceptions that checks raise, the decorator that marks a check, and the assertions that checks use."""

from __future__ import annotations

import dataclasses
import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from unittest import SkipTest

from mekuri import games
from mekuri.cards import card_text, cards_text
from mekuri.engine.contract import Contract
from mekuri.engine.errors import CannotCompile, MekuriError
from mekuri.engine.fields import RoundState, fields
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
    signature = inspect.signature(function)

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
            given = [*arguments, *named.values()]
            raise CheckFailure(what_was_raised(error, _contract_of(given)), "", how(*arguments, **named)) from error

    def how(*arguments: P.args, **named: P.kwargs) -> str:
        given = signature.bind(*arguments, **named).arguments
        values = ", ".join(f"{name}={_written(value)}" for name, value in given.items())
        return f"{function.__module__}.{function.__name__}({values})"

    return checked


def _written(value: object) -> str:
    """Return a Python expression that makes a value again."""
    return f"mekuri.games.find({value.id!r})" if isinstance(value, Contract) else repr(value)


def _contract_of(given: Iterable[object]) -> Contract | None:
    """Return the contract of the game that is among a check's arguments, as a game, a contract or a name."""
    for value in given:
        found = getattr(value, "contract", value)
        if isinstance(found, str):
            with suppress(MekuriError):
                found = games.find(found)
        if isinstance(found, Contract):
            return found
    return None


def what_was_raised(error: Exception, contract: Contract | None = None) -> str:
    """Return the type and message of an exception, with the file and line where it was raised.

    Args:
        error: the exception.
        contract: a game's contract. The place is then the deepest one in the game's own files, if the exception passed there.
    """
    if isinstance(error, CannotCompile):
        return str(error)  # which says where it is
    passed = [*traceback.walk_tb(error.__traceback__)]
    own = games.own_frames(error, contract.state.__module__) if contract else []
    if not passed:
        return f"{type(error).__name__}: {error}"
    frame, line = (own or passed)[-1]
    return f"{type(error).__name__}: {error} ({frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name})"


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
        raise CheckFailure(f"{what}: {difference(one, other, at)}", _position(at))


def difference(one: object, other: object, at: RoundState | None = None) -> str:
    """Return where two unequal values differ first, and what each of them has there.

    Args:
        one: the value that was found.
        other: the value that it should be.
        at: a state of the game; the values of fields that hold cards are then written as cards.
    """
    place = field = ""
    while (step := _first_difference(one, other)) is not None:
        name, one, other = step
        place += name
        field = name.lstrip(".") if not field or name.startswith(".") else field
    kinds = {known.name: known.kind for known in fields(type(at))} if at else {}
    apart = " is not ".join(_around(one, other, kinds.get(field, "")))
    return f"{place.lstrip('.')}: {apart}" if place else apart


def _first_difference(one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """Return the first part in which two values differ, with its name; None where they have no parts, or other parts."""
    parts, others = _parts(one), _parts(other)
    if parts.keys() == others.keys():
        return next(((name, part, others[name]) for name, part in parts.items() if part != others[name]), None)
    if isinstance(one, list | tuple) and type(one) is type(other):
        return next(((name, part, others[name]) for name, part in parts.items() if name in others and part != others[name]), None)
    return None


def _parts(value: Any) -> dict[str, Any]:
    """Return the parts of a value by name: fields, keys, or places in a row."""
    if dataclasses.is_dataclass(value):
        return {f".{field.name}": getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {f".{name}": part for name, part in value.items()}
    return {f"[{i}]": part for i, part in enumerate(value)} if isinstance(value, list | tuple) else {}


def _around(one: object, other: object, kind: str) -> tuple[str, str]:
    """Return two values as short texts: of long ones the part around their first difference."""
    if kind in ("cards", "card") and isinstance(one, int) and isinstance(other, int):
        spelt = cards_text if kind == "cards" else lambda card: card_text(card) if card >= 0 else "-"
        return spelt(one) or "-", spelt(other) or "-"
    texts = repr(one), repr(other)
    if max(map(len, texts)) <= _MOST_TOLD:
        return texts
    same = next((i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    start = max(0, same - _MOST_TOLD // 3)
    return _part(texts[0], start), _part(texts[1], start)


def _part(text: str, start: int) -> str:
    end = start + _MOST_TOLD
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"


def _position(s: RoundState | None) -> str:
    """Return the position of a state as text; "" where the state is so broken that it has none."""
    with suppress(Exception):
        return position_text(s) if s else ""
    return ""
