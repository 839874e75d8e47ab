"""The driver's turns of a game, made of the words that its phases declare.

`DEAL = 4, Word.DEAL` in the enum of the state's field `phase` says that in this phase nobody chooses: the driver does that word. So
the game's own `waiting` and `legal` are about seats alone, and its `play` is the one place that says what the word does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import unwrap
from typing import Any

from mekuri.engine.compiled import bit, has, rule
from mekuri.engine.fields import RoundState, fields
from mekuri.engine.options import Choice

DRIVER = 16  # the seat that deals, turns over, awards and settles; it never has more than one legal action
ENDED = "OVER"  # the name of the phase in which the round is over

Rule = Callable[..., Any]


def driver_words(state: type[RoundState]) -> dict[Choice, int]:
    """The driver's word in each phase that declares one; empty for a game whose phases declare none."""
    names = next((field.names for field in fields(state) if field.name == "phase"), None)
    return {phase: phase.word for phase in names or () if isinstance(phase, Choice) and phase.word}


def with_driver(state: type[RoundState], waiting: Rule, legal: Rule) -> tuple[Rule, Rule]:
    """The rules `waiting` and `legal` with the driver's turns added, for a game whose phases declare words.

    Args:
        state: the class of its states.
        waiting: the set of seats that owe an action, in phases in which seats choose.
        legal: what such a seat may do.
    """
    declared = driver_words(state)
    phases = {int(phase): phase for phase in type(next(iter(declared)))}
    words = tuple(_word(phases.get(number), declared) for number in range(max(phases) + 1))
    return _driven(words, unwrap(waiting), unwrap(legal))


def _word(phase: Choice | None, declared: Mapping[Choice, int]) -> int:
    """The driver's word in a phase; 0 where seats choose, and -1 where the round is over."""
    if phase is None:
        return 0
    return -1 if phase.name == ENDED else declared.get(phase, 0)


def _phases(words: tuple[int, ...], chosen: Callable[[int], bool]) -> int:
    return sum(bit(phase) for phase, word in enumerate(words) if chosen(word))


@cache
def _driven(words: tuple[int, ...], asked: Rule, may: Rule) -> tuple[Rule, Rule]:
    # Sets of phases: a set takes machine code fewer steps than the row of words.
    driver, driven, seats = 1 << DRIVER, _phases(words, lambda word: word > 0), _phases(words, lambda word: word == 0)

    @rule
    def waits(s: Any) -> int:
        if has(seats, s.phase):
            return asked(s)  # type: ignore[no-any-return]
        return driver if has(driven, s.phase) else 0

    @rule
    def allowed(s: Any, seat: int) -> int:
        # The driver first: its turns are then machine code without the rules for seats.
        if seat == DRIVER:
            return bit(words[s.phase]) if has(driven, s.phase) else 0
        return may(s, seat) if has(seats, s.phase) and has(asked(s), seat) else 0

    # Their names stay their own: machine code knows functions by name, and the game's are inside them.
    waits.__wrapped__, allowed.__wrapped__ = asked, may  # type: ignore[attr-defined]
    return waits, allowed


def ends_in(state: type[RoundState]) -> Rule | None:
    """The rule `over` of a game that has a phase for it; None for any other game."""
    names = next((field.names for field in fields(state) if field.name == "phase"), None)
    ended = next((int(phase) for phase in names or () if phase.name == ENDED), None)
    return None if ended is None else _in_phase(ended)


@cache
def _in_phase(ended: int) -> Rule:
    @rule
    def over(s: Any) -> bool:
        return s.phase == ended  # type: ignore[no-any-return]

    return over
