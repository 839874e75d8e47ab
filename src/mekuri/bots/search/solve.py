"""The solver: the exact values of a seat's actions if all cards lie open, for reviews and puzzles.

No bot may use this for the table at which it plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mekuri.bots.search.exact import (
    ACTIONS,
    BROUGHT,
    DEPTH,
    KNOWN,
    SHUFFLED,
    SIDES,
    SOLVED,
    STATUS,
    TOO_DEEP,
    TOO_MANY,
    VALUES,
    search,
)
from mekuri.bots.search.exact import NODES as NODES_SEEN
from mekuri.cards import each
from mekuri.engine.called import act, choices_of
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor
from mekuri.engine.fields import RoundState, copy
from mekuri.match.round import Round

Others = Literal["against", "own"]
NODES = 1_000_000  # positions: at most a second of machine code
_ROWS, _PLAIN_ROWS = 1 << 20, 1 << 14  # the most rows of a table, compiled and plain

_WHY = {TOO_MANY: "it takes more positions than may be looked at", TOO_DEEP: "it is too long", SHUFFLED: "cards are shuffled in it"}


@dataclass(frozen=True)
class Solution:
    """The exact values of a seat's actions.

    Attributes:
        seat: the seat.
        values: the seat's return for each action that was solved, by action.
        nodes: how many positions were looked at.
        unsolved: the reason why not all actions could be solved; None where they were.
    """

    seat: int
    values: dict[int, int]
    nodes: int
    unsolved: str | None

    @property
    def solved(self) -> bool:
        """Whether every action has been solved."""
        return self.unsolved is None

    @property
    def value(self) -> int:
        """The seat's return with its best action. Raises MekuriError where not every action has been solved."""
        return self.values[self.action]

    @property
    def action(self) -> int:
        """The best action, the lowest of equal ones. Raises MekuriError where not every action has been solved."""
        if self.unsolved is not None:
            raise MekuriError(f"the position is not solved: {self.unsolved}")
        return max(self.values, key=lambda action: (self.values[action], -action))


_ready: dict[Contract, Executor] = {}


def prepare_solver(contract: Contract, run: Executor = MACHINE_CODE) -> None:
    """Compile the solver for a game, or load it from the cache on disk; from then on it is a hundred times as fast.

    Args:
        contract: the game's contract.
        run: the executor that runs the solver from now on.

    Raises:
        ImportError: NumPy or Numba is not installed, or an instance of WebAssembly does not have the solver.
    """
    run.prepare(*example(contract, run))
    use(contract, run)


def use(contract: Contract, run: Executor) -> None:
    """Have an executor that is prepared run the solver for a game from now on."""
    _ready[contract] = run


def example(contract: Contract, run: Executor) -> tuple[Any, ...]:
    """Return the entry of the solver, and arguments of the types that it has for a game."""
    row = run.zeros(1)
    return search, run.states(contract, 1), 0, 1, 0, 0, 0, 0, row, row, row, row, row


def solve(
    round: Round, seat: int | None = None, *, others: Others = "against", nodes: int = NODES, luck: list[int] | None = None
) -> Solution:
    """Solve a position: find what each action of a seat brings if all seats see all cards and play perfectly.

    In a zero-sum game for two this is the value of the position. Seats that act at the same time are taken to act one after
    another, this seat first and then the others in ascending order, and to see the actions before theirs.

    Args:
        round: a round that is not over.
        seat: a seat that is to act; the first waiting seat if left out.
        others: "against" if all other sides minimize the seat's return (alpha-beta); "own" if each maximizes its own (max-n), and
            takes the lowest of equal actions.
        nodes: how many positions may be looked at.
        luck: four words, from which later shuffles come; if left out, a position that needs a shuffle is not solved.

    Raises:
        MekuriError: the seat is not to act.
    """
    who = next(iter(round.waiting), 0) if seat is None else seat
    return solve_state(round._state, who, others=others, nodes=nodes, luck=luck)


def solve_state(
    s: RoundState, seat: int, *, others: Others = "against", nodes: int = NODES, luck: list[int] | None = None
) -> Solution:
    """Solve a whole state, such as a world that a seat may be in, as `solve` does a round's.

    Args:
        s: the state; it stays unchanged.
        seat: a seat that is to act.
        others: as in `solve`.
        nodes: how many positions may be looked at.
        luck: as in `solve`.

    Raises:
        MekuriError: the seat is not to act.
    """
    choices = choices_of(s, seat)
    if not choices:
        raise MekuriError(f"seat {seat} is not waited for: it has nothing to choose")
    work = _Work(s, seat, others, nodes, luck)
    values: dict[int, int] = {}
    looked = 0
    for action in each(choices):
        status, value, took = work.after(action, nodes - looked)
        looked += took
        if status != SOLVED:
            return Solution(seat, values, looked, _WHY[status])
        values[action] = value
    return Solution(seat, values, looked, None)


class _Work:
    """The states and rows of one solution, as its executor has them."""

    def __init__(self, s: RoundState, seat: int, others: Others, nodes: int, luck: list[int] | None) -> None:
        self._s, self._seat, self._luck = s, seat, luck
        self._width = 1 if others == "against" else s.seats
        self._run = _ready.get(s.contract, PLAIN)
        self._states = self._run.states(s.contract, DEPTH)
        self._trial = s.contract.state()
        rows = min(_PLAIN_ROWS if self._run is PLAIN else _ROWS, 1 << nodes.bit_length())
        sizes = DEPTH * (VALUES + self._width), rows * (KNOWN + self._width), SIDES * ACTIONS, 4, BROUGHT + self._width
        self._rows = [self._run.zeros(size) for size in sizes]  # frames, table, cuts, luck and what is found

    def after(self, action: int, nodes: int) -> tuple[int, int, int]:
        """Search the position after an action. Returns the status of `exact`, the seat's return, and the positions looked at."""
        copy(self._trial, self._s)
        act(self._trial, self._seat, action)
        self._run.write(self._states, 0, self._trial)
        *_, luck, found = self._rows
        luck[:] = self._luck or [0] * 4
        # The window is the range of returns, so that a search ends as soon as it has reached an end of that range.
        least, most = self._s.contract.returns_range
        lucky = 0 if self._luck is None else 1
        self._run.call(search, self._states, self._seat, self._width, lucky, least, most, nodes, *self._rows)
        own = 0 if self._width == 1 else self._seat
        return int(found[STATUS]), int(found[BROUGHT + own]), int(found[NODES_SEEN])
