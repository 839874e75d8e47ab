"""Steps that a table takes without a decision: it begins rounds, opens their secrets and ends the match."""

from __future__ import annotations

from dataclasses import replace

from mekuri.match.fair import FairDeals, draw_seats
from mekuri.table.rows import add
from mekuri.table.table import Table, Why


def go_on(table: Table, at: int) -> None:
    """Begin rounds, open the secrets of finished ones and end the match, until a seat has to decide or to be ready.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
    """
    while True:
        if (seat := _to_apply(table)) is not None:
            decision = table.seats[seat].open_decision
            assert decision, "a seat that is asked"
            assert decision.kept, "and has answered"
            put(table, seat, decision.kept, at, decision.kept_by)
        elif table.state == "open" and all(sitter.taken for sitter in table.seats):
            if len(table.to_draw) > 1:
                _draw(table, at)
            add(table, "round", {}, at)
        elif table.state == "running" and not table.resting and table.running.over:
            add(table, "open", {}, at)
        elif table.resting and table.match and table.match.over:
            end(table, "played", at)
        elif table.resting and not table.waiting:
            if table.agreed:
                end(table, "agreed", at)
            else:
                add(table, "round", {}, at)
        else:
            return


def _draw(table: Table, at: int) -> None:
    """Draw lots for the seats, from the secret of the first round and the cuts of all seats."""
    seats = table.to_draw
    # In the order of their cuts, so that the order in which people came does not matter, which the record proves.
    waiting = sorted(seats, key=lambda seat: table.seats[seat].cut)
    lots = draw_seats(seats, FairDeals(table.root, [sitter.cut for sitter in table.seats]).seats())
    add(table, "draw", {"from": [waiting[lots.index(seat)] for seat in seats], "seats": seats}, at)


def _to_apply(table: Table) -> int | None:
    """Return the seat whose answer in a window is played next, if all people have answered; None if none is played yet.

    Answers that are kept until the window closes are played in the order of turns, and not in that of their arrival. A bot whose
    turn comes before gives its answer first.
    """
    round = table.round if table.term and table.state == "running" and table.closes is not None else None
    if round is None or any(table.seats[seat].owes for seat in round.waiting):
        return None
    seat = next(iter(round.waiting_in_turn), None)
    return None if seat is None or table.seats[seat].bot else seat


def put(table: Table, seat: int, action: str, at: int, person: str | None) -> None:
    """Add the row of an action, in notation, for a seat's open decision, and nothing that follows from it."""
    add(table, "play", {"action": action}, at, seat, decision=len(table.seats[seat].decisions) - 1, person=person)


def end(table: Table, why: Why, at: int, late: int | None = None) -> None:
    """End the match, and write its winners and its record into the log.

    Args:
        table: the table.
        why: the reason. There are winners only where the match was `played` to its end or its end was `agreed`.
        at: the time, in milliseconds since 1970.
        late: the seat whose term has passed, where that is the reason; None otherwise.
    """
    match = table.match
    winners = list(match.leading) if match and why in ("played", "agreed") else None
    # A match that was broken off opens the secret of its last round as well, so that its record can be verified whole.
    record = match.record(broken_off=why != "played") if match else None
    kept = replace(record, players=tuple(sitter.kind for sitter in table.seats)).to_json() if record else None
    through = {} if late is None else {"late": late}
    add(table, "end", {"why": why, "winners": winners, "record": kept, "settled": True, **through}, at)


def abandon(table: Table, at: int) -> None:
    """End a table that all people have left, unless it is over."""
    if table.state != "over":
        end(table, "abandoned", at)


def close(table: Table, at: int) -> None:
    """End a table because the operator of the server has closed it, unless it is over."""
    if table.state != "over":
        end(table, "closed", at)


def close_restored(table: Table, at: int) -> None:
    """End a match that was running when a backup was made: players may have seen its cards after that."""
    if table.state == "running":
        end(table, "restored", at)
