"""Routes of what is sent unasked: the event stream (server-sent events), and the operator's announcement."""

from __future__ import annotations

from mekuri.desk.desk import Desk
from mekuri.desk.route import Route, Visitor, param
from mekuri.desk.stream import Stream, parse_id
from mekuri.protocol import table as wire
from mekuri.table.errors import ProblemError

MEDIA = "text/event-stream"
MOST_TABLES = 8  # tables of one stream


async def follow(desk: Desk, who: Visitor, table: list[str], last: str | None = None) -> Stream:
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
    device = who.person.device if who.person else None
    stream = Stream(who.id, who.address, ids, parse_id(last, len(ids)), device, desk.time)
    await desk.streams.connect(stream)
    if who.person and device not in [known.id for known in await desk.store.devices(who.person.id)]:
        desk.streams.disconnect(stream)
        raise ProblemError("not-signed-in")
    return stream


async def show_notice(desk: Desk, who: Visitor) -> wire.Notice:
    """Return the announcement of the server's operator, in one language or several. Streams of tables send it, too."""
    return desk.streams.notice


_TABLES = param("table", list[str], "Ids of the tables to follow.", ["b7Zk2QxWm0Ra"], min_items=1, max_items=MOST_TABLES)
_LAST = param("last", str | None, "Id of the last event that arrived.", "12", None, "Last-Event-ID", max_length=256)
ROUTES = (
    Route("GET", "/api/stream", "stream", "Follow tables", follow, Stream, None, (404,), (_TABLES, _LAST), media=MEDIA),
    Route("GET", "/api/notice", "notice", "The announcement", show_notice, wire.Notice),
)
