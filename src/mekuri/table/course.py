"""The course of a table: what follows by itself, and how it ends."""

from __future__ import annotations

from dataclasses import replace

from mekuri.table.state import Why
from mekuri.table.table import Table


def go_on(table: Table, at: int) -> None:
    """Whatever follows without anybody's doing: a round begins, its secret is opened, the match ends."""
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
    """End the match, and keep its record."""
    match = table.match
    winners = list(match.leading) if match and why in ("played", "agreed") else None
    # A match that was broken off opens the secret of its last round as well, so that its record can be verified whole.
    record = match.record(broken_off=why != "played") if match else None
    kept = replace(record, players=tuple(sitter.kind for sitter in table.seats)).to_json() if record else None
    table.add("end", {"why": why, "winners": winners, "record": kept}, at)


def abandon(table: Table, at: int) -> None:
    """Close a table at which nobody plays any more."""
    if table.state != "over":
        end(table, "abandoned", at)


def close(table: Table, at: int) -> None:
    """Close a table because the keeper of the server would have it so."""
    if table.state != "over":
        end(table, "closed", at)


def close_restored(table: Table, at: int) -> None:
    """Close a table that comes from a backup: since that was made its cards may have been seen."""
    if table.state == "running":
        end(table, "restored", at)
