"""Decorators that register functions of the rules for compilation, and primitives for sets of cards.

`rule` marks a function of the rules: called from Python it is the plain function, called from compiled code it is compiled.
`generic` makes a function that finds the game by the type of its state, in both executions. `numba_backend` compiles the registered
functions once an `entry` is asked for machine code.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

rules: list[Callable[..., Any]] = []
shared: set[Callable[..., Any]] = set()
generics: list[Callable[..., Any]] = []
contracts: list[Any] = []  # every game's contract, added when it is made


def rule(function: F) -> F:
    """Mark a function of the rules. It takes ints, states and lists of ints, allocates nothing and draws no chance of its own.

    Machine code inlines it wherever it is called.
    """
    rules.append(function)
    return function


def shared_rule(function: F) -> F:
    """Mark a long function of the rules that is called in many places: machine code has it once and calls it, without inlining."""
    shared.add(function)
    return rule(function)


def generic(stub: F) -> F:
    """Make a generic function of `stub`, a signature without a body.

    Its first argument is a state. It calls the function of the same name in the contract of that state's game.
    """
    name = stub.__name__

    def plain(state: Any, *arguments: Any) -> Any:
        return getattr(state.contract.rules, name)(state, *arguments)

    plain.__name__, plain.__qualname__, plain.__doc__, plain.__module__ = name, name, stub.__doc__, stub.__module__
    generics.append(plain)
    return plain  # type: ignore[return-value]


def available() -> bool:
    """Whether rules can be compiled here: Numba is installed, and `NUMBA_DISABLE_JIT` does not turn it off."""
    return importlib.util.find_spec("numba") is not None and not _turned_off()


def _turned_off() -> bool:
    """Whether the environment forbids Numba to compile. Numba reads the same variable as a number, once, when it is imported."""
    numba = sys.modules.get("numba")
    if numba and (config := getattr(numba, "config", None)):
        return bool(config.DISABLE_JIT)
    try:
        return int(os.environ.get("NUMBA_DISABLE_JIT", "0")) != 0
    except ValueError:
        return False


# Three primitives that Numba lacks, and one that machine words do by themselves. Everything else about sets of cards is
# ordinary signed 64-bit arithmetic. Their compiled forms are in `numba_words`.


def count(cards: int) -> int:
    """The number of cards in a set."""
    return cards.bit_count()


def first(cards: int) -> int:
    """The lowest card of a set, which must not be empty."""
    return (cards & -cards).bit_length() - 1


def nth(cards: int, n: int) -> int:
    """The nth lowest card of a set, counted from 0; the set holds more than n cards."""
    for _ in range(n):
        cards &= cards - 1
    return first(cards)


def wrap(value: int) -> int:
    """A whole number reduced to a signed 64-bit word, as machine code wraps every number."""
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


# The set operations that rules use most. A set holds cards, seats or actions.


@rule
def bit(one: int) -> int:
    """The set that holds `one` alone."""
    return 1 << one


@rule
def has(some: int, one: int) -> int:
    """1 if the set `some` holds `one`, else 0."""
    return some >> one & 1
