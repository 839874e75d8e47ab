"""What the actions of a seat would bring if all cards lay open, exactly: for hindsight and for puzzles.

No bot may ask this about the table at which it plays.
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
from mekuri.bots.workspace import workspace
from mekuri.cards import each
from mekuri.engine.called import act, choices_of
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy
from mekuri.match.round import Round

Others = Literal["against", "own"]
NODES = 1_000_000  # a second of machine code at most
_ROWS, _PLAIN_ROWS = 1 << 20, 1 << 14  # that a table has at most

_WHY = {TOO_MANY: "it takes more positions than may be looked at", TOO_DEEP: "it is too long", SHUFFLED: "cards are shuffled in it"}


@dataclass(frozen=True)
class Solution:
    """What the actions of a seat bring.

    Attributes:
        seat: the seat.
        values: what it wins with each of its actions; where not all could be worked out, with those that were.
        nodes: how many positions were looked at.
        unsolved: why not all actions could be worked out; None where they were.
    """

    seat: int
    values: dict[int, int]
    nodes: int
    unsolved: str | None

    @property
    def solved(self) -> bool:
        """Whether every action has been worked out."""
        return self.unsolved is None

    @property
    def value(self) -> int:
        """What the seat wins if it plays as well as can be. Raises MekuriError where that is not known."""
        return self.values[self.action]

    @property
    def action(self) -> int:
        """The action that brings it, the lowest of equals. Raises MekuriError where that is not known."""
        if self.unsolved is not None:
            raise MekuriError(f"the position is not solved: {self.unsolved}")
        return max(self.values, key=lambda action: (self.values[action], -action))


_ready: set[Contract] = set()


def prepare_solver(contract: Contract) -> None:
    """Have a game solved by machine code from now on: compile it, or load it from the cache on disk; a hundred times as fast.

    Raises ImportError where Numba is missing.
    """
    import numpy as np

    row = np.zeros(1, np.int64)
    search.prepare(workspace(contract, 1, compiled=True), 0, 1, 0, 0, 0, 0, row, row, row, row, row)
    _ready.add(contract)


def solve(
    round: Round, seat: int | None = None, *, others: Others = "against", nodes: int = NODES, luck: list[int] | None = None
) -> Solution:
    """What each action of a seat would bring if everybody saw all cards and played as well as can be.

    With two seats, where what one wins the other loses, this is what the position is worth. Seats that act at the same moment are
    taken to act one after another, this seat first and the others lowest first, and to see what has been done.

    Args:
        round: a round that is not over.
        seat: one of those that it waits for; the first of them if left out.
        others: "against" if all others want the seat to win as little as they can; "own" if each wants to win as much as it can
            itself, and takes the lowest of equal actions.
        nodes: how many positions may be looked at.
        luck: four words of a stream of chance, by which cards are shuffled in all that may come; if left out, a position in which
            that can matter is not solved.

    Raises MekuriError where the seat has nothing to choose.
    """
    who = next(iter(round.waiting), 0) if seat is None else seat
    return solve_state(round._state, who, others=others, nodes=nodes, luck=luck)


def solve_state(
    s: RoundState, seat: int, *, others: Others = "against", nodes: int = NODES, luck: list[int] | None = None
) -> Solution:
    """The same of a whole state: a round's own, or one of the worlds that a seat may be in."""
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
    """The states and rows of one solution, plain or as arrays of machine code."""

    def __init__(self, s: RoundState, seat: int, others: Others, nodes: int, luck: list[int] | None) -> None:
        self._s, self._seat, self._luck = s, seat, luck
        self._width = 1 if others == "against" else s.seats
        self._compiled = s.contract in _ready
        self._states: Any = workspace(s.contract, DEPTH, compiled=self._compiled)
        self._trial = s.contract.state()
        rows = min(_ROWS if self._compiled else _PLAIN_ROWS, 1 << nodes.bit_length())
        self._frames, self._table = self._row(DEPTH * (VALUES + self._width)), self._row(rows * (KNOWN + self._width))
        self._cuts, self._found, self._words = self._row(SIDES * ACTIONS), self._row(BROUGHT + self._width), self._row(4)

    def _row(self, n: int) -> Any:
        if not self._compiled:
            return [0] * n
        import numpy as np

        return np.zeros(n, np.int64)

    def after(self, action: int, nodes: int) -> tuple[int, int, int]:
        """How the search after an action ended, what the seat wins, and how many positions were looked at."""
        copy(self._trial, self._s)
        act(self._trial, self._seat, action)
        if self._compiled:
            from mekuri.engine import numba_backend

            numba_backend.to_record(self._trial, self._states[0])
        else:
            copy(self._states[0], self._trial)
        self._words[:] = self._luck or [0] * 4
        rows = (self._frames, self._table, self._cuts, self._words, self._found)
        # No value lies beyond what the game can bring, so one that reaches that ends the search.
        least, most = self._s.contract.returns_range
        lucky = 0 if self._luck is None else 1
        (search.compiled if self._compiled else search)(self._states, self._seat, self._width, lucky, least, most, nodes, *rows)
        own = 0 if self._width == 1 else self._seat
        return int(self._found[STATUS]), int(self._found[BROUGHT + own]), int(self._found[NODES_SEEN])
