"""Analysis of decisions: a person's present one where they play with bots alone, and every one of a finished round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mekuri.bots import Budget, Seen, analyse
from mekuri.bots.analysis import prepared
from mekuri.engine.contract import Contract, legal
from mekuri.match.round import Round
from mekuri.protocol import analysis as wire
from mekuri.table.coming import need_seat, own_seat
from mekuri.table.errors import ProblemError
from mekuri.table.showing import replay_of
from mekuri.table.table import Table

BUDGET = Budget(1000, 1000)

Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True)
class Weighing(Generic[Found_co]):
    """An analysis or an explanation to be made. It holds all that is needed, so a thread may make it without the table.

    Attributes:
        contract: the game's contract.
        name: the name of the analysis or the explanation among those of its table.
        weigh: makes it. It is the same for every caller. Raises ProblemError where there is nothing to weigh.
    """

    contract: Contract
    name: tuple[object, ...]
    weigh: Callable[[], Found_co]

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key. It changes once the rules are compiled: before, the time limit cuts the search short."""
        return *self.name, prepared(self.contract)


def _analysis(table: Table, round: int, seat: int, version: int, find: Callable[[], Seen | None]) -> Weighing[wire.Analysis]:
    """Return the analysis to be made of a decision: the expected value of each action.

    Args:
        table: the table.
        round: the round's number, from 1.
        seat: the seat that decides.
        version: the seat's version at the decision.
        find: returns all that the seat had seen of the round then; None before the first round.
    """
    id = table.id

    def weigh() -> wire.Analysis:
        seen = find()
        if seen is None or not legal(seen.hidden, seat):
            raise ProblemError("nothing-to-weigh")
        found = analyse(seen, BUDGET)
        return wire.Analysis(
            table=id, round=round, seat=seat, version=version, actions=found.actions, facts=found.facts, part=found.part
        )

    return Weighing(table.game.contract, ("weighed", round, seat, version), weigh)


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


def present(table: Table, person: str | None) -> Weighing[wire.Analysis]:
    """Return a person's present decision, to be analysed.

    Raises:
        ProblemError: the person has no seat or no decision, no match is being played, it is a deal of the day, or other people
            play here, who would not have the analysis.
    """
    seat, round = alone(table, person)
    if not round.legal_for(seat):
        raise ProblemError("nothing-to-weigh")
    seen = Seen(round.hidden(seat), seat)
    return _analysis(table, table.rounds, seat, table.version(seat), lambda: seen)


def past(table: Table, number: int, seat: int, version: int) -> Weighing[wire.Analysis]:
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
    return _analysis(table, number, seat, version, lambda: again.seen(version))
