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
        if table.state == "open" and all(sitter.taken for sitter in table.seats):
            if len(table.to_draw) > 1:
                table.draw(at)
            table.add("round", {}, at)
        elif table.state == "running" and not table.resting and table.running.over:
            table.add("open", {}, at)
        elif table.resting and table.match and table.match.over:
            end(table, "played", at)
        elif table.resting and not any(sitter.waits for sitter in table.seats):
            if table.agreed:
                end(table, "agreed", at)
            else:
                table.add("round", {}, at)
        else:
            return


def end(table: Table, why: Why, at: int) -> None:
    """End the match, and write its winners and its record into the log.

    Args:
        table: the table.
        why: the reason. There are winners only where the match was `played` to its end or its end was `agreed`.
        at: the time, in milliseconds since 1970.
    """
    match = table.match
    winners = list(match.leading) if match and why in ("played", "agreed") else None
    # A match that was broken off opens the secret of its last round as well, so that its record can be verified whole.
    record = match.record(broken_off=why != "played") if match else None
    kept = replace(record, players=tuple(sitter.kind for sitter in table.seats)).to_json() if record else None
    table.add("end", {"why": why, "winners": winners, "record": kept}, at)


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
