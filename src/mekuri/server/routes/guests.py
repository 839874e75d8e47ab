"""Guests: a place without sign-up, on one device or several, and what is kept about them."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, delete, get, post
from litestar import response as answer
from litestar.datastructures import Cookie
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from mekuri.protocol import table as wire
from mekuri.protocol.played import AskBring, Brought, Played
from mekuri.server.asked import Asked
from mekuri.server.guests import COOKIE, Guests, token_of
from mekuri.server.routes.dependencies import Visiting, body, refusals
from mekuri.server.settings import Settings

NewGuest = Annotated[wire.AskGuest, body(wire.AskGuest(name="Aki"))]
NewDevice = Annotated[wire.AskDevice, body(wire.AskDevice(code="4821 0937 5526"))]
NewMatch = Annotated[
    AskBring, body(AskBring(table="b7Zk2QxWm0Ra", ended_at=1_760_000_000_000, seat=0, counted=[1], record={"mekuri": 1}))
]
LARGEST_MATCH = 131_072  # bytes
_MOST_SKIPPED = 1_000_000
_YEAR = 365 * 86_400
_TOLD = {200: ResponseSpec(wire.Guest, description="You are a guest already", generate_examples=False), **refusals(body=True)}
_EXPORT = {200: ResponseSpec(wire.Export, description="All that is kept about you", generate_examples=False), **refusals()}


@post("/", summary="Become a guest, or take another name", operation_id="become_guest", responses=_TOLD, status_code=201)
async def become_guest(request: Asked, data: NewGuest, visitor: Visiting) -> Response[wire.Guest]:
    """A guest's place, with the token that proves it. Asked again by a guest it only changes the name, at every table."""
    guests, person = visitor.guests, visitor.person
    if person:
        renamed = await guests.rename(token_of(request), person, data.name) if data.name else person
        return Response(wire.Guest(id=renamed.id, name=renamed.name), status_code=200, cookies=_renewed(request))
    person, token = await guests.add(data.name)
    return Response(wire.Guest(id=person.id, name=person.name, token=token), status_code=201, cookies=[_cookie(request, token)])


@get("/me", summary="Who am I?", operation_id="me", responses=refusals())
async def show_me(request: Asked, visitor: Visiting) -> Response[wire.Guest]:
    """The guest that is asking. A browser's cookie is good for another year from now on."""
    return Response(wire.Guest(id=visitor.guest.id, name=visitor.guest.name), cookies=_renewed(request))


@delete("/me", summary="Delete me", operation_id="forget_me", responses=refusals(), status_code=200)
async def forget_me(request: Asked, visitor: Visiting) -> Response[wire.Devices]:
    """Delete the guest that is asking, at once and for good: the name, every device and its token.

    Whoever is deleted stands up at every table. What they have played stays, as somebody's who has left.
    """
    await visitor.guests.forget(visitor.guest.id)
    return _signed_out(request)


@get("/export", summary="What is kept about me", operation_id="export", responses=_EXPORT, media_type="application/json")
async def export_me(visitor: Visiting) -> answer.Stream:
    """All that is kept about the guest that is asking, as a file."""
    written = await visitor.guests.export(visitor.guest)
    headers = {"content-disposition": 'attachment; filename="mekuri-guest.json"'}
    return answer.Stream(written, media_type="application/json", headers=headers)


@get("/matches", summary="What I have played", operation_id="played", responses=refusals())
async def show_played(
    visitor: Visiting,
    skip: Annotated[
        int, QueryParameter(ge=0, le=_MOST_SKIPPED, description="How many matches to leave out.", examples=[Example(value=0)])
    ] = 0,
) -> Played:
    """What the guest that is asking has played: what it comes to, game by game, and the matches, those that ended last first.

    Only matches that are over are counted, and of them the rounds that are.
    """
    return await visitor.tables.match_history.played(visitor.guest.id, skip)


@post(
    "/matches",
    summary="Bring a match from a file",
    operation_id="bring",
    responses=refusals(404, 409, 422, body=True),
    status_code=200,
    request_max_body_size=LARGEST_MATCH,
)
async def bring_match(data: NewMatch, visitor: Visiting) -> Brought:
    """Have a match of an export counted here as well, marked as brought. Its record is played again, which takes processor time.

    A match that is here already is not counted twice.
    """
    return await visitor.tables.match_history.bring(visitor.guest.id, data)


