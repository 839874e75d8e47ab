"""Routes of practice, questions about one's own mistakes, and of the deals of the day."""

from __future__ import annotations

from mekuri.desk.desk import Desk
from mekuri.desk.route import Route, Visitor, param
from mekuri.desk.routes.tables import show_table
from mekuri.protocol import daily
from mekuri.protocol import practice as wire
from mekuri.protocol.table import Table


async def show_practice(desk: Desk, who: Visitor) -> wire.Practice:
    """Return how many of your mistakes are due as questions now, and when the next one will be."""
    return await desk.practice.standing(who.guest.id)


async def search_mistakes(desk: Desk, who: Visitor) -> wire.Practice:
    """Search your finished rounds for mistakes, the newest first. A round that has not been reviewed is reviewed first.

    Reviews are made in the background, one round after the other, from your budget of processor time: repeat the request after a
    moment, until `rounds` is 0.
    """
    return await desk.practice.search(who.guest.id)


async def show_question(desk: Desk, who: Visitor) -> wire.NextQuestion:
    """Return the question that has been due for longest: the decision, and the table as your seat saw it then."""
    return await desk.practice.question(who.guest.id)


async def try_question(desk: Desk, who: Visitor, asked: wire.AskTry) -> wire.Tried:
    """Answer a question. After a wrong first answer there is a hint and a second try.

    The answer decides when the question comes back. The same request sent again gets the same response, and counts once.
    """
    return await desk.practice.attempt(who.guest.id, asked)


# --- The deals of the day ---


async def show_daily(desk: Desk, who: Visitor) -> daily.Daily:
    """Return today's deals, with the results of those that you have finished, and the commitments of tomorrow's deals."""
    return await desk.daily.show(who.id)


async def cut_daily(desk: Desk, who: Visitor, asked: daily.AskDailyCut) -> daily.DailyEve:
    """Set your cut, a text that is mixed into all deals of tomorrow. A second request replaces it.

    The commitments to tomorrow's deals are published before anybody cuts. Cuts close one minute before that day begins (UTC).
    """
    return await desk.daily.cut(who.guest.id, who.address, asked)


async def show_daily_deal(desk: Desk, who: Visitor, game: str, day: str | None = None) -> daily.DailyDeal:
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
_TRY = wire.AskTry(table="b7Zk2QxWm0Ra", round=1, number=2, tries=0, action="7I")
_CUT = daily.AskDailyCut(day="2026-11-24", cut="1f0a6c2e9b")
_DEAL, _CUTS = "/api/daily/{game}", "/api/daily/{game}/cuts"
PRACTICE_ROUTES = (
    Route("GET", "/api/practice", "practice", "The state of my practice", show_practice, wire.Practice),
    Route("POST", "/api/practice", "search_mistakes", "Look for my mistakes", search_mistakes, wire.Practice),
    Route("GET", "/api/practice/question", "question", "The next question", show_question, wire.NextQuestion),
    Route("POST", "/api/practice/tries", "try_question", "Answer a question", try_question, wire.Tried, _TRY, (404, 409)),
)
DAILY_ROUTES = (
    Route("GET", "/api/daily", "daily", "The deals of the day", show_daily, daily.Daily),
    Route("POST", "/api/daily", "cut_daily", "Cut for tomorrow", cut_daily, daily.DailyEve, _CUT, (409,)),
    Route("GET", _DEAL, "daily_deal", "A deal of a day", show_daily_deal, daily.DailyDeal, params=(_DAY,)),
    Route("GET", _CUTS, "daily_cuts", "The cuts of a deal", show_daily_cuts, str, params=(_DAY,), media="text/plain"),
    Route("POST", _DEAL, "play_daily", "Play the deal of the day", play_daily, Table),
)
