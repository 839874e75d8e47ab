"""Guests: a place without sign-up."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi.datastructures import ResponseSpec

from mekuri.protocol import table as wire
from mekuri.server.people import COOKIE, Asked, People, token_of
from mekuri.server.routes.given import Visiting, body, refusals
from mekuri.server.settings import Settings

NewGuest = Annotated[wire.AskGuest, body(wire.AskGuest(name="Aki"))]
_YEAR = 365 * 86_400
_TOLD = {200: ResponseSpec(wire.Guest, description="You are a guest already", generate_examples=False), **refusals(body=True)}


@post("/", summary="Become a guest, or take another name", operation_id="become_guest", responses=_TOLD, status_code=201)
async def become_guest(request: Asked, data: NewGuest, visitor: Visiting) -> Response[wire.Guest]:
    """A guest's place, with the token that proves it. Asked again by a guest it only changes the name."""
    people, person = visitor.people, visitor.person
    if person:
        renamed = await people.rename(token_of(request), person, data.name) if data.name else person
        return Response(wire.Guest(id=renamed.id, name=renamed.name), status_code=200, cookies=_renewed(request))
    person, token = await people.add(data.name)
    return Response(wire.Guest(id=person.id, name=person.name, token=token), status_code=201, cookies=[_cookie(request, token)])


@get("/me", summary="Who am I?", operation_id="me", responses=refusals())
async def show_me(request: Asked, visitor: Visiting) -> Response[wire.Guest]:
    """The guest that is asking. A browser's cookie is good for another year from now on."""
    return Response(wire.Guest(id=visitor.guest.id, name=visitor.guest.name), cookies=_renewed(request))


def _cookie(request: Asked, token: str) -> Cookie:
    secure = request.url.scheme == "https" or request.app.state.settings.secure
    return Cookie(COOKIE, value=token, httponly=True, samesite="lax", secure=secure, max_age=_YEAR, path="/")


def _renewed(request: Asked) -> list[Cookie]:
    """The cookie of a guest that has come with it; none for whoever gives a token by hand."""
    by_hand = "authorization" in request.headers
    return [] if by_hand else [_cookie(request, request.cookies[COOKIE])]


def router(settings: Settings) -> Router:
    """The addresses of guests. Only so many new ones may come from one address."""

    async def newcomer(request: Asked) -> bool:
        people: People = request.app.state.people
        return request.method == "POST" and await people.find(request) is None

    # A store of its own: it counts by the minute, and the application's by the second.
    limit = RateLimitConfig(("minute", settings.guests), store="guests", check_throttle_handler=newcomer)
    middleware = [limit.middleware] if settings.guests else []
    return Router("/api/guests", route_handlers=[become_guest, show_me], middleware=middleware, tags=["guests"])
