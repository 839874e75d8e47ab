"""Routes of the deals of the day."""

from __future__ import annotations

from mekuri.desk.desk import Desk
from mekuri.desk.route import Route, Visitor, param
from mekuri.desk.routes.tables import show_table
from mekuri.protocol import daily as wire
from mekuri.protocol.table import Table


async def show_daily(desk: Desk, who: Visitor) -> wire.Daily:
    """Return today's deals, with the results of the deals that you have finished, and the commitments of tomorrow's deals."""
    return await desk.daily.show(who.id)


async def cut_daily(desk: Desk, who: Visitor, asked: wire.AskDailyCut) -> wire.DailyEve:
    """Set your cut, a text that is mixed into all deals of tomorrow. A second request replaces it.

    The commitments to tomorrow's deals are published before the first cut. Cuts close one minute before that day begins (UTC).
    """
    return await desk.daily.cut(who.guest.id, who.address, asked)


async def show_daily_deal(desk: Desk, who: Visitor, game: str, day: str | None = None) -> wire.DailyDeal:
    """Return the deal of a day in one game. The results of others are included once you have finished yours, or the day is over."""
    return await desk.daily.deal(game, day, who.id)


async def show_daily_cuts(desk: Desk, who: Visitor, game: str, day: str | None = None) -> str:
    """Return the text whose SHA-256 is the cut of the deal: lines with a title, the day, the game, and the SHA-256 of each cut."""
    return await desk.daily.cuts(game, day)


async def play_daily(desk: Desk, who: Visitor, game: str) -> bytes:
    """Return the table at which you play today's deal, in seat 0. The first request makes it, later ones return the same table.

    The match is one round. Until the day is over nobody else may see the table, even with its id.
    """
    return await show_table(desk, await desk.daily.play(game, who.guest.id, who.guest.name), who)


_DAY = param("day", str | None, "Which day; today if left out.", "2026-11-24", None, max_length=10)
_CUT = wire.AskDailyCut(day="2026-11-24", cut="1f0a6c2e9b")
_DEAL, _CUTS = "/api/daily/{game}", "/api/daily/{game}/cuts"
ROUTES = (
    Route("GET", "/api/daily", "daily", "The deals of the day", show_daily, wire.Daily),
    Route("POST", "/api/daily", "cut_daily", "Cut for tomorrow", cut_daily, wire.DailyEve, _CUT, (409,), alone=False),
    Route("GET", _DEAL, "daily_deal", "A deal of a day", show_daily_deal, wire.DailyDeal, params=(_DAY,)),
    Route("GET", _CUTS, "daily_cuts", "The cuts of a deal", show_daily_cuts, str, params=(_DAY,), media="text/plain"),
    Route("POST", _DEAL, "play_daily", "Play the deal of the day", play_daily, Table),
)
