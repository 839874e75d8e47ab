"""The driver's turns of a game, made of the words that its phases declare.

`DEAL = 4, Word.DEAL` in the enum of the state's field `phase` says that in this phase nobody chooses: the driver does that word. So
the game's own `waiting` and `legal` are about seats alone, and its `play` is the one place that says what the word does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri.engine.compiled import rule
from mekuri.engine.fields import RoundState, fields
from mekuri.engine.options import Choice

DRIVER = 16  # the seat that deals, turns over, awards and settles; it never has more than one legal action
ENDED = "OVER"  # the name of the phase in which the round is over

Rule = Callable[..., Any]


def driver_words(state: type[RoundState]) -> dict[Choice, int]:
    """The driver's word in each phase that declares one; empty for a game whose phases declare none."""
    names = next((field.names for field in fields(state) if field.name == "phase"), None)
    return {phase: phase.word for phase in names or () if isinstance(phase, Choice) and phase.word}


def with_driver(state: type[RoundState], waiting: Rule, legal: Rule) -> dict[str, Rule]:
    """The rules `waiting` and `legal` of a game with the driver's turns, and its `over`, for a game whose phases declare words.

    Args:
        state: the class of its states.
        waiting: the set of seats that owe an action, in phases in which seats choose.
        legal: what such a seat may do.
    """
    declared = driver_words(state)
    phases = type(next(iter(declared)))
    ended = next((int(phase) for phase in phases if phase.name == ENDED), -1)
    words = tuple(_word(phases, number, declared) for number in range(max(phases) + 1))
    driver = 1 << DRIVER
    asked, may = getattr(waiting, "__wrapped__", waiting), getattr(legal, "__wrapped__", legal)

    def waits(s: RoundState) -> int:
        word = words[s.phase]  # type: ignore[attr-defined]
        if word:
            return driver if word > 0 else 0
        return asked(s)  # type: ignore[no-any-return]

    def allowed(s: RoundState, seat: int) -> int:
        word = words[s.phase]  # type: ignore[attr-defined]
        if word:
            return 1 << word if word > 0 and seat == DRIVER else 0
        return may(s, seat) if asked(s) >> seat & 1 else 0

    def is_over(s: RoundState) -> bool:
        return s.phase == ended  # type: ignore[attr-defined, no-any-return]

    made: dict[str, Any] = {"waiting": waits, "legal": allowed} | ({"over": is_over} if ended >= 0 else {})
    waits.__wrapped__, allowed.__wrapped__ = asked, may  # type: ignore[attr-defined]  # the game's own, which are read for faults
    return {name: rule(function) for name, function in made.items()}


def _word(phases: Any, number: int, declared: dict[Choice, int]) -> int:
    """The driver's word in a phase; 0 where seats choose, and -1 where the round is over."""
    phase = phases._value2member_map_.get(number)
    return -1 if phase is not None and phase.name == ENDED else declared.get(phase, 0)
