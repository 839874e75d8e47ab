"""Explanations of moves: the last move of a bot, for a person who plays with bots alone, and any move of a finished round."""

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
from mekuri.table import weighing
from mekuri.table.coming import need_seat
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.showing import finished, replay_of
from mekuri.table.table import Table


class Move(NamedTuple):
    """An action of one seat as another seat has seen it.

    Attributes:
        seat: the seat that acted.
        action: its action.
        text: the event's text.
        before, after: the hidden states of the seat that has seen it, before and after the action.
    """

    seat: int
    action: int
    text: Text
    before: RoundState
    after: RoundState


@dataclass(frozen=True)
class Reason:
    """A move to be explained to a seat. It holds all that is needed, so a thread may work on it without the table.

    Attributes:
        contract: the game's contract.
        table: the table's id.
        round: the round's number, from 1.
        asker: the seat that asks.
        version: the asker's version when it asks.
        move: the move, as the asker has seen it.
    """

    contract: Contract
    table: str
    round: int
    asker: int
    version: int
    move: Move

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key of the explanation. It changes once the rules are compiled, as a better explanation is made then."""
        return "why", self.asker, self.version, prepared(self.contract)

    def weigh(self) -> wire.Why:
        """Return the explanation. It is the same however often it is asked for."""
        move = self.move
        found = why(move.before, move.after, self.asker, move.seat, move.action, weighing.BUDGET, stream("why"))
        return wire.Why(
            table=self.table,
            round=self.round,
            seat=move.seat,
            version=self.version,
            text=move.text,
            reasons=[*found],
        )


@dataclass(frozen=True)
class PastReason:
    """A move of a finished round to be explained, with all cards known.

    Attributes:
        contract: the game's contract.
        table: the table's id.
        number: the round's number, from 1.
        again: the round's events for the viewer who asks.
        version: the viewer's version after the move.
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
        """The cache key of the explanation. It changes once the rules are compiled, as a better explanation is made then."""
        return "why", self.number, self.again.viewer, self.version, prepared(self.contract)

    def weigh(self) -> wire.Why:
        """Return the explanation. Raises ProblemError where the version comes from no move of a seat."""
        step = self.again.step(self.version)
        if step is None or self.round.history[step][0] == DRIVER:
            raise ProblemError("nothing-to-weigh")
        text = next(event.text for event in self.again.tell() if event.version == self.version)
        found = why_afterwards(self.round, step, *(() if prepared(self.contract) else FEW))
        return wire.Why(
            table=self.table,
            round=self.number,
            seat=self.round.history[step][0],
            version=self.version,
            text=text,
            reasons=[*found],
        )


def past_move(table: Table, number: int, viewer: Viewer, version: int) -> PastReason:
    """Return the move of a finished round that led to a version of a viewer, to be explained.

    Args:
        table: the table.
        number: the round's number, from 1.
        viewer: the viewer: a seat, or None for spectators.
        version: the viewer's version after the move.

    Raises:
        ProblemError: there is no such seat or no such round, or the round is not over.
    """
    if viewer is not None:
        need_seat(table, viewer)
    again = replay_of(table, viewer, number)
    return PastReason(table.game.contract, table.id, number, again, version, finished(table, number))


def last_move(table: Table, person: str | None) -> Reason:
    """Return the last move of another seat, as a person has seen it, to be explained.

    Raises:
        ProblemError: the person has no seat, other people play here, it is a deal of the day, no match is being played, or no
            other seat has moved yet.
    """
    asker, round = weighing.alone(table, person)
    found = last_seen(round, asker)
    if found is None:
        raise ProblemError("no-move-yet")
    version = table.version(asker)
    return Reason(table.game.contract, table.id, table.rounds, asker, version, found)


def last_seen(round: Round, asker: int) -> Move | None:
    """Return the last move of another seat that the seat `asker` has seen in a round; None where it has seen none yet."""
    chronicle, found = Chronicle(round), None
    before = chronicle.hidden(asker)
    while chronicle.behind:
        event = chronicle.step([asker]).get(asker)
        after = chronicle.hidden(asker)
        if event and event.action is not None and event.seat not in (asker, DRIVER):
            found = Move(event.seat, round.parse_action(event.action), event.text, before, after)
        before = after
    return found
