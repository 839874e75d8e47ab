"""Decisions that may be weighed for whoever asks: one's own where nobody else is a person, and all of a round that is over."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.bots import Budget, Seen, analyse
from mekuri.bots.analysis import prepared
from mekuri.engine.contract import Contract, legal
from mekuri.protocol import analysis as wire
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.history import Again
from mekuri.table.table import Table

BUDGET = Budget(1000, 1000)


@dataclass(frozen=True)
class Weighing:
    """A decision to be weighed. It is made of what its seat has seen, so it may be done beside the table.

    Attributes:
        contract: of the game.
        table: the table's id.
        round: the round's number, from 1.
        seat: whose decision it is.
        version: of the seat's view.
    """

    contract: Contract
    table: str
    round: int
    seat: int
    version: int
    _from: Seen | Again

    @property
    def key(self) -> tuple[object, ...]:
        """What its answer is kept under. Before there is machine code time cuts it short, so it is made once more after that."""
        return "weighed", self.round, self.seat, self.version, prepared(self.contract)

    def seen(self) -> Seen:
        """What the seat had seen. Raises ProblemError where it had nothing to choose."""
        seen = self._from.seen(self.version) if isinstance(self._from, Again) else self._from
        if seen is None or not legal(seen.hidden, self.seat):
            raise ProblemError("nothing-to-weigh")
        return seen

    def weigh(self) -> wire.Analysis:
        """What the decision's actions are worth: the same, whoever asks. Raises ProblemError where there is no decision."""
        return wire.analysis(analyse(self.seen(), BUDGET), self.table, self.round, self.version)


def present(table: Table, person: str | None) -> Weighing:
    """What somebody owes just now.

    Raises ProblemError where it may not be weighed: others at the table would have to do without.
    """
    seat = seat_of(table, person)
    if seat is None:
        raise ProblemError("not-seated")
    round = table.running
    if not table.lone:
        raise ProblemError("others-play")
    if table.day:
        raise ProblemError("daily-alone")
    if not round.legal_for(seat):
        raise ProblemError("nothing-to-weigh")
    return Weighing(table.game.contract, table.id, table.rounds, seat, table.version(seat), Seen(round.hidden(seat), seat))


def past(table: Table, number: int, seat: int, version: int) -> Weighing:
    """What a seat owed in a round that is over, at a version of its view. Raises ProblemError where there is no such round yet."""
    if seat >= len(table.seats):
        raise ProblemError("no-seat", last=len(table.seats) - 1)
    again = table.replay(seat, number)
    if not again.after < version <= again.until:
        raise ProblemError("nothing-to-weigh")
    return Weighing(table.game.contract, table.id, number, seat, version, again)
