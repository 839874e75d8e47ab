"""Steps that a table takes without a decision: it begins rounds, opens their secrets and ends the match."""

from __future__ import annotations

from dataclasses import replace

from mekuri.table.state import Why
from mekuri.table.table import Table


def go_on(table: Table, at: int) -> None:
    """Begin rounds, open the secrets of finished ones and end the match, until somebody has to decide or to be ready.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
    """
    while True:
        if (seat := _to_apply(table)) is not None:
            _apply(table, seat, at)
        elif table.state == "open" and all(sitter.taken for sitter in table.seats):
            if len(table.to_draw) > 1:
                table.draw(at)
            table.add("round", {}, at)
        elif table.state == "running" and not table.resting and table.running.over:
            table.add("open", {}, at)
        elif table.resting and table.match and table.match.over:
            end(table, "played", at)
        elif table.resting and not table.waiting:
            if table.agreed:
                end(table, "agreed", at)
            else:
                table.add("round", {}, at)
        else:
            return


def _to_apply(table: Table) -> int | None:
    """Return the seat whose answer in a window is played next, as everybody has answered; None where none is.

    Answers that are kept until the window closes are played in the order of turns, and not in that of their arrival. A bot whose
    turn comes before gives its answer first.
    """
    round = table.round if table.term and table.state == "running" and table.closes is not None else None
    if round is None or any(table.seats[seat].owes for seat in round.waiting):
        return None
    seat = next(iter(round.waiting_in_turn), None)
    return None if seat is None or table.seats[seat].bot else seat


def _apply(table: Table, seat: int, at: int) -> None:
    """Play the answer that a seat has given in a window, or silence."""
    decision = table.seats[seat].open_decision
    assert decision, "a seat that is asked"
    assert decision.kept, "and has answered"
    number = len(table.seats[seat].decisions) - 1
    table.add("play", {"action": decision.kept}, at, seat, decision=number, person=decision.kept_by)


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
    table.add("end", {"why": why, "winners": winners, "record": kept, "settled": True, **through}, at)


def abandon(table: Table, at: int) -> None:
    """End a table that everybody has left, unless it is over."""
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
