"""Find the exact Nash equilibrium of a round in which two seats choose without knowing the other's choice.

`choices` turns a game into a matrix game: it plays every pure strategy (here *way*) of both seats by the rules and notes what each
seat wins. `equilibrium` finds mixed strategies from which neither seat gains by deviating, by the algorithm of Lemke and Howson
(1964) with ties broken lexicographically. All numbers are fractions: nothing is rounded. The payoffs need not sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mekuri.cards import each
from mekuri.cards.given import Whole
from mekuri.engine.contract import DRIVER, legal, over, returns, undoing, waiting
from mekuri.engine.driver import drive, hidden_state
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState
from mekuri.engine.setup import new_state
from mekuri.match.game import Game
from mekuri.match.worlds import after_action

Way = tuple[int, ...]  # a pure strategy: a seat's actions in a round, in order
Matrix = Sequence[Sequence[int | Fraction]]
Mixture = tuple[Fraction, ...]


@dataclass(frozen=True)
class Choices:
    """A round as a matrix game: a row for each way of the seat that chooses first, a column for each way of the other seat.

    Attributes:
        seats: the seat of the rows and the seat of the columns.
        rows: the ways of the first; of ways that lead to the same state only one is kept.
        columns: the ways of the second, likewise.
        row_wins: the return of the seat of the rows, by row and column.
        column_wins: the return of the seat of the columns, by row and column.
        accounts: the sum that goes to accounts that no seat owns, by row and column.
    """

    seats: tuple[int, int]
    rows: tuple[Way, ...]
    columns: tuple[Way, ...]
    row_wins: tuple[tuple[int, ...], ...]
    column_wins: tuple[tuple[int, ...], ...]
    accounts: tuple[tuple[int, ...], ...]


def choices(game: Game, dealer: Whole = 0) -> Choices:
    """Play every way of both seats in a round of a game for two.

    Args:
        game: the game and its options.
        dealer: the seat that deals.

    Raises:
        MekuriError: the game is not for two seats of which one chooses first, the second seat learns something of the first one's
            choice, or the round depends on chance.
    """
    start = new_state(game.contract, game.options, game.seats, dealer)
    if game.seats != 2 or waiting(start) not in (1, 2):
        raise MekuriError(f"{game.id}: two seats are needed, of which one chooses first")
    first = waiting(start) >> 1
    second = 1 - first
    rows = dict(_ways(start, first))
    seen = [hidden_state(s, second) for s in rows.values()]
    if any(waiting(s) != 1 << second for s in rows.values()) or any(h != seen[0] for h in seen):
        raise MekuriError(f"{game.id}: the seat that chooses second learns something of the other's choice")
    columns = [way for way, _ in _ways(next(iter(rows.values())), second)]
    ends = [[_end(s, second, way) for way in columns] for s in rows.values()]
    row_wins, column_wins = (tuple(tuple(returns(end, seat) for end in row) for row in ends) for seat in (first, second))
    accounts = tuple(tuple(sum(game.contract.match.accounts(end).values()) for end in row) for row in ends)
    return Choices((first, second), tuple(rows), tuple(columns), row_wins, column_wins, accounts)


def _ways(start: RoundState, seat: int) -> Iterator[tuple[Way, RoundState]]:
    """Yield every way of a seat, for as long as it is to act, with the state that it leads to; each state once.

    Actions that only take back what the seat has done are left out.
    """
    found: list[RoundState] = []
    open_ways: list[tuple[Way, RoundState]] = [((), start)]
    for way, s in open_ways:  # which grows
        if waiting(s) >> seat & 1 == 0:
            yield way, s
            continue
        for action in each(legal(s, seat) & ~undoing(s, seat)):
            after = after_action(s, seat, action)
            if after not in found:
                found.append(after)
                open_ways.append(((*way, action), after))


def _end(s: RoundState, seat: int, way: Way) -> RoundState:
    """Return the state at the end of the round after a seat has done the actions of a way."""
    for action in way:
        s = after_action(s, seat, action)
    while not over(s):
        if waiting(s) != 1 << DRIVER or s.gathered:
            raise MekuriError(f"{s.contract.id}: the round is not over when both seats have chosen")
        drive(s, [])
    return s


# --- Matrix games ---


def value(wins: Matrix, rows: Mixture, columns: Mixture) -> Fraction:
    """Return a seat's expected return.

    Args:
        wins: its return by row and column.
        rows: the mixture of the rows.
        columns: the mixture of the columns.
    """
    return sum((p * q * win for p, row in zip(rows, wins, strict=True) for q, win in zip(columns, row, strict=True)), Fraction())


def gains(row_wins: Matrix, column_wins: Matrix, rows: Mixture, columns: Mixture) -> tuple[Fraction, Fraction]:
    """Return how much more each seat would win with its best way than with its mixture: (0, 0) at an equilibrium.

    Args:
        row_wins: the return of the seat of the rows, by row and column.
        column_wins: the return of the seat of the columns, by row and column.
        rows: the mixture of the rows.
        columns: the mixture of the columns.
    """
    best_row = max(_average(row, columns) for row in row_wins)
    best_column = max(_average(column, rows) for column in zip(*column_wins, strict=True))
    return best_row - value(row_wins, rows, columns), best_column - value(column_wins, rows, columns)


def _average(wins: Sequence[int | Fraction], mixture: Mixture) -> Fraction:
    return sum((win * share for win, share in zip(wins, mixture, strict=True)), Fraction())


def equilibrium(row_wins: Matrix, column_wins: Matrix) -> tuple[Mixture, Mixture]:
    """Return a Nash equilibrium, as a mixture of the rows and one of the columns. There may be others.

    Every way has a label, rows before columns. A seat's tableau has a line for each way of the other seat, and a column for each
    label: a way that the seat uses, or the slack of a way that is worse for the other. From the start, at which no way is used, a
    path of pivots leads to a point at which each label is either used or has slack, but never both.

    Args:
        row_wins: the return of the seat of the rows, by row and column.
        column_wins: the return of the seat of the columns, by row and column.
    """
    m, n = len(row_wins), len(row_wins[0])
    # The rows' shares must make every column at most as good as 1; the columns' shares every row.
    of_rows = _Tableau(_positive(list(zip(*column_wins, strict=True))), list(range(m)), list(range(m, m + n)))
    of_columns = _Tableau(_positive(row_wins), list(range(m, m + n)), list(range(m)))
    label, tableau, other = 0, of_rows, of_columns
    while True:
        label = tableau.pivot(label)
        if label == 0:
            return of_rows.shares(range(m)), of_columns.shares(range(m, m + n))
        tableau, other = other, tableau


def _positive(wins: Matrix) -> list[list[Fraction]]:
    """Return a matrix with the same number added to every entry, so that all are above 0. The equilibria stay the same."""
    least = min(min(row) for row in wins)
    return [[Fraction(win - least + 1) for win in row] for row in wins]


class _Tableau:
    """Linear inequalities `wins @ shares <= 1` with their slacks, as equations solved for the labels in `basis`."""

    def __init__(self, wins: list[list[Fraction]], ways: list[int], slacks: list[int]) -> None:
        self.basis = list(slacks)
        size = len(ways) + len(slacks)
        self.lines = []
        for slack, row in zip(slacks, wins, strict=True):
            line = [Fraction()] * size
            for way, win in zip(ways, row, strict=True):
                line[way] = win
            line[slack] = Fraction(1)
            self.lines.append([*line, Fraction(1)])
        # Ties are broken by the columns of the slacks: no two lines agree in all of them.
        self.order = [size, *slacks]

    def pivot(self, label: int) -> int:
        """Bring a label into the basis, and return the label that leaves it."""
        at = min(
            (i for i, line in enumerate(self.lines) if line[label] > 0),
            key=lambda i: [self.lines[i][column] / self.lines[i][label] for column in self.order],
        )
        entering = self.lines[at]
        entering[:] = [number / entering[label] for number in list(entering)]
        for line in self.lines:
            if line is not entering and line[label]:
                share = line[label]
                line[:] = [number - share * by for number, by in zip(line, entering, strict=True)]
        left, self.basis[at] = self.basis[at], label
        return left

    def shares(self, labels: range) -> Mixture:
        """Return the shares of these labels, scaled so that their sum is 1."""
        used = {label: line[-1] for label, line in zip(self.basis, self.lines, strict=True)}
        return tuple(used.get(label, Fraction()) / sum(used.get(label, Fraction()) for label in labels) for label in labels)
