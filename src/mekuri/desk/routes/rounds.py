"""Routes by which a table is looked at: its cards and events, its finished rounds, and what bots say of decisions in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw

from mekuri.desk.cached_response import CHECKED, FINAL, JSON, CachedResponse, worth_compressing
from mekuri.desk.desk import Desk
from mekuri.desk.event_cache import EventCache
from mekuri.desk.homes import at_home
from mekuri.desk.live_table import LiveTable
from mekuri.desk.route import FAR, Packed, Param, Route, Visitor, param
from mekuri.engine.fields import MOST_SEATS
from mekuri.protocol import analysis, library
from mekuri.protocol import review as reviews
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.table.coming import need_seat
from mekuri.table.commands import seat_of
from mekuri.table.events import Viewer
from mekuri.table.history import Again
from mekuri.table.reasons import last_move, past_move
from mekuri.table.retrying import retry
from mekuri.table.showing import record_of, replay_of
from mekuri.table.table import Table
from mekuri.table.weighing import Weighing, past, present


@at_home
async def show_cards(desk: Desk, id: str, who: Visitor) -> CachedResponse:
    """Return the points of every card in play and the yaku it can be part of, under the options of the table."""
    event_cache, game = await desk.tables.read(id, lambda live, table: (live.event_cache, table.game), asker=who.id)
    return await event_cache.answer("cards", lambda: encode(library.worths(id, game)))


@at_home
async def show_events(desk: Desk, id: str, who: Visitor, since: int = 0) -> Packed:
    """Return what you have seen happen since a version, as the stream sends it, and the table. No events if it is too long ago."""

    def find(live: LiveTable, table: Table) -> tuple[EventCache, Viewer, bytes, Again | None]:
        viewer = seat_of(table, who.id)
        return live.event_cache, viewer, live.whole(viewer), live.again(viewer, since)

    event_cache, viewer, whole, again = await desk.tables.read(id, find, who.id)
    key = (viewer, since, whole)
    if who.packs and (kept := event_cache.find_compressed(key)):
        return Packed(kept, True)
    events = await event_cache.events(again) if again else []
    body = msgspec.json.encode({"events": [Raw(data) for _, data in events], "table": Raw(whole)})
    if who.packs and worth_compressing(body, JSON):
        return Packed(await event_cache.compress(key, body), True)
    return Packed(body, False)


@at_home
async def show_replay(desk: Desk, id: str, who: Visitor, number: int, seat: int | None = None) -> CachedResponse:
    """Return everything that happened in a finished round, as a seat or a spectator saw it."""

    def find(live: LiveTable, table: Table) -> tuple[EventCache, list[str], Again]:
        if seat is not None:
            need_seat(table, seat)
        names = [table.label(place) for place in range(len(table.seats))]
        return live.event_cache, names, replay_of(table, seat, number)

    event_cache, names, again = await desk.tables.read(id, find, asker=who.id)

    def body() -> bytes:
        return encode(wire.Replay(table=id, round=number, you=seat, seats=names, events=again.tell()))

    return await event_cache.answer(("round", number, seat, again.until), body)


@at_home
async def show_record(desk: Desk, id: str, who: Visitor) -> CachedResponse:
    """Return the record of a finished match: it replays exactly, and `mekuri verify` proves its deals."""
    event_cache, table = await desk.tables.read(id, lambda live, table: (live.event_cache, table), asker=who.id)
    return await event_cache.answer("record", partial(_record, table))


def _record(table: Table) -> bytes:
    """Return the record of a table. It is made in the worker, as it may be long."""
    return record_of(table).encode()


# --- What bots say ---


async def _weighed(
    desk: Desk, id: str, find: Callable[[Table], Weighing[object]], payer: str, person: str | None = None, asker: str | None = None
) -> CachedResponse:
    """Return an analysis or an explanation of what `find` finds at a table. Arguments are as in `Tables.read`."""
    event_cache, weighing = await desk.tables.read(id, lambda live, table: (live.event_cache, find(table)), person, asker)
    return await desk.weighers.answer(event_cache, weighing, payer)


@at_home
async def show_analysis(desk: Desk, id: str, who: Visitor) -> bytes:
    """Return the value of each of your legal actions, and its reasons, from what you can know. Only where all other seats are bots.

    It takes processor time from your budget. The same decision gets the same response.
    """
    person = who.guest.id
    return (await _weighed(desk, id, lambda table: present(table, person), person, person)).body


@at_home
async def show_why(desk: Desk, id: str, who: Visitor) -> bytes:
    """Return why another seat may have made its last move, from what you can know. Only where all other seats are bots.

    It costs as much as an analysis. When the round is over, `rounds/NUMBER/why` explains the move from all that is known then.
    """
    person = who.guest.id
    return (await _weighed(desk, id, lambda table: last_move(table, person), person, person)).body


@at_home
async def show_past_analysis(desk: Desk, id: str, who: Visitor, number: int, seat: int, version: int) -> CachedResponse:
    """Return the value of each action that a seat could choose from in a finished round, from what it could know then."""
    return await _weighed(desk, id, lambda table: past(table, number, seat, version), who.payer, asker=who.id)


@at_home
async def show_past_why(desk: Desk, id: str, who: Visitor, number: int, version: int, seat: int | None = None) -> CachedResponse:
    """Return why a seat has made a move: from what it knew itself, and from all cards, as a review of that seat judges it."""
    return await _weighed(desk, id, lambda table: past_move(table, number, seat, version), who.payer, asker=who.id)


async def show_review(desk: Desk, id: str, who: Visitor, number: int, seat: int, again: bool = False) -> bytes:
    """Return what each decision of a seat cost, and what was luck; or how far the review has come: repeat the request then.

    It is made at the first request, from the budget of processor time of its sender, and stored for everybody. If an earlier judge
    made it (`older`), it is made again when `again` is true; repeat that request until the review is there.
    """
    round = await desk.tables.finished(id, number, seat, who.id)
    return await desk.reviewers.answer((id, number, seat), round, who.payer, again)


async def try_otherwise(desk: Desk, id: str, who: Visitor, number: int, asked: reviews.AskRetry) -> reviews.Retried:
    """Play a finished round from a moment on with the same cards and bots in the other seats. Nothing is stored.

    It takes processor time from your budget. The same line of actions gets the same response.
    """
    round = await desk.tables.finished(id, number, asked.seat, who.id)
    return await desk.work.do(partial(retry, round, asked.seat, asked.seen, asked.line, asked.since))


def _past(path: str, id: str, summary: str, do: Callable[..., Any], answer: Any, *params: Param, **more: Any) -> Route:
    """Return a route by which something is read that is over."""
    return Route("GET", path, id, summary, do, answer, None, (409,), params, **({"caching": CHECKED} | more))


_SINCE = param("since", int, "The version from which on to tell.", 3, 0, ge=0, le=FAR)
_VIEWER = param("seat", int | None, "From which seat; a spectator's view if left out.", 0, None, ge=0, lt=MOST_SEATS)
_DECIDED = param("seat", int, "The seat that decided.", 0, ge=0, lt=MOST_SEATS)
_ASKED = param("version", int, "The version of the replay's view in which the decision is asked.", 3, ge=0, le=FAR)
_SHOWN = param("version", int, "The version of the replay's view that shows the move.", 4, ge=0, le=FAR)
_SEER = param("seat", int | None, "The seat that sees the replay; a spectator if left out.", 0, None, ge=0, lt=MOST_SEATS)
_REVIEWED = param("seat", int, "The seat whose decisions are reviewed.", 0, ge=0, lt=MOST_SEATS)
_AGAIN = param("again", bool, "Make a review of an earlier judge again.", False, False)
_RETRY = reviews.AskRetry(seat=0, seen=3, line="0:7I", since=3)
_WEIGHED, _ROUND = analysis.Analysis, "/api/tables/{id}/rounds/{number}"
_WEIGH_PAST, _WHY_PAST = "Weigh a decision of a finished round", "Why a move of a finished round was made"
ROUTES = (
    Route("GET", "/api/tables/{id}/cards", "cards", "The worth of the cards", show_cards, wire.Worths, caching=FINAL),
    Route("GET", "/api/tables/{id}/events", "events", "The events of a table", show_events, wire.Events, params=(_SINCE,)),
    Route("GET", "/api/tables/{id}/analysis", "analysis", "Weigh your legal actions", show_analysis, _WEIGHED, refused=(409,)),
    Route("GET", "/api/tables/{id}/why", "why", "Why a move was made", show_why, analysis.Why, refused=(409,)),
    # The names in a replay may change.
    _past(_ROUND, "replay", "Replay a finished round", show_replay, wire.Replay, _VIEWER),
    _past(f"{_ROUND}/analysis", "analysis_of_round", _WEIGH_PAST, show_past_analysis, _WEIGHED, _DECIDED, _ASKED),
    _past(f"{_ROUND}/why", "why_of_round", _WHY_PAST, show_past_why, analysis.Why, _SHOWN, _SEER),
    _past(f"{_ROUND}/review", "review", "Review a finished round", show_review, reviews.Reviewed, _REVIEWED, _AGAIN, caching=None),
    Route("POST", f"{_ROUND}/retry", "retry", "Try a finished round otherwise", try_otherwise, reviews.Retried, _RETRY, (409, 422)),
    _past("/api/tables/{id}/record", "record", "The record of a match", show_record, dict[str, Any], file="mekuri-{id}.json"),
)
