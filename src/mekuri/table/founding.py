"""Commands that make a table: a new one, one for the deal of the day, or one for a rematch."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from mekuri import games
from mekuri.bots import company, names_for
from mekuri.engine.contract import Contract
from mekuri.engine.errors import OptionError, UnknownGame
from mekuri.engine.options import all_texts, differing, info
from mekuri.match.daily import DAY_MS
from mekuri.match.deals import Deals
from mekuri.match.game import make_game
from mekuri.protocol import table as wire
from mekuri.table.coming import own_seat, sit
from mekuri.table.course import go_on
from mekuri.table.errors import ProblemError
from mekuri.table.rows import add
from mekuri.table.seating import PERSON
from mekuri.table.table import Table, learn


def make(
    id: str,
    root: bytes,
    asked: wire.AskTable,
    person: str | None,
    at: int,
    after: dict[str, Any] | None = None,
    window: int | None = None,
    deals: Deals | None = None,
    pace: int = 0,
    day: str | None = None,
) -> Table:
    """Make a table. If all seats are for bots, the match begins at once.

    Args:
        id: the table's id.
        root: 32 random bytes, from which the deals, the lots and the bots' chance are derived. They are secret.
        asked: the game, its options, and whom each seat is for.
        person: the id of the person who makes the table; None if no person does.
        at: the time, in milliseconds since 1970.
        after: the body's entry `after` of a rematch: the former table, who deals first, and for whom each seat is kept.
        window: the length of a window, in milliseconds; None for the default.
        deals: the source of the packs; None for fair deals from the root and the seats' cuts.
        pace: the time in which a page shows one event, in milliseconds.
        day: the day of the deal of the day, such as `2026-11-24`; None for any other deal.

    Raises:
        ProblemError: there is no such game, an option or the name of a bot is wrong, the first dealer's seat does not exist, or a
            table that is played turn by turn has fewer than two people.
    """
    try:
        made = make_game(asked.game, asked.preset, None if asked.seats is None else len(asked.seats), asked.options)
        match_options = made.match_options(asked.match_options)
    except UnknownGame:
        raise ProblemError("no-such-game") from None
    except OptionError as error:
        raise ProblemError("option", reason=str(error)) from None
    seats = asked.seats if asked.seats is not None else [PERSON, *company(made.contract, made.seats - 1)]
    known = names_for(made.contract)
    strange = [who for who in seats if who != PERSON and who not in known]
    if strange:
        raise ProblemError("option", reason=f"nobody called {strange[0]} can sit here: name {PERSON}, {', '.join(known)}")
    if asked.first_dealer is not None and asked.first_dealer >= made.seats:
        raise ProblemError("no-seat", last=made.seats - 1)
    if asked.term and seats.count(PERSON) < 2:
        raise ProblemError("term-alone")
    table = Table(id, root, deals)
    body = {
        "game": made.id,
        "version": made.version,
        "options": differing(made.options),
        "match_options": differing(match_options),
        "seats": seats,
        "public": asked.public,
        "seating": asked.seating,
    }
    if asked.game in games.entries():
        body["entry"] = asked.game
    if asked.term:
        body["term"] = {"days": asked.term.days, "late": asked.term.late, "club": asked.term.club}
        window, pace = asked.term.days * DAY_MS, 0  # a window takes the whole term, and no page animates for as long
    more = {"first_dealer": asked.first_dealer, "window": window, "pace": pace or None, "day": day, "after": after}
    body |= {key: value for key, value in more.items() if value is not None}
    add(table, "make", body, at, person=person)
    go_on(table, at)
    return table


def one_round(contract: Contract) -> dict[str, str] | None:
    """Return the match options, where they differ from the defaults, of a match of one round; None where a game has none."""
    made = make_game(contract.id, "default", None, {})
    names = [option.name for option in info(contract.match_options)]
    asked: list[dict[str, str]] = [{}, *({name: "1"} for name in names)]
    for options in asked:
        with suppress(OptionError):
            if contract.match.length(made.match_options(options), made.seats) == 1:
                return options
    return None


def of_the_day(
    id: str, root: bytes, game: str, day: str, cut: str, person: str, name: str, at: int, window: int, pace: int
) -> Table:
    """Make a table for the deal of the day: a match of one round against bots, with the person in seat 0.

    All who play it with the same root and cut get the same cards and the same bots.

    Args:
        id: the table's id.
        root: the 32 secret bytes of that day's deal, from which the cards and the bots' chance are derived.
        game: the name of a game that has a match of one round.
        day: the day, such as `2026-11-24`.
        cut: the cut made of all cuts for that day.
        person, name: the id and the name of the person who plays.
        at: the time, in milliseconds since 1970.
        window, pace: as for `make`.
    """
    asked = wire.AskTable(game=game, match_options=one_round(games.find(game)) or {})
    table = make(id, root, asked, person, at, window=window, pace=pace, day=day)
    sit(table, person, name, wire.AskSeat(seat=0, cut=cut), at)
    return table


def rematch(table: Table, person: str, at: int, id: str, root: bytes, keep_ms: int, deals: Deals | None = None) -> None:
    """Make the table of a rematch, with the same rules and seats, and set it as `table.founded`.

    Each seat is kept for its person for a while (for a term if the match was played turn by turn), and the deal passes on.
    Does nothing if there is a rematch already.

    Args:
        table: the table whose match is over.
        person: the id of the person who asks.
        at: the time, in milliseconds since 1970.
        id: the new table's id.
        root: the new table's 32 secret bytes.
        keep_ms: for how many milliseconds seats are kept.
        deals: the source of the packs; None for fair deals.

    Raises:
        ProblemError: the person had no seat at the table, or the match is not over.
    """
    seat = own_seat(table, person)
    if table.state != "over":
        raise ProblemError("not-over")
    if table.rematch:
        return
    asked = wire.AskTable(
        game=table.entry or table.game.id,
        options=all_texts(table.game.options),
        match_options=differing(table.match_options),
        seats=[sitter.kind for sitter in table.seats],
        public=table.public,
        seating=table.seating,
        term=wire.AskTerm(days=table.term.days, late=table.term.late, club=table.term.club) if table.term else None,
    )
    last = table.round
    after = {
        "table": table.id,
        "first_dealer": last.next_dealer if last and last.over else None,
        "kept_for": [None if sitter.left else sitter.person for sitter in table.seats],
        "kept_until": at + (table.term.days * DAY_MS if table.term else keep_ms),
    }
    table.founded = make(id, root, asked, person, at, after, table.history.source.window, deals, table.history.source.pace)
    learn(table.founded, table.names)
    add(table, "rematch", {"table": id}, at, seat, person=person)
