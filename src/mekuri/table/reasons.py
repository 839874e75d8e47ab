"""Why a seat has done something: the last move of another, for whoever plays alone with bots; and all of a round that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mekuri.bots.analysis import prepared
from mekuri.bots.review import FEW, why_afterwards
from mekuri.bots.why import why
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, Contract, Text
from mekuri.engine.fields import RoundState
from mekuri.match.round import Chronicle, Round
from mekuri.protocol import analysis as wire
from mekuri.protocol import view as wired
from mekuri.table import weighing
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.table import Table


class Move(NamedTuple):
    """Something that a seat has seen another do.

    Attributes:
        seat: who did it.
        action: what was done.
        text: what the log says of it.
        before, after: the hidden states of the seat that saw it.
    """

    seat: int
    action: int
    text: Text
    before: RoundState
    after: RoundState


@dataclass(frozen=True)
class Reason:
    """A move to be explained. It is made of what the asker saw of it, so it may be done beside the table.

    Attributes:
        contract: of the game.
        table: the table's id.
        round: the round's number, from 1.
        asker: the seat that asks.
        version: of the asker's view, now.
        move: what was done.
    """

    contract: Contract
    table: str
    round: int
    asker: int
    version: int
    move: Move

    @property
    def key(self) -> tuple[object, ...]:
        """What its answer is kept under; it is made once more when there is machine code."""
        return "why", self.asker, self.version, prepared(self.contract)

    def weigh(self) -> wire.Why:
        """The answer: the same, however often it is asked."""
        move = self.move
        found = why(move.before, move.after, self.asker, move.seat, move.action, weighing.BUDGET, stream("why"))
        return wire.Why(
            table=self.table,
            round=self.round,
            seat=move.seat,
            version=self.version,
            text=wired.text(move.text),
            reasons=[wired.text(one) for one in found],
        )


@dataclass(frozen=True)
class PastReason:
    """A move of a finished round to be explained, from all that is known now.

    Attributes:
        contract: of the game.
        table: the table's id.
        number: the round's number, from 1.
        again: the round, as whoever asks saw it.
        version: of their view after the move.
        round: the round.
    """

    contract: Contract
    table: str
    number: int
    again: Again
    version: int
    round: Round

    @property
    def key(self) -> tuple[object, ...]:
        """What its answer is kept under; it is made once more when there is machine code."""
        return "why", self.number, self.again.viewer, self.version, prepared(self.contract)

    def weigh(self) -> wire.Why:
        """The answer: the same, whoever asks. Raises ProblemError where no seat has moved."""
        step = self.again.step(self.version)
        if step is None or self.round.history[step][0] == DRIVER:
            raise ProblemError("nothing-to-weigh")
        told = next(event for event in self.again.tell() if event.version == self.version)
        found = why_afterwards(self.round, step, *(() if prepared(self.contract) else FEW))
        return wire.Why(
            table=self.table,
            round=self.number,
            seat=self.round.history[step][0],
            version=self.version,
            text=told.text,
            reasons=[wired.text(one) for one in found],
        )


def past_move(table: Table, number: int, viewer: Viewer, version: int) -> PastReason:
    """What led to a version of the view of whoever saw a round that is over.

    Raises ProblemError where there is no such round yet.
    """
    if viewer is not None and viewer >= len(table.seats):
        raise ProblemError("no-seat", last=len(table.seats) - 1)
    again = table.replay(viewer, number)
    return PastReason(table.game.contract, table.id, number, again, version, table.finished(number))


def last_move(table: Table, person: str | None) -> Reason:
    """The last thing that another seat has done, as somebody saw it.

    Raises ProblemError where it may not be asked, or there is none.
    """
    asker = seat_of(table, person)
    if asker is None:
        raise ProblemError("not-seated")
    round = table.running
    if not table.lone:
        raise ProblemError("others-play")
    if table.day:
        raise ProblemError("daily-alone")
    found = last_seen(round, asker)
    if found is None:
        raise ProblemError("no-move-yet")
    version = table.version(asker)
    return Reason(table.game.contract, table.id, table.rounds, asker, version, found)


def last_seen(round: Round, asker: int) -> Move | None:
    """The last thing that a seat has seen another do in a round; None where it has seen nothing yet."""
    chronicle, found = Chronicle(round), None
    before = chronicle.hidden(asker)
    while chronicle.behind:
        event = chronicle.step([asker]).get(asker)
        after = chronicle.hidden(asker)
        if event and event.action is not None and event.seat not in (asker, DRIVER):
            found = Move(event.seat, round.parse_action(event.action), event.text, before, after)
        before = after
    return found
