"""Routes of tables: to make one, sit down, play, watch, and look back."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response, Router, delete, get, post
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from mekuri import games
from mekuri.engine.fields import MOST_SEATS
from mekuri.protocol import analysis as wired
from mekuri.protocol import review as reviews
from mekuri.protocol import table as wire
from mekuri.server.base.asked import Asked
from mekuri.server.base.cached_response import CHECKED, FINAL, SAME
from mekuri.server.base.compression import GZIPPED, VARY, accepts_gzip
from mekuri.server.base.limits import household_of
from mekuri.server.http.routes.dependencies import Visiting, body, refusals

TableId = Annotated[str, PathParameter(description="A table's id.", max_length=64, examples=[Example(value="b7Zk2QxWm0Ra")])]
NewTable = Annotated[wire.AskTable, body(wire.AskTable(game=games.names()[0], seats=["person", "greedy"]))]
NewSeat = Annotated[wire.AskSeat, body(wire.AskSeat(seat=0, cut="1f0a6c2e9b"))]
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="16 to 64 random letters and digits: the same request with the same key, sent again, makes no other table.",
        pattern=r'^"?[0-9A-Za-z_-]{16,64}"?$',
        examples=[Example(value="8e03978e-40d5-43dd")],
    ),
]
FreedSeat = Annotated[wire.AskFree, body(wire.AskFree(seat=1, version=2))]
NewAction = Annotated[wire.AskAction, body(wire.AskAction(version=3, action="7I"))]
NewReady = Annotated[wire.AskReady, body(wire.AskReady(round=1))]
NewTakeBack = Annotated[wire.AskTakeBack, body(wire.AskTakeBack(version=3))]
NewSaying = Annotated[wire.AskSay, body(wire.AskSay(version=3, said="stamps.thanks"))]
NewRetry = Annotated[reviews.AskRetry, body(reviews.AskRetry(seat=0, seen=3, line="0:7I", since=3))]
_FAR = (1 << 53) - 1
RoundNumber = Annotated[int, PathParameter(ge=1, le=_FAR, description="The round's number, from 1.", examples=[Example(value=1)])]


def _told(body: bytes, headers: dict[str, str] | None = None) -> Response[Any]:
    """Return a response with a body that is encoded already."""
    return Response(body, media_type=MediaType.JSON, headers=headers)


@post("/", summary="Make a table", operation_id="make_table", responses=refusals(404, body=True), status_code=201)
async def make_table(
    data: NewTable,
    visitor: Visiting,
    idempotency_key: IdempotencyKey = None,
) -> Response[wire.Table]:
    """Make a table. Its id is the invitation: all who have it may watch, and sit down where a seat is free.

    The commitment in its head binds every shuffle of the match before anybody has cut. The maker has no seat yet: sit down next.
    """
    return _told(await visitor.tables.make(data, visitor.guest.id, visitor.address, idempotency_key))


@get("/", summary="The lists of tables", operation_id="tables", responses=refusals())
async def list_tables(visitor: Visiting) -> Response[wire.Tables]:
    """Return the public tables with a free seat for you, and your tables in progress."""
    return _told(await visitor.tables.lists.told(visitor.id))


@get("/{id:str}", summary="A table", operation_id="table", responses=refusals(404))
async def show_table(id: TableId, visitor: Visiting) -> Response[wire.Table]:
    """Return the table as you see it: from your seat, or as a spectator."""
    return _told(await visitor.tables.look(id, visitor.id))


@post("/{id:str}/seat", summary="Sit down", operation_id="sit", status_code=200, responses=refusals(404, 409, body=True))
async def sit_down(id: TableId, data: NewSeat, visitor: Visiting) -> Response[wire.Table]:
    """Take a free seat, or take yours back from the bot that held it. When the last seat is taken, the match begins."""
    who = visitor.guest
    return _told(await visitor.tables.sit(id, who.id, who.name, data))


@post("/{id:str}/free", summary="Free a seat", operation_id="free", status_code=200, responses=refusals(404, 409, body=True))
async def free_seat(id: TableId, data: FreedSeat, visitor: Visiting) -> Response[wire.Table]:
    """Free the seat of another person at a table that you have made, before the match begins; optionally keep that person out.

    Everybody at the table is told. Once the match has begun, a bot plays for an absent person, and no seat can be freed.
    The same request sent again changes nothing.
    """
    return _told(await visitor.tables.free(id, visitor.guest.id, data))


@delete("/{id:str}/seat", summary="Leave", operation_id="leave", responses=refusals(404), status_code=200)
async def leave_seat(id: TableId, visitor: Visiting) -> Response[wire.Table]:
    """Leave your seat. A bot plays on if other people play with you; otherwise the match is abandoned."""
    return _told(await visitor.tables.leave(id, visitor.guest.id))


@post("/{id:str}/actions", summary="Play", operation_id="play", status_code=200, responses=refusals(404, 409, 422, body=True))
async def play_action(id: TableId, data: NewAction, visitor: Visiting) -> wire.Answer:
    """Do one of the view's legal actions. The same action sent again gets the same response, and is done once.

    `version` is that of the view it responds to. A different action for the same decision is answered 409.
    """
    return await visitor.tables.play(id, visitor.guest.id, data)


@post(
    "/{id:str}/ready",
    summary="Go on",
    operation_id="ready",
    status_code=200,
    responses=refusals(404, 409, body=True),
)
async def ask_next(id: TableId, data: NewReady, visitor: Visiting) -> Response[wire.Table]:
    """Ask for the next round, or for the end of the match. Either comes about when everybody who is present has asked for it."""
    return _told(await visitor.tables.ready(id, visitor.guest.id, data))


@post(
    "/{id:str}/take-back",
    summary="Take back",
    operation_id="take_back",
    status_code=200,
    responses=refusals(404, 409, body=True),
)
async def take_back(id: TableId, data: NewTakeBack, visitor: Visiting) -> Response[wire.Table]:
    """Undo your last choice in the round, where all other seats are bots; the same cards come again.

    From then on the match is `practice` and counts in no statistics. Up to 99 times a table; a request sent again with the same
    version counts once.
    """
    return _told(await visitor.tables.take_back(id, visitor.guest.id, data))


@post(
    "/{id:str}/stand-in",
    summary="Have a bot play for a player who does not act",
    operation_id="stand_in",
    status_code=200,
    responses=refusals(404, 409),
)
async def let_bot_play(id: TableId, visitor: Visiting) -> Response[wire.Table]:
    """Have a bot play for each player who has let you wait for too long (`stalled_at` of the presence), until that player acts.

    It is refused at tables that are played turn by turn, and where you have to act yourself.
    """
    return _told(await visitor.tables.stand_in(id, visitor.guest.id))


@post(
    "/{id:str}/break-off",
    summary="Ask to end a match in which a player does not act",
    operation_id="break_off",
    status_code=200,
    responses=refusals(404, 409),
)
async def ask_break_off(id: TableId, visitor: Visiting) -> Response[wire.Table]:
    """Ask to end the match without a result, because another player has let you wait for too long.

    It ends when all players who wait have asked for it (`ends` of the presence), and then counts for nobody. It is refused as
    `stand-in` is.
    """
    return _told(await visitor.tables.break_off(id, visitor.guest.id))


@post(
    "/{id:str}/say",
    summary="Say something",
    operation_id="say",
    status_code=200,
    responses=refusals(404, 409, body=True),
)
async def say_something(id: TableId, data: NewSaying, visitor: Visiting) -> Response[wire.Table]:
    """Say one of the catalogue's `stamps` or `phrases` to everybody at the table, from your seat.

    Up to three times in 15 seconds, and 99 times a table. A request sent again with the same version is said once.
    """
    return _told(await visitor.tables.say(id, visitor.guest.id, data))


@post(
    "/{id:str}/rematch",
    summary="Play again",
    operation_id="rematch",
    status_code=200,
    responses=refusals(404, 409),
)
async def ask_rematch(id: TableId, visitor: Visiting) -> Response[wire.Table]:
    """Return the rematch of a finished match. The first request of a player makes the table; later ones return the same table.

    It has the same rules and seats, which are kept for their people for as long as an absent person is waited for; the deal passes
    on as after a round. Everybody here is told of it (`rematch` of the head). Sit down there next.
    """
    return _told(await visitor.tables.rematch(id, visitor.guest.id))


@get("/{id:str}/cards", summary="The worth of the cards", operation_id="cards", responses=SAME | refusals(404))
async def show_cards(request: Asked, id: TableId, visitor: Visiting) -> Response[wire.Worths]:
    """Return the points of every card in play and the yaku it can be part of, under the options of the table."""
    return (await visitor.tables.worths(id, visitor.id)).answer(request, FINAL)


@get("/{id:str}/events", summary="The events of a table", operation_id="events", responses=refusals(404))
async def show_events(
    request: Asked,
    id: TableId,
    visitor: Visiting,
    since: Annotated[
        int, QueryParameter(ge=0, le=_FAR, description="The version from which on to tell.", examples=[Example(value=3)])
    ] = 0,
) -> Response[wire.Events]:
    """Return what you have seen happen since a version, as the stream sends it, and the table. No events if it is too long ago."""
    body, packed = await visitor.tables.events(id, visitor.id, since, accepts_gzip(request))
    return _told(body, VARY | GZIPPED if packed else VARY)


@get("/{id:str}/rounds/{number:int}", summary="Replay a finished round", operation_id="replay", responses=SAME | refusals(404, 409))
async def show_replay(
    request: Asked,
    id: TableId,
    number: RoundNumber,
    visitor: Visiting,
    seat: Annotated[
        int | None,
        QueryParameter(
            ge=0, lt=MOST_SEATS, description="From which seat; a spectator's view if left out.", examples=[Example(value=0)]
        ),
    ] = None,
) -> Response[wire.Replay]:
    """Return everything that happened in a finished round, as a seat or a spectator saw it."""
    return (await visitor.tables.replay(id, number, seat, visitor.id)).answer(request, CHECKED)  # as names may change


@get("/{id:str}/analysis", summary="Weigh your legal actions", operation_id="analysis", responses=refusals(404, 409))
async def show_analysis(id: TableId, visitor: Visiting) -> Response[wired.Analysis]:
    """Return the value of each of your legal actions, and its reasons, from what you can know. Only where all other seats are bots.

    It takes processor time from your budget. The same decision gets the same response.
    """
    return _told(await visitor.tables.weigh(id, visitor.guest.id))


@get("/{id:str}/why", summary="Why a move was made", operation_id="why", responses=refusals(404, 409))
async def show_why(id: TableId, visitor: Visiting) -> Response[wired.Why]:
    """Return why another seat may have made its last move, from what you can know. Only where all other seats are bots.

    It costs as much as an analysis. When the round is over, `rounds/NUMBER/why` explains the move from all that is known then.
    """
    return _told(await visitor.tables.why(id, visitor.guest.id))


@get(
    "/{id:str}/rounds/{number:int}/analysis",
    summary="Weigh a decision of a finished round",
    operation_id="analysis_of_round",
    responses=SAME | refusals(404, 409),
)
async def show_past_analysis(
    request: Asked,
    id: TableId,
    number: RoundNumber,
    visitor: Visiting,
    seat: Annotated[int, QueryParameter(ge=0, lt=MOST_SEATS, description="The seat that decided.", examples=[Example(value=0)])],
    version: Annotated[
        int,
        QueryParameter(
            ge=0,
            le=_FAR,
            description="The version of the replay's view in which the decision is asked.",
            examples=[Example(value=3)],
        ),
    ],
) -> Response[wired.Analysis]:
    """Return the value of each action that a seat could choose from in a finished round, from what it could know then."""
    who = visitor.id or household_of(visitor.address)
    return (await visitor.tables.weigh_past(id, number, seat, version, who)).answer(request, CHECKED)


@get(
    "/{id:str}/rounds/{number:int}/why",
    summary="Why a move of a finished round was made",
    operation_id="why_of_round",
    responses=SAME | refusals(404, 409),
)
async def show_past_why(
    request: Asked,
    id: TableId,
    number: RoundNumber,
    visitor: Visiting,
    version: Annotated[
        int,
        QueryParameter(
            ge=0, le=_FAR, description="The version of the replay's view that shows the move.", examples=[Example(value=4)]
        ),
    ],
    seat: Annotated[
        int | None,
        QueryParameter(
            ge=0, lt=MOST_SEATS, description="The seat that sees the replay; a spectator if left out.", examples=[Example(value=0)]
        ),
    ] = None,
) -> Response[wired.Why]:
    """Return why a seat has made a move: from what it knew itself, and from all cards, as a review of that seat judges it."""
    who = visitor.id or household_of(visitor.address)
    return (await visitor.tables.why_past(id, number, seat, version, who)).answer(request, CHECKED)


@get("/{id:str}/rounds/{number:int}/review", summary="Review a finished round", operation_id="review", responses=refusals(404, 409))
async def show_review(
    id: TableId,
    number: RoundNumber,
    visitor: Visiting,
    seat: Annotated[
        int, QueryParameter(ge=0, lt=MOST_SEATS, description="The seat whose decisions are reviewed.", examples=[Example(value=0)])
    ],
    again: Annotated[
        bool, QueryParameter(description="Make a review of an earlier judge again.", examples=[Example(value=False)])
    ] = False,
) -> Response[reviews.Reviewed]:
    """Return what each decision of a seat cost, and what was luck; or how far the review has come: repeat the request then.

    It is made at the first request, from the budget of processor time of its sender, and stored for everybody. If an earlier judge
    made it (`older`), it is made again when `again` is true; repeat that request until the review is there.
    """
    return _told(await visitor.tables.review(id, number, seat, visitor.id or household_of(visitor.address), again))


@post(
    "/{id:str}/rounds/{number:int}/retry",
    summary="Try a finished round otherwise",
    operation_id="retry",
    status_code=200,
    responses=refusals(404, 409, 422, body=True),
)
async def try_otherwise(id: TableId, number: RoundNumber, data: NewRetry, visitor: Visiting) -> reviews.Retried:
    """Play a finished round from a moment on with the same cards and bots in the other seats. Nothing is stored.

    It takes processor time from your budget. The same line of actions gets the same response.
    """
    return await visitor.tables.retry(id, number, data, visitor.id)


@get("/{id:str}/record", summary="The record of a match", operation_id="record", responses=SAME | refusals(404, 409))
async def show_record(request: Asked, id: TableId, visitor: Visiting) -> Response[dict[str, Any]]:
    """Return the record of a finished match: it replays exactly, and `mekuri verify` proves its deals."""
    answer = (await visitor.tables.record(id, visitor.id)).answer(request, CHECKED)
    answer.headers["content-disposition"] = f'attachment; filename="mekuri-{id}.json"'
    return answer


router = Router(
    "/api/tables",
    route_handlers=[
        make_table,
        list_tables,
        show_table,
        sit_down,
        free_seat,
        leave_seat,
        play_action,
        ask_next,
        take_back,
        let_bot_play,
        ask_break_off,
        say_something,
        ask_rematch,
        show_cards,
        show_events,
        show_analysis,
        show_why,
        show_replay,
        show_past_analysis,
        show_past_why,
        show_review,
        try_otherwise,
        show_record,
    ],
    tags=["tables"],
)
