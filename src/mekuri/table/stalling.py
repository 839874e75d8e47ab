"""What players may do where another one, though connected, does not act: have a bot play, or end the match without a result.

This holds for tables at which people play at the same time. Where it is played turn by turn, there are terms instead.
"""

from __future__ import annotations

from mekuri.bots import usual
from mekuri.table.coming import own_seat
from mekuri.table.course import end, go_on
from mekuri.table.errors import ProblemError
from mekuri.table.table import Table
from mekuri.table.turns import bot_due


def awaited(table: Table, at: int) -> list[int]:
    """Return the seats of the people who have to act now, as everybody knows it, where other people may wait for them.

    There are none while a bot has to act or a window is open, and where fewer than two people play.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
    """
    if table.state != "running" or table.term or len(_players(table)) < 2 or table.closes is not None:
        return []
    if bot_due(table, at) is not None:
        return []
    asked = table.waited_for
    return [seat for seat in _players(table) if seat in asked]


def waiting(table: Table) -> list[int]:
    """Return the seats of the people who play and need not act now: they wait for the others."""
    return [seat for seat in _players(table) if not _owes(table, seat)]


def stand_in(table: Table, person: str, asked: int, at: int) -> None:
    """Have a bot play for each person who has to act, until that person acts again. A person who waits may ask for it.

    Args:
        table: the table.
        person: the id of the person who asks.
        asked: the value of `Table.asked` for which the others have been waited for long enough.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the person has no seat or has to act too, or nobody is waited for any more.
    """
    need_to_wait(table, person)
    if asked != table.asked or not awaited(table, at):
        raise ProblemError("not-stalled")
    for seat in [seat for seat in _players(table) if _owes(table, seat)]:
        table.add("stall", {"bot": usual(table.game.contract)}, at, seat, person=person)
    go_on(table, at)


def break_off(table: Table, asked: int, at: int) -> None:
    """End the match without a result, as all who wait have asked for it. The arguments are those of `stand_in`."""
    if asked != table.asked or not awaited(table, at):
        raise ProblemError("not-stalled")
    end(table, "stalled", at)


def need_to_wait(table: Table, person: str) -> None:
    """Raise ProblemError where a person has no seat, or does not wait for others."""
    if own_seat(table, person) not in waiting(table):
        raise ProblemError("not-stalled")


def _players(table: Table) -> list[int]:
    """Return the seats that people play now."""
    return [seat for seat, sitter in enumerate(table.seats) if sitter.person and sitter.bot is None]


def _owes(table: Table, seat: int) -> bool:
    """Return whether a seat has to act now, which others may not know where they act in secret."""
    return table.waits(seat) if table.resting else table.seats[seat].open_decision is not None