@post("/code", summary="Use another device", operation_id="code", responses=refusals(), status_code=201)
async def ask_code(request: Asked, visitor: Visiting) -> wire.Code:
    """A code by which another device becomes yours: send it from there to `POST /api/guests/devices`. An older one is void."""
    import segno

    code, until = await visitor.guests.new_code(visitor.guest)
    here = request.app.state.settings.public_url or str(request.base_url)
    link = f"{here.rstrip('/')}/you#{code}"
    drawn = segno.make_qr(link, error="m").matrix
    return wire.Code(code=code, until=until, link=link, qr=["".join(map(str, row)) for row in drawn])


@get("/devices", summary="My devices", operation_id="devices", responses=refusals())
async def list_devices(visitor: Visiting) -> wire.Devices:
    """What the guest that is asking may come with."""
    return wire.Devices(devices=await visitor.guests.devices(visitor.guest))


@post("/devices", summary="Use a code", operation_id="use_code", responses=refusals(404, 409, body=True), status_code=201)
async def use_code(request: Asked, data: NewDevice, visitor: Visiting) -> Response[wire.Guest]:
    """Become on this device who you are on another, with a token of its own.

    A guest who is somebody else here is refused unless `replace` is sent: the seats taken here stay with the token of then.
    """
    person, token = await visitor.guests.use_code(data, visitor.person, visitor.address)
    return Response(wire.Guest(id=person.id, name=person.name, token=token), status_code=201, cookies=[_cookie(request, token)])


@delete("/devices", summary="Sign out everywhere else", operation_id="sign_out", responses=refusals(), status_code=200)
async def sign_out(visitor: Visiting) -> wire.Devices:
    """Sign the guest that is asking out on every other device, at once. A code that has not been used is void."""
    await visitor.guests.sign_out(visitor.guest)
    return wire.Devices(devices=await visitor.guests.devices(visitor.guest))


@delete("/devices/here", summary="Sign out here", operation_id="sign_out_here", responses=refusals(), status_code=200)
async def sign_out_here(request: Asked, visitor: Visiting) -> Response[wire.Devices]:
    """Sign the guest that is asking out on this device. Whoever has no other has lost the seats that were taken so."""
    await visitor.guests.sign_out_here(visitor.guest)
    return _signed_out(request)


def _cookie(request: Asked, token: str, life: int = _YEAR) -> Cookie:
    secure = request.url.scheme == "https" or request.app.state.settings.secure
    return Cookie(COOKIE, value=token, httponly=True, samesite="lax", secure=secure, max_age=life, path="/")


def _by_hand(request: Asked) -> bool:
    """Whether a guest has given a token by hand, and not come with a cookie."""
    return "authorization" in request.headers


def _renewed(request: Asked) -> list[Cookie]:
    """The cookie of a guest that has come with it; none for whoever gives a token by hand."""
    return [] if _by_hand(request) else [_cookie(request, request.cookies[COOKIE])]


def _signed_out(request: Asked) -> Response[wire.Devices]:
    """No device is left here, and no cookie."""
    return Response(wire.Devices(devices=[]), cookies=[] if _by_hand(request) else [_cookie(request, "", 0)])


def router(settings: Settings) -> Router:
    """The addresses of guests. Only so many new ones may come from one address."""

    async def newcomer(request: Asked) -> bool:
        guests: Guests = request.app.state.guests
        return request.method == "POST" and await guests.find(request) is None

    # A store of its own: it counts by the minute, and the application's by the second.
    limit = RateLimitConfig(("minute", settings.guests), store="guests", check_throttle_handler=newcomer)
    middleware = [limit.middleware] if settings.guests else []
    handlers = [
        *(become_guest, show_me, forget_me, export_me, show_played, bring_match),
        *(ask_code, list_devices, use_code, sign_out, sign_out_here),
    ]
    return Router("/api/guests", route_handlers=handlers, middleware=middleware, tags=["guests"])
