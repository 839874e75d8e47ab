"""Commands for taking, freeing and leaving a seat, and for coming back to it."""

from __future__ import annotations

from mekuri.bots import usual
from mekuri.engine.errors import OptionError
from mekuri.match.fair import check_cuts
from mekuri.protocol import table as wire
from mekuri.table.course import abandon, end, go_on
from mekuri.table.errors import ProblemError
from mekuri.table.rows import add
from mekuri.table.table import Table, learn

_COMINGS = 20  # times that one person may sit down at one table, or come back after leaving


def seat_of(table: Table, person: str | None) -> int | None:
    """Return the seat of a person, by their id; None for a spectator."""
    if person is None:
        return None
    return next((seat for seat, sitter in enumerate(table.seats) if sitter.person == person), None)


def own_seat(table: Table, person: str | None) -> int:
    """Return the seat of a person, by their id. Raises ProblemError where the person has none."""
    seat = seat_of(table, person)
    if seat is None:
        raise ProblemError("not-seated")
    return seat


def need_seat(table: Table, seat: int) -> None:
    """Raise ProblemError where a table has no seat of this number."""
    if seat >= len(table.seats):
        raise ProblemError("no-seat", last=len(table.seats) - 1)


def sit(table: Table, person: str, name: str, asked: wire.AskSeat, at: int) -> None:
    """Give a person a seat, or give them back the one that a bot holds for them. The match begins when the last seat is taken.

    Args:
        table: the table.
        person: the person's id.
        name: the person's name.
        asked: the wanted seat, if any, and the cut. Without a seat it is the one kept for the person, else the first free one.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: the table is full or over, the seat does not exist, is taken or is kept for another person, the person
            has another seat already, was kept out or has come too often, a seat was named where lots are drawn, or the cut is
            malformed.
    """
    own = seat_of(table, person)
    if own is not None:
        if asked.seat not in (None, own):
            raise ProblemError("seated-already", place=own)
        come_back(table, person, at)
        return
    if person in table.people.kept_out:
        raise ProblemError("kept-out")
    if table.state != "open":
        raise ProblemError("table-full" if table.state == "running" else "not-running")
    if table.seating == "lot" and asked.seat is not None:
        raise ProblemError("by-lot")
    free = free_seats(table, person, at)
    if asked.seat is not None:
        need_seat(table, asked.seat)
        if table.seats[asked.seat].taken:
            raise ProblemError("seat-taken")
    if not free or (asked.seat is not None and asked.seat not in free):
        raise ProblemError("seat-kept")
    try:
        check_cuts([asked.cut])
    except OptionError:
        raise ProblemError("cut") from None
    _need_to_be_rare(table, person)
    seat = asked.seat
    if seat is None:
        seat = next((place for place in free if table.seats[place].kept_for == person), None)
    if seat is None:
        seat = free[0]  # where lots are drawn, it is theirs only until all seats are taken
    learn(table, {person: name})
    add(table, "sit", {"cut": asked.cut}, at, seat, person=person)
    go_on(table, at)


def free_seats(table: Table, person: str | None, at: int) -> list[int]:
    """Return the free seats that are not kept for other people.

    Args:
        table: the table.
        person: the person's id; None for a spectator.
        at: the time, in milliseconds since 1970: seats are kept until `Table.kept_until`.
    """
    kept = at < table.kept_until
    return [
        seat
        for seat, sitter in enumerate(table.seats)
        if not sitter.taken and not (kept and sitter.kept_for in table.names.keys() - {person})
    ]


def free(table: Table, person: str, asked: wire.AskFree, at: int) -> None:
    """Free a seat before the match begins; only the person who made the table may do so. Asking again changes nothing.

    Args:
        table: the table.
        person: the id of the person who asks.
        asked: the seat, the version of the table that the person has seen, and whether its person may not come back.
        at: the time, in milliseconds since 1970.

    Raises:
        ProblemError: another person made the table, the match has begun, the seat does not exist or is empty, or the
            version is not the present one.
    """
    if person != table.maker:
        raise ProblemError("not-maker")
    if table.people.freed.get(asked.version) in ((asked.seat, asked.keep_out), (asked.seat, None)):
        return
    if table.state != "open":
        raise ProblemError("begun")
    need_seat(table, asked.seat)
    # Before the match all viewers have the same version. With an older one, another person may sit there now than was meant.
    if asked.version != table.version(None):
        raise ProblemError("stale" if asked.version < table.version(None) else "ahead")
    if table.seats[asked.seat].person is None:
        raise ProblemError("seat-empty")
    if table.seats[asked.seat].person == person:
        leave(table, person, at)
    else:
        add(table, "free", {"keep_out": asked.keep_out}, at, asked.seat, person=person)


def leave(table: Table, person: str, at: int) -> None:
    """Leave the table. In a running match a bot plays the seat while another person is left; otherwise the match ends.

    Does nothing if the person has no seat or has left already, or if the match is over.
    """
    seat = seat_of(table, person)
    if seat is None or table.state == "over" or table.seats[seat].left:
        return
    add(table, "leave", {}, at, seat, person=person)
    if table.state == "running" and not any(sitter.person and not sitter.left for sitter in table.seats):
        end(table, "abandoned", at)
    go_on(table, at)


def let_go(table: Table, at: int, person: str, made: bool) -> None:
    """Remove a person from the table who has been deleted or banned.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
        person: the person's id.
        made: whether the person made the table. It is closed then if the match has not begun and no other person sits there.
    """
    leave(table, person, at)
    if made and table.state == "open" and not any(sitter.person for sitter in table.seats):
        abandon(table, at)


def come_back(table: Table, person: str, at: int) -> None:
    """Give a person's seat back to them from the bot that holds it.

    Raises:
        ProblemError: the person has no seat, or has left and come back too often.
    """
    seat = own_seat(table, person)
    # A bot that plays one turn for a person whose term has passed does not hold the seat.
    if table.state == "running" and table.seats[seat].bot and not table.seats[seat].passed:
        if table.seats[seat].left:
            _need_to_be_rare(table, person)
        add(table, "back", {}, at, seat, person=person)


def _need_to_be_rare(table: Table, person: str) -> None:
    """Raise ProblemError where a person has come too often: each time is a row in the log for good."""
    if table.people.comings[person] >= _COMINGS:
        raise ProblemError("came-often")


def hold(table: Table, at: int, seat: int) -> None:
    """Let the game's usual bot play the seat of a person who is away."""
    if table.state == "running" and table.seats[seat].bot is None:
        add(table, "hold", {"bot": usual(table.game.contract)}, at, seat)
        go_on(table, at)
