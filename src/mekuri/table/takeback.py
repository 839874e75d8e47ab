"""Take-backs: a person who plays with bots alone goes back to before their last choice in the round, with the same cards.

The match is practice from then on: it counts in no statistics, and its record says so.
"""

from __future__ import annotations

from mekuri.protocol import table as wire
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.seating import Decision
from mekuri.table.table import Table

MOST = 99  # take-backs at one table


def take_back(table: Table, person: str, asked: wire.AskTakeBack, at: int) -> None:
    """Go back to before a person's last choice in the round. A request sent again with the same version does it once.

    Args:
        table: the table.
        person: the person's id.
        asked: the version of the person's view.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the person has no seat, other people play here, no match is being played or the round is over, there is no
            choice to take back, the version is too old or has not been reached, or 99 take-backs have been made.
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
    """Return the seat's last decision with two choices or more, and the number of actions in the round before it.

    The decision is None, and the number 0, where the seat has made none.
    """
    own = [place for place, (who, _) in enumerate(table.running.actions) if who == seat]
    stood = [decision for decision in table.seats[seat].decisions if decision.stands]
    for place, decision in zip(reversed(own), reversed(stood), strict=False):
        if len(decision.choices) > 1:
            return place, decision
    return 0, None
