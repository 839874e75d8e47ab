"""How a table comes to be: by somebody's asking, or after a match that is over."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from mekuri import games
from mekuri.bots import company, names_for
from mekuri.engine.contract import Contract
from mekuri.engine.errors import OptionError, UnknownGame
from mekuri.engine.options import differing, info
from mekuri.match.deals import Deals
from mekuri.match.game import make_game
from mekuri.protocol import table as wire
from mekuri.table.coming import own_seat, sit
from mekuri.table.course import go_on
from mekuri.table.errors import ProblemError
from mekuri.table.seating import PERSON
from mekuri.table.table import Table


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
    """A new table. Where all seats are bots' the match begins at once.

    Args:
        id: its name.
        root: 32 bytes that nobody can foresee.
        asked: what is to be played, and by whom.
        person: who makes it; None for nobody.
        at: when.
        after: what it takes over from a match before.
        window: how many milliseconds silence is waited for; the usual time if left out.
        deals: where its packs come from; from the root and everybody's cut if left out.
        pace: for how many milliseconds one thing is looked at that happens.
        day: whose deal of the day it is; None for any other deal.
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
    if asked.first_dealer is not None:
        body["first_dealer"] = asked.first_dealer
    if window is not None:
        body["window"] = window
    if pace:
        body["pace"] = pace
    if day is not None:
        body["day"] = day
    if after is not None:
        body["after"] = after
    table.add("make", body, at, person=person)
    go_on(table, at)
    return table


def one_round(contract: Contract) -> dict[str, str] | None:
    """The options of a match of one round, those that differ from the defaults; None where a game has no such match."""
    made = make_game(contract.id, "default", None, {})
    names = [option.name for option in info(contract.match_options)]
    asked: list[dict[str, str]] = [{}, *({name: "1"} for name in names)]
    for told in asked:
        with suppress(OptionError):
            if contract.length(made.match_options(told), made.seats) == 1:
                return told
    return None


def of_the_day(
    id: str, root: bytes, game: str, day: str, cut: str, person: str, name: str, at: int, window: int, pace: int
) -> Table:
    """A table at which somebody plays the deal of a day: one round, at which everybody sits in the first seat, and meets the same.

    Args:
        id: its name.
        root: from which the deal of that day comes, and the bots' chance.
        game: which of the games that have a match of one round.
        day: which day.
        cut: that of all who have cut for it.
        person, name: who plays, and what they are called.
        at: when.
        window, pace: as for `make`.
    """
    asked = wire.AskTable(game=game, match_options=one_round(games.find(game)) or {})
    table = make(id, root, asked, person, at, window=window, pace=pace, day=day)
    sit(table, person, name, wire.AskSeat(seat=0, cut=cut), at)
    return table


def rematch(table: Table, person: str, at: int, id: str, root: bytes, keep_ms: int, deals: Deals | None = None) -> None:
    """Found the table at which a match that is over goes on; where somebody has founded it already, nothing.

    It has the same rules and seats. Each seat is kept for its person for a while, and the deal passes on.
    """
    seat = own_seat(table, person)
    if table.state != "over":
        raise ProblemError("not-over")
    if table.rematch:
        return
    asked = wire.AskTable(
        game=table.game.id,
        options=differing(table.game.options),
        match_options=differing(table.match_options),
        seats=[sitter.kind for sitter in table.seats],
        public=table.public,
        seating=table.seating,
    )
    last = table.round
    after = {
        "table": table.id,
        "first_dealer": last.next_dealer if last and last.over else None,
        "kept_for": [None if sitter.left else sitter.person for sitter in table.seats],
        "kept_until": at + keep_ms,
    }
    table.founded = make(id, root, asked, person, at, after, table.window, deals, table.pace)
    table.founded.learn(table.names)
    table.add("rematch", {"table": id}, at, seat, person=person)
