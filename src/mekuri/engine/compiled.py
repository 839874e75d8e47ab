"""What may be compiled, noted as it is declared.

`rule` marks a function of the rules: called from Python it is the plain function, called from compiled code it is compiled.
`generic` makes a function that finds the game by the type of its state, in both executions. `machine` compiles what is noted here,
once an `entry` is asked for machine code.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

rules: list[Callable[..., Any]] = []
shared: set[Callable[..., Any]] = set()
generics: list[Callable[..., Any]] = []
contracts: list[Any] = []  # of games, each as it is made


def rule(function: F) -> F:
    """Mark a function of the rules. It takes ints, states and lists of ints, allocates nothing and draws no chance of its own.

    Machine code has no calls of rules: each stands where it is called, as if written there.
    """
    rules.append(function)
    return function


def shared_rule(function: F) -> F:
    """Mark a long function of the rules that is called in many places: machine code has it once and calls it."""
    shared.add(function)
    return rule(function)


def generic(stub: F) -> F:
    """Make `stub`, a signature with no body, run the function of that name of the game whose state is its first argument."""
    name = stub.__name__

    def plain(state: Any, *arguments: Any) -> Any:
        return getattr(state.contract, name)(state, *arguments)

    plain.__name__, plain.__qualname__, plain.__doc__, plain.__module__ = name, name, stub.__doc__, stub.__module__
    generics.append(plain)
    return plain  # type: ignore[return-value]


def available() -> bool:
    """Whether rules can be compiled here."""
    return importlib.util.find_spec("numba") is not None


# Three primitives that Numba lacks, and one that machine words do by themselves. Everything else about sets of cards is
# ordinary signed 64-bit arithmetic. Their compiled forms are in `machine`.


def count(cards: int) -> int:
    """How many cards a set holds."""
    return cards.bit_count()


def first(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def nth(cards: int, n: int) -> int:
    """The card of a set that has n lower ones in it."""
    for _ in range(n):
        cards &= cards - 1
    return first(cards)


def wrap(value: int) -> int:
    """A whole number as a signed 64-bit word keeps it: what machine code does anyway."""
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


# What rules say of sets most often. A set holds cards, seats or actions.


@rule
def bit(one: int) -> int:
    """The set of one."""
    return 1 << one


@rule
def has(some: int, one: int) -> int:
    """Whether a set holds one: 1 or 0."""
    return some >> one & 1
