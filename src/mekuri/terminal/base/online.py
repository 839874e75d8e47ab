"""Making tables on a server and joining them: from an address or a link to a match that can be shown."""

from __future__ import annotations

import secrets
from contextlib import suppress
from functools import partial
from urllib.parse import quote

import msgspec

from mekuri.engine.rulebook import rulebook
from mekuri.protocol import table as wire
from mekuri.protocol.daily import AskDailyCut, Daily, DailyEve
from mekuri.protocol.games import Games
from mekuri.protocol.guests import AskGuest, Guest
from mekuri.terminal.base.kept import keep_token, kept_token
from mekuri.terminal.base.line import Line, LineError, NoAnswer, ServerRefusal, parse_link, parse_server
from mekuri.terminal.base.remote import RemotePlay, known_game
from mekuri.terminal.base.translate import check_names

_UNAUTHORIZED = 401
_KEY = 16  # bytes


async def make_table(server: str, asked: wire.AskTable, seat: int, name: str, pace: float) -> RemotePlay:
    """Make a table on a server and sit down at it.

    Args:
        server: the server's address.
        asked: the table.
        seat: the player's seat; unused if the seats are drawn by lot.
        name: the name that other players see; empty to keep the guest's name.
        pace: seconds between two events shown.

    Raises:
        LineError: the server cannot be reached or refuses, or plays the game by other rules.
        KeptError: the kept tokens cannot be read.
    """
    async with Line(parse_server(server)) as line:
        await _sign_in(line, name)
        asking = partial(line.ask, "POST", "/api/tables", wire.Table, asked, {"Idempotency-Key": secrets.token_urlsafe(_KEY)})
        try:
            made = await asking()
        except NoAnswer:
            made = await asking()  # the key identifies the table if the first request has made it
        known_game(made)
        return await RemotePlay.sit_down(line, made, None if asked.seating == "lot" else seat, pace)


async def daily_deals(server: str, cut: str | None) -> Daily:
    """Return the deals of the day of a server, as this guest sees them.

    Args:
        server: the server's address.
        cut: the guest's cut for tomorrow's deals, which is sent first; None to send none.

    Raises:
        LineError: the server cannot be reached or refuses.
        KeptError: the kept tokens cannot be read.
    """
    async with Line(parse_server(server)) as line:
        line.token = kept_token(line.server)
        if cut is not None:
            await _sign_in(line, "")
        try:
            daily = await line.ask("GET", "/api/daily", Daily)
        except ServerRefusal as refused:
            if refused.status != _UNAUTHORIZED:
                raise
            line.token = ""  # the server has forgotten this guest
            daily = await line.ask("GET", "/api/daily", Daily)
        if cut is None:
            return daily
        asked = AskDailyCut(day=daily.tomorrow.day, cut=cut)
        return msgspec.structs.replace(daily, tomorrow=await line.ask("POST", "/api/daily", DailyEve, asked))


async def play_daily(server: str, game: str, name: str, names: str, pace: float) -> RemotePlay:
    """Open the table for today's deal of a game. Arguments and errors are those of `make_table` and `join_table`."""
    async with Line(parse_server(server)) as line:
        await _sign_in(line, name)
        table = await line.ask("POST", f"/api/daily/{quote(game, safe='')}", wire.Table)
        contract = known_game(table)
        check_names(contract.id, rulebook(contract), names)
        # No other player sees this table, so it is shown from the first card on.
        return RemotePlay(line, table, pace, table if table.head.state == "running" else None)


async def join_table(link: str, name: str, names: str, watch: bool, pace: float) -> RemotePlay:
    """Join the table of a link: sit down, take back the player's own seat, or watch.

    Args:
        link: the link of the table.
        name: the name that other players see; empty to keep the guest's name.
        names: the set of card names; empty for plain names.
        watch: whether to watch without sitting down.
        pace: seconds between two events shown.

    Raises:
        LineError: the link is invalid, the server cannot be reached or refuses, or it plays the game by other rules.
        OptionError: the game has no such set of card names.
        KeptError: the kept tokens cannot be read.
    """
    server, id = parse_link(link)
    async with Line(server) as line:
        if not watch:
            await _sign_in(line, name)
        table = await line.ask("GET", f"/api/tables/{id}", wire.Table)
        contract = known_game(table)
        check_names(contract.id, rulebook(contract), names)
        if watch or table.head.state == "over":
            return RemotePlay(line, table, pace)
        return await RemotePlay.sit_down(line, table, None, pace)


async def _sign_in(line: Line, name: str) -> None:
    """Sign in with the kept token, or as a new guest whose token is then kept; also note the server's public address.

    A token that the server does not know is kept: another server may run at this address for a while.
    """
    asked = AskGuest(name=name or None)
    line.token = kept_token(line.server)
    with suppress(LineError):
        line.public_url = (await line.ask("GET", "/api/games", Games)).public_url or line.server
    try:
        guest = await line.ask("POST", "/api/guests", Guest, asked)
    except ServerRefusal as refused:
        if refused.status != _UNAUTHORIZED or not line.token:
            raise
        known = f"the server at {line.server} does not know the guest that you were there"
        raise LineError(f"{known}: start anew with mekuri guest {line.server} --sign-out here") from None
    if guest.token:
        line.token = guest.token
        keep_token(line.server, guest.token)
