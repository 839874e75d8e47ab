"""People come to a table, leave it, and come back."""

from __future__ import annotations

from mekuri.bots import usual
from mekuri.engine.errors import OptionError
from mekuri.match.fair import check_cuts
from mekuri.protocol import table as wire
from mekuri.table.course import abandon, end, go_on
from mekuri.table.errors import ProblemError
from mekuri.table.table import Table


def seat_of(table: Table, person: str | None) -> int | None:
    """The seat in which a person sits; None for a spectator."""
    if person is None:
        return None
    return next((seat for seat, sitter in enumerate(table.seats) if sitter.person == person), None)


def own_seat(table: Table, person: str) -> int:
    """The seat in which a person sits. Raises ProblemError where they sit in none."""
    seat = seat_of(table, person)
    if seat is None:
        raise ProblemError("not-seated")
    return seat


def sit(table: Table, person: str, name: str, asked: wire.AskSeat, at: int) -> None:
    """Sit down, or come back to one's seat. The match begins when the last seat is taken."""
    own = seat_of(table, person)
    if own is not None:
        if asked.seat not in (None, own):
            raise ProblemError("seated-already", place=own)
        come_back(table, person, at)
        return
    if person in table.kept_out:
        raise ProblemError("kept-out")
    if table.state != "open":
        raise ProblemError("table-full" if table.state == "running" else "not-running")
    if table.seating == "lot" and asked.seat is not None:
        raise ProblemError("by-lot")
    free = free_seats(table, person, at)
    if asked.seat is not None and asked.seat >= len(table.seats):
        raise ProblemError("no-seat", last=len(table.seats) - 1)
    if asked.seat is not None and table.seats[asked.seat].taken:
        raise ProblemError("seat-taken")
    if not free or (asked.seat is not None and asked.seat not in free):
        raise ProblemError("seat-kept")
    try:
        check_cuts([asked.cut])
    except OptionError:
        raise ProblemError("cut") from None
    seat = asked.seat
    if seat is None:
        seat = next((place for place in free if table.seats[place].kept_for == person), None)
    if seat is None:
        seat = free[0]  # where lots are drawn, until all are there
    table.learn({person: name})
    table.add("sit", {"cut": asked.cut}, at, seat, person=person)
    go_on(table, at)


def free_seats(table: Table, person: str | None, at: int) -> list[int]:
    """The seats in which a person may sit down now: not those that are kept for others."""
    kept = at < table.kept_until
    return [
        seat
        for seat, sitter in enumerate(table.seats)
        if not sitter.taken and not (kept and sitter.kept_for in table.names.keys() - {person})
    ]


def free(table: Table, person: str, asked: wire.AskFree, at: int) -> None:
    """Free the seat of somebody who is away, or not welcome, at a table of one's own before the match begins."""
    if person != table.maker:
        raise ProblemError("not-maker")
    if table.state != "open":
        raise ProblemError("begun")
    if asked.seat >= len(table.seats):
        raise ProblemError("no-seat", last=len(table.seats) - 1)
    # Before the match everybody has seen the same. Whoever sits there now may be another than was meant.
    if asked.version != table.version(None):
        raise ProblemError("stale" if asked.version < table.version(None) else "ahead")
    if table.seats[asked.seat].person is None:
        raise ProblemError("seat-empty")
    if table.seats[asked.seat].person == person:
        leave(table, person, at)
    else:
        table.add("free", {"keep_out": asked.keep_out}, at, asked.seat, person=person)


def leave(table: Table, person: str, at: int) -> None:
    """Leave. A seat in a running match is played by a bot while another person plays; else the match ends here."""
    seat = seat_of(table, person)
    if seat is None or table.state == "over" or table.seats[seat].left:
        return
    table.add("leave", {}, at, seat, person=person)
    if table.state == "running" and not any(sitter.person and not sitter.left for sitter in table.seats):
        end(table, "abandoned", at)
    go_on(table, at)


def let_go(table: Table, at: int, person: str, made: bool) -> None:
    """Stand up for somebody who is gone; a table that they have `made`, and at which nobody waits, is closed."""
    leave(table, person, at)
    if made and table.state == "open" and not any(sitter.person for sitter in table.seats):
        abandon(table, at)


def come_back(table: Table, person: str, at: int) -> None:
    """Take one's seat back from the bot that held it."""
    seat = own_seat(table, person)
    if table.state == "running" and table.seats[seat].bot:
        table.add("back", {}, at, seat, person=person)


def hold(table: Table, at: int, seat: int) -> None:
    """Let a bot play for a person who is away."""
    if table.state == "running" and table.seats[seat].bot is None:
        table.add("hold", {"bot": usual(table.game.contract)}, at, seat)
        go_on(table, at)
