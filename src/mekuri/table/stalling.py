"""People who keep others waiting: stalled players where all play at the same time, and terms where a table is played turn by turn.

A connected player who does not act may be replaced by a bot, or the others may end the match without a result.

At a table that is played turn by turn, no person counts as absent. If a player lets a term pass, a bot plays that turn, or the
match ends, as was agreed when the table was made. In a window, silence is an answer, as everywhere. After three terms in a row, a
bot holds the seat until its person comes back.
"""

from __future__ import annotations

from mekuri.bots import usual
from mekuri.table.coming import own_seat
from mekuri.table.course import abandon, end, go_on
from mekuri.table.errors import ProblemError
from mekuri.table.rows import add
from mekuri.table.table import Table
from mekuri.table.turns import bot_due

MOST_MISSED = 3  # terms in a row: at the last of them a bot takes the seat over


def awaited(table: Table, at: int) -> list[int]:
    """Return the seats of the people who have to act now, as all viewers know it, if other people may wait for them.

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
        ProblemError: the person has no seat or has to act too, or the table waits for no person any more.
    """
    need_to_wait(table, person)
    if asked != table.asked or not awaited(table, at):
        raise ProblemError("not-stalled")
    for seat in [seat for seat in _players(table) if _owes(table, seat)]:
        add(table, "stall", {"bot": usual(table.game.contract)}, at, seat, person=person)
    go_on(table, at)


def break_off(table: Table, asked: int, at: int) -> None:
    """End the match without a result, as all waiting players have asked. The arguments are those of `stand_in`."""
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


def due_at(table: Table) -> int | None:
    """Return the deadline of the people who owe an action or an answer, in milliseconds since 1970; None if nobody owes one."""
    return table.due if table.owing else None


def pass_term(table: Table, at: int) -> None:
    """Do what was agreed for all people whose term has passed; nothing before.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
    """
    seats, due = table.owing, table.due
    if table.term is None or due is None or not seats or at < due:
        return
    if table.term.late == "end" and table.closes is None:
        end(table, "late", at, late=seats[0])
        return
    bot = usual(table.game.contract)
    for seat in seats:
        takes_over = table.term.late == "bot" and table.seats[seat].missed + 1 >= MOST_MISSED
        add(table, "hold" if takes_over else "late", {"bot": bot}, at, seat)
    if not any(sitter.person and (sitter.bot is None or sitter.passed) for sitter in table.seats):
        abandon(table, at)
        return
    go_on(table, at)
