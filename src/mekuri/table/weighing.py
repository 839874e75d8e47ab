"""Analysis of decisions: a person's present one where they play with bots alone, and every one of a finished round."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.bots import Budget, Seen, analyse
from mekuri.bots.analysis import prepared
from mekuri.engine.contract import Contract, legal
from mekuri.match.round import Round
from mekuri.protocol import analysis as wire
from mekuri.table.coming import need_seat, own_seat
from mekuri.table.errors import ProblemError
from mekuri.table.history import Again
from mekuri.table.showing import replay_of
from mekuri.table.table import Table

BUDGET = Budget(1000, 1000)


@dataclass(frozen=True)
class Weighing:
    """A decision to be analysed. It holds all that its seat has seen, so a thread may work on it without the table.

    Attributes:
        contract: the game's contract.
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that decides.
        version: the seat's version at the decision.
    """

    contract: Contract
    table: str
    round: int
    seat: int
    version: int
    _from: Seen | Again

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key of the analysis. It changes once the rules are compiled: before, the time limit cuts the analysis short."""
        return "weighed", self.round, self.seat, self.version, prepared(self.contract)

    def seen(self) -> Seen:
        """Return all that the seat had seen of the round. Raises ProblemError where it had no decision."""
        seen = self._from.seen(self.version) if isinstance(self._from, Again) else self._from
        if seen is None or not legal(seen.hidden, self.seat):
            raise ProblemError("nothing-to-weigh")
        return seen

    def weigh(self) -> wire.Analysis:
        """Return the expected value of each action. It is the same for every caller. Raises ProblemError where nothing is asked."""
        return wire.analysis(analyse(self.seen(), BUDGET), self.table, self.round, self.version)


def present(table: Table, person: str | None) -> Weighing:
    """Return a person's present decision, to be analysed.

    Raises:
        ProblemError: the person has no seat or no decision, no match is being played, it is a deal of the day, or other people
            play here, who would not have the analysis.
    """
    seat, round = alone(table, person)
    if not round.legal_for(seat):
        raise ProblemError("nothing-to-weigh")
    return Weighing(table.game.contract, table.id, table.rounds, seat, table.version(seat), Seen(round.hidden(seat), seat))


def alone(table: Table, person: str | None) -> tuple[int, Round]:
    """Return the seat of a person who plays with bots alone, and the round being played.

    Raises:
        ProblemError: the person has no seat, other people play here, it is a deal of the day, or no match is being played.
    """
    seat, round = own_seat(table, person), table.running
    if not table.lone:
        raise ProblemError("others-play")
    if table.day:
        raise ProblemError("daily-alone")
    return seat, round


def past(table: Table, number: int, seat: int, version: int) -> Weighing:
    """Return a seat's decision in a finished round, to be analysed.

    Args:
        table: the table.
        number: the round's number, from 1.
        seat: the seat.
        version: the seat's version at the decision.

    Raises:
        ProblemError: there is no such seat or finished round, or the version is not one of that round.
    """
    need_seat(table, seat)
    again = replay_of(table, seat, number)
    if not again.after < version <= again.until:
        raise ProblemError("nothing-to-weigh")
    return Weighing(table.game.contract, table.id, number, seat, version, again)
