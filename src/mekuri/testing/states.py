"""Make states of a round for checks, plain and compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

from mekuri import games
from mekuri.engine import compiled
from mekuri.engine.chance import pick
from mekuri.engine.compiled import count, rule
from mekuri.engine.contract import DRIVER, legal, play
from mekuri.engine.driver import drive
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import RoundState, checked, fields
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.match.game import Game
from mekuri.match.setting import Setting
from mekuri.testing.failure import LeftOut


@cache
def checked_state(name: str) -> type[RoundState]:
    """Return a state class of a game that raises OverflowError where a value leaves its field's range."""
    return checked(games.find(name).state)


def start(game: Setting, dealer: int = 0, state: type[RoundState] | None = None) -> RoundState:
    """Return a plain state at the start of a round, of the given class if there is one."""
    return new_state(game.contract, game.options, game.seats, dealer, state)


def plain_states(game: Game, dealer: int = 0, state: type[RoundState] | None = None) -> list[RoundState]:
    """Return plain states for `playout.play_rounds`, the first at the start of a round, the others empty."""
    kind = state or game.contract.state
    return [start(game, dealer, kind), *(kind() for _ in range(playout.STATES - 1))]


@rule
def step(s: RoundState, seat: int, chance: Any) -> None:
    """Do the driver's next action, or a random legal action of another seat."""
    if seat == DRIVER:
        drive(s, chance)
    else:
        choices = legal(s, seat)
        play(s, seat, pick(choices, count(choices), chance))


def need_machine_code() -> None:
    """Raise LeftOut where rules cannot be compiled, because Numba is not installed."""
    if not compiled.available():
        raise LeftOut(
            "rules run plain alone here: to have them compiled install numba and numpy, and leave NUMBA_DISABLE_JIT unset"
        )


def records(game: Game, n: int = playout.STATES, dealer: int = 0) -> Any:
    """Return an array of n compiled states, the first at the start of a round, the others empty."""
    found = MACHINE_CODE.states(game.contract, n)
    for place in range(n):
        MACHINE_CODE.write(found, place, game.contract.state() if place else start(game, dealer))
    return found


def int64s(*values: int) -> Any:
    """Return numbers as a NumPy array of 64-bit ints, for compiled code."""
    return MACHINE_CODE.words(values)


def as_values(state: RoundState) -> dict[str, Any]:
    """Return every field of a state, by name."""
    return {field.name: getattr(state, field.name) for field in fields(type(state))}
