"""Explanations of moves: the last move of a bot, for a person who plays with bots alone, and any move of a finished round."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from mekuri.bots.analysis import prepared
from mekuri.bots.review import FEW, why_afterwards
from mekuri.bots.why import why
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, Text
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
from mekuri.table.weighing import Weighing, alone


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


def past_move(table: Table, number: int, viewer: Viewer, version: int) -> Weighing[wire.Why]:
    """Return the move of a finished round that led to a version of a viewer, to be explained with all cards known.

    Args:
        table: the table.
        number: the round's number, from 1.
        viewer: the viewer: a seat, or None for spectators.
        version: the viewer's version after the move.

    Raises:
        ProblemError: there is no such seat or no such round, or the round is not over. The explanation raises it too, where the
            version comes from no move of a seat.
    """
    if viewer is not None:
        need_seat(table, viewer)
    again, round = replay_of(table, viewer, number), finished(table, number)
    weigh = partial(_past_why, table.id, number, version, again, round)
    return Weighing(table.game.contract, ("why", number, viewer, version), weigh)


def _past_why(table: str, number: int, version: int, again: Again, round: Round) -> wire.Why:
    step = again.step(version)
    if step is None or round.history[step][0] == DRIVER:
        raise ProblemError("nothing-to-weigh")
    text = next(event.text for event in again.tell() if event.version == version)
    found = why_afterwards(round, step, *(() if prepared(round.contract) else FEW))
    return wire.Why(table=table, round=number, seat=round.history[step][0], version=version, text=text, reasons=found)


def last_move(table: Table, person: str | None) -> Weighing[wire.Why]:
    """Return the last move of another seat, as a person has seen it, to be explained.

    Raises:
        ProblemError: the person has no seat, other people play here, it is a deal of the day, no match is being played, or no
            other seat has moved yet.
    """
    asker, round = alone(table, person)
    move = last_seen(round, asker)
    if move is None:
        raise ProblemError("no-move-yet")
    version = table.version(asker)
    return Weighing(table.game.contract, ("why", asker, version), partial(_why, table.id, table.rounds, version, asker, move))


def _why(table: str, number: int, version: int, asker: int, move: Move) -> wire.Why:
    found = why(move.before, move.after, asker, move.seat, move.action, weighing.BUDGET, stream("why"))
    return wire.Why(table=table, round=number, seat=move.seat, version=version, text=move.text, reasons=found)


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
