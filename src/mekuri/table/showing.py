"""The table as a viewer (a seat, or None for a spectator) sees it, and the finished rounds and the record that all may read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mekuri.engine.options import differing
from mekuri.match.round import Round
from mekuri.protocol import table as wire
from mekuri.table.errors import ProblemError
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.table import Table


def show(table: Table, viewer: Viewer, presence: Sequence[wire.Presence] = ()) -> wire.Table:
    """Return the whole table as a viewer sees it, with the presence of its people."""
    decision = None if viewer is None or viewer >= len(table.seats) else table.seats[viewer].open_decision
    return wire.Table(
        id=table.id,
        game=table.game.id,
        entry=table.entry,
        ruleset=table.game.version,
        options=differing(table.game.options),
        match_options=differing(table.match_options),
        length=table.game.contract.match.length(table.match_options, table.game.seats),
        public=table.public,
        seating=table.seating,
        first_dealer=table.first_dealer,
        day=table.day,
        term=table.term,
        owed=owed_by(table, viewer),
        answer=decision.kept if decision else None,
        version=table.version(viewer),
        you=viewer,
        head=table.head,
        presence=[*presence],
        view=table.history.now.view(viewer) if table.match else None,
    )


def owed_by(table: Table, viewer: Viewer) -> wire.Owed | None:
    """Return what a table that is played turn by turn waits for from a viewer; None for nothing, and where there is no term."""
    if table.due is None or viewer not in table.owing:
        return None
    if table.resting:
        return wire.Owed(what="ready", until=table.due)
    return wire.Owed(what="action" if table.closes is None else "answer", until=table.due)


def replay_of(table: Table, viewer: Viewer, number: int) -> Again:
    """Return a viewer's events of a finished round, by its number from 1. Raises ProblemError where there is none."""
    if not table.match or not 1 <= number <= table.rounds:
        raise ProblemError("no-such-round")
    if number > table.opened:
        raise ProblemError("round-running")
    return table.history.round(viewer, number)


def finished(table: Table, number: int) -> Round:
    """Return a finished round, by its number from 1. Raises ProblemError where there is none."""
    replay_of(table, None, number)
    assert table.match, "a round that can be replayed"
    return table.match.finished[number - 1]


def record_of(table: Table) -> str:
    """Return the record of a match that is over, as JSON with people's present names. Raises ProblemError where there is none."""
    if not table.ending:
        raise ProblemError("not-over")
    if table.ending.record is None:
        raise ProblemError("not-running")
    # The record in the log has no names of people.
    record = json.loads(table.ending.record) | {"players": [table.label(seat) for seat in range(len(table.seats))]}
    return json.dumps(record, ensure_ascii=False, indent=1)
