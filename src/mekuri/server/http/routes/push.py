"""Routes by which a device is told that it is its person's turn."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, delete, get, post

from mekuri.protocol.push import AskPush, TurnNews
from mekuri.server.http.routes.dependencies import Visiting, Visitor, body, refusals
from mekuri.server.storage.push_store import Subscription
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict

NewPush = Annotated[
    AskPush,
    body(
        AskPush(
            endpoint="https://updates.push.services.mozilla.com/wpush/v2/abc",
            p256dh="BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U",
            auth="DGv6ra1nlYgDCS1FRnbzlw",
        )
    ),
]


async def _news(visitor: Visitor) -> TurnNews:
    news = visitor.tables.turn_news
    person = visitor.person
    own = await visitor.tables.store.subscriptions(person.id) if person else []
    here = person is not None and any(one.device == person.device for one in own)
    return TurnNews(key=await news.push.public(), club=news.webhook is not None, here=here)


@get("/", summary="How am I told that it is my turn?", operation_id="turn_news", responses=refusals())
async def show_news(visitor: Visiting) -> TurnNews:
    """Return how people can be told, at tables that are played turn by turn, that it is their turn."""
    return await _news(visitor)


@post("/", summary="Tell this device", operation_id="subscribe", responses=refusals(409, 422, body=True), status_code=200)
async def subscribe(data: NewPush, visitor: Visiting) -> TurnNews:
    """Have this device told by web push when it is the turn of the guest of the request."""
    one = Subscription(visitor.guest.device, data.endpoint, data.p256dh, data.auth, data.lang)
    try:
        await visitor.tables.turn_news.push.subscribe(one)
    except Conflict:
        raise ProblemError("not-signed-in") from None
    return await _news(visitor)


@delete("/", summary="Tell this device no more", operation_id="unsubscribe", responses=refusals(), status_code=200)
async def unsubscribe(visitor: Visiting) -> TurnNews:
    """Have this device told nothing any more."""
    await visitor.tables.store.unsubscribe(visitor.guest.device)
    return await _news(visitor)


router = Router("/api/push", route_handlers=[show_news, subscribe, unsubscribe], tags=["guests"])
