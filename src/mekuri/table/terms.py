"""Tables that are played turn by turn: until when people owe something, and what happens when a term passes.

Nobody is absent there. Whoever lets a term pass has their turn played by a bot, until somebody else is asked, or the match ends, as
it was agreed when the table was made. In a window, silence is an answer, as everywhere. After three terms in a row, a bot holds the
seat until its person comes back.
"""

from __future__ import annotations

from mekuri.bots import usual
from mekuri.table.course import abandon, end, go_on
from mekuri.table.table import Table

MOST_MISSED = 3  # terms in a row: at the last of them a bot takes the seat over


def due_at(table: Table) -> int | None:
    """Return when the term of a person passes who owes something, in milliseconds since 1970; None where nobody does."""
    return table.due if table.owing else None


def pass_term(table: Table, at: int) -> None:
    """Do what was agreed for everybody whose term has passed; nothing before.

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
        table.add("hold" if takes_over else "late", {"bot": bot}, at, seat)
    if not any(sitter.person and (sitter.bot is None or sitter.passed) for sitter in table.seats):
        abandon(table, at)
        return
    go_on(table, at)
