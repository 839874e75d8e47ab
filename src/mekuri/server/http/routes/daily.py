"""Routes of the deals of the day."""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, Response, Router, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from mekuri import games
from mekuri.protocol import daily as wire
from mekuri.protocol.table import Table
from mekuri.server.http.routes.dependencies import Visiting, body, refusals

_DAY = "2026-11-24"
GameName = Annotated[str, PathParameter(description="A game's name.", max_length=64, examples=[Example(value=games.names()[0])])]
DayAsked = Annotated[
    str | None, QueryParameter(description="Which day; today if left out.", max_length=10, examples=[Example(value=_DAY)])
]
NewCut = Annotated[wire.AskDailyCut, body(wire.AskDailyCut(day=_DAY, cut="1f0a6c2e9b"))]


@get("/", summary="The deals of the day", operation_id="daily", responses=refusals())
async def show_daily(visitor: Visiting) -> wire.Daily:
    """Return today's deals, with the results of those that you have finished, and the commitments of tomorrow's deals."""
    return await visitor.tables.daily.show(visitor.id)


@post("/", summary="Cut for tomorrow", operation_id="cut_daily", responses=refusals(409, body=True), status_code=200)
async def cut_daily(data: NewCut, visitor: Visiting) -> wire.DailyEve:
    """Set your cut, a text that is mixed into all deals of tomorrow. A second request replaces it.

    The commitments to tomorrow's deals are published before anybody cuts. Cuts close one minute before that day begins (UTC).
    """
    return await visitor.tables.daily.cut(visitor.guest.id, visitor.address, data)


@get("/{game:str}", summary="A deal of a day", operation_id="daily_deal", responses=refusals(404))
async def show_daily_deal(game: GameName, visitor: Visiting, day: DayAsked = None) -> wire.DailyDeal:
    """Return the deal of a day in one game. The results of others are included once you have finished yours, or the day is over."""
    return await visitor.tables.daily.deal(game, day, visitor.id)


@get(
    "/{game:str}/cuts",
    summary="The cuts of a deal",
    operation_id="daily_cuts",
    responses=refusals(404),
    media_type=MediaType.TEXT,
)
async def show_daily_cuts(game: GameName, visitor: Visiting, day: DayAsked = None) -> Response[str]:
    """Return the text whose SHA-256 is the cut of the deal: lines with a title, the day, the game, and the SHA-256 of each cut."""
    return Response(await visitor.tables.daily.cuts(game, day), media_type=MediaType.TEXT)


@post("/{game:str}", summary="Play the deal of the day", operation_id="play_daily", responses=refusals(404), status_code=200)
async def play_daily(game: GameName, visitor: Visiting) -> Response[Table]:
    """Return the table at which you play today's deal, in seat 0. The first request makes it, later ones return the same table.

    The match is one round. Until the day is over nobody else may see the table, even with its id.
    """
    who = visitor.guest
    id = await visitor.tables.daily.play(game, who.id, who.name)
    return Response(await visitor.tables.look(id, who.id), media_type=MediaType.JSON)  # type: ignore[arg-type]


router = Router("/api/daily", route_handlers=[show_daily, cut_daily, show_daily_deal, show_daily_cuts, play_daily], tags=["daily"])
