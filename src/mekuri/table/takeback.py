"""Taking back: where one person plays with bots alone, the round goes back to their last choice, and the same cards come again.

The match is practice from then on: it counts in no statistics, and its record says so.
"""

from __future__ import annotations

from mekuri.protocol import table as wire
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.seating import Decision
from mekuri.table.table import Table

MOST = 99  # times that something is taken back at one table


def take_back(table: Table, person: str, asked: wire.AskTakeBack, at: int) -> None:
    """Go back to before the last thing that somebody has chosen. Sent again with the same version it happens once.

    Raises ProblemError where other people play, the round is counted already, there is nothing to take back, or there was too much.
    """
    seat = seat_of(table, person)
    if seat is None:
        raise ProblemError("not-seated")
    if asked.version > table.version(seat):
        raise ProblemError("ahead")
    if asked.version < table.took_back_at:
        return
    round = table.running
    if not table.lone:
        raise ProblemError("others-play-on")
    if round.over:
        raise ProblemError("round-counted")
    to, decision = _last_choice(table, seat)
    if decision is None:
        raise ProblemError("nothing-to-take-back")
    if asked.version < decision.answered:
        raise ProblemError("stale")
    if table.took_back >= MOST:
        raise ProblemError("took-back-all")
    table.add("take-back", {"to": to}, at, seat, person=person)


def _last_choice(table: Table, seat: int) -> tuple[int, Decision | None]:
    """How many actions of the round came before the seat's last choice of several, and that choice; None where it had none."""
    own = [place for place, (who, _) in enumerate(table.running.actions) if who == seat]
    stood = [decision for decision in table.seats[seat].decisions if decision.stands]
    for place, decision in zip(reversed(own), reversed(stood), strict=False):
        if len(decision.choices) > 1:
            return place, decision
    return 0, None
