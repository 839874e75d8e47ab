"""Analysis of decisions: a person's present one where they play with bots alone, and every one of a finished round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

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

Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True)
class Weighing(Generic[Found_co]):
    """An analysis or an explanation to be made. It holds all that is needed, so another thread or process may make it.

    Attributes:
        contract: the game's contract.
        name: the name of the analysis or the explanation among those of its table.
        weigh: makes it. It is the same for every caller, and can be pickled. Raises ProblemError where there is nothing to weigh.
    """

    contract: Contract
    name: tuple[object, ...]
    weigh: Callable[[], Found_co]

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key. It changes once the rules are compiled: before, the time limit cuts the search short."""
        return *self.name, prepared(self.contract)


def _name(round: int, seat: int, version: int) -> tuple[object, ...]:
    return "weighed", round, seat, version


def _analysis(table: str, round: int, seat: int, version: int, seen: Seen | None) -> wire.Analysis:
    """Return the expected value of each action of a decision.

    Args:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that decides.
        version: the seat's version at the decision.
        seen: all that the seat had seen of the round then; None before the first round.

    Raises:
        ProblemError: the seat had no decision then.
    """
    if seen is None or not legal(seen.hidden, seat):
        raise ProblemError("nothing-to-weigh")
    found = analyse(seen, BUDGET)
    return wire.Analysis(
        table=table, round=round, seat=seat, version=version, actions=found.actions, facts=found.facts, part=found.part
    )


def _past_analysis(table: str, round: int, seat: int, version: int, again: Again) -> wire.Analysis:
    """Return the analysis of a decision in a finished round, whose events of the seat are `again`. See `_analysis`."""
    return _analysis(table, round, seat, version, again.seen(version))


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
    decision = table.rounds, seat, table.version(seat)
    seen = Seen(round.hidden(seat), seat)
    return Weighing(table.game.contract, _name(*decision), partial(_analysis, table.id, *decision, seen))


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
    decision = number, seat, version
    return Weighing(table.game.contract, _name(*decision), partial(_past_analysis, table.id, *decision, again))
