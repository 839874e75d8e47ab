"""The route of the event stream (server-sent events)."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, QueryParameter

from mekuri.server.base.asked import Asked
from mekuri.server.base.stream import Stream, parse_id
from mekuri.server.http.routes.dependencies import Visiting, refusals
from mekuri.server.http.stream_response import StreamResponse
from mekuri.table.errors import ProblemError

MOST_TABLES = 8  # tables of one stream


@get("/", summary="Follow tables", operation_id="stream", responses=refusals(404), media_type="text/event-stream")
async def follow(
    request: Asked,
    visitor: Visiting,
    table: Annotated[
        list[str],
        QueryParameter(
            min_items=1,
            max_items=MOST_TABLES,
            description="Ids of the tables to follow.",
            examples=[Example(value=["b7Zk2QxWm0Ra"])],
        ),
    ],
    last: Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID", max_length=256, description="Id of the last event that arrived.", examples=[Example(value="12")]
        ),
    ] = None,
) -> StreamResponse:
    """Send what happens at tables, as you see it, one message for each event.

    * `table`: a whole table; the first message, and whenever you see it from another seat
    * `event`: something has happened
    * `presence`: a person has connected or disconnected
    * `notice`: the announcement of the server's operator has changed
    * `bye`: the server is about to stop; reconnect

    An event's id is your version of the table (of several tables, their versions in the order of the query). A client that
    reconnects with `Last-Event-ID`, as browsers do, misses nothing and receives nothing twice.
    """
    ids = list(dict.fromkeys(table))
    device = visitor.person.device if visitor.person else None
    stream = Stream(visitor.id, visitor.address, ids, parse_id(last, len(ids)), device, visitor.tables.time)
    await visitor.tables.streams.connect(stream)
    if visitor.person and not await visitor.guests.still(request, visitor.person):
        visitor.tables.streams.disconnect(stream)
        raise ProblemError("not-signed-in")
    return StreamResponse(stream, visitor.tables.streams.disconnect)


router = Router("/api/stream", route_handlers=[follow], tags=["stream"])
