"""The deals of the day."""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, Response, Router, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from mekuri import games
from mekuri.protocol import daily as wire
from mekuri.protocol.table import Table
from mekuri.server.routes.dependencies import Visiting, body, refusals

_DAY = "2026-11-24"
GameName = Annotated[str, PathParameter(description="A game's name.", max_length=64, examples=[Example(value=games.names()[0])])]
DayAsked = Annotated[
    str | None, QueryParameter(description="Which day; today if left out.", max_length=10, examples=[Example(value=_DAY)])
]
NewCut = Annotated[wire.AskDailyCut, body(wire.AskDailyCut(day=_DAY, cut="1f0a6c2e9b"))]


@get("/", summary="The deals of the day", operation_id="daily", responses=refusals())
async def show_daily(visitor: Visiting) -> wire.Daily:
    """Today's deals, with what they brought to those who have played them, and what tomorrow's are committed to."""
    return await visitor.tables.daily.show(visitor.id)


@post("/", summary="Cut for tomorrow", operation_id="cut_daily", responses=refusals(409, body=True), status_code=200)
async def cut_daily(data: NewCut, visitor: Visiting) -> wire.DailyEve:
    """Put a cut of yours into all deals of tomorrow, which are committed to already. Sent again, it replaces yours.

    What tomorrow's deals are committed to is published before; a minute before that day cuts are taken no more.
    """
    return await visitor.tables.daily.cut(visitor.guest.id, data)


@get("/{game:str}", summary="A deal of a day", operation_id="daily_deal", responses=refusals(404))
async def show_daily_deal(game: GameName, visitor: Visiting, day: DayAsked = None) -> wire.DailyDeal:
    """The deal of a day in one game. What others made of it is told once your own try is over, or that day is."""
    return await visitor.tables.daily.deal(game, day, visitor.id)


@get(
    "/{game:str}/cuts",
    summary="What a deal's cut is made of",
    operation_id="daily_cuts",
    responses=refusals(404),
    media_type=MediaType.TEXT,
)
async def show_daily_cuts(game: GameName, visitor: Visiting, day: DayAsked = None) -> Response[str]:
    """The text whose SHA-256 is the cut of the deal: what it is, the day, the game, and the SHA-256 of each cut, a line each."""
    return Response(await visitor.tables.daily.cuts(game, day), media_type=MediaType.TEXT)


@post("/{game:str}", summary="Play the deal of the day", operation_id="play_daily", responses=refusals(404), status_code=200)
async def play_daily(game: GameName, visitor: Visiting) -> Response[Table]:
    """The table at which you play today's deal: made when you ask first, the same whenever you ask again. You sit in seat 0.

    The match is one round. Until the day is over nobody else may look at the table, whoever has its id.
    """
    who = visitor.guest
    id = await visitor.tables.daily.play(game, who.id, who.name)
    return Response(await visitor.tables.look(id, who.id), media_type=MediaType.JSON)  # type: ignore[arg-type]


router = Router("/api/daily", route_handlers=[show_daily, cut_daily, show_daily_deal, show_daily_cuts, play_daily], tags=["daily"])
