"""Routes of guests: people without an account, on one device or several, and the data stored about them."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, delete, get, post
from litestar import response as answer
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from mekuri.protocol import guests as wire
from mekuri.protocol.played import AskBring, Brought, Played
from mekuri.server.base.asked import Asked
from mekuri.server.http.routes.dependencies import Visiting, Visitor, body, refusals
from mekuri.table.errors import ProblemError
from mekuri.table.stores import Person

NewGuest = Annotated[wire.AskGuest, body(wire.AskGuest(name="Aki"))]
NewDevice = Annotated[wire.AskDevice, body(wire.AskDevice(code="482 109 375 526 771 904"))]
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
    """Create a guest, and return the token that authenticates it. A request by a guest only changes the name, at every table.

    A browser with the cookie of a guest who is unknown here is refused (401, `guest-gone`) until it signs out, so that no guest is
    replaced unasked.
    """
    guests, person = visitor.guests, visitor.person
    if person:
        renamed = await guests.rename(request, person, data.name) if data.name is not None else person
        cookies = await _renewed(request, visitor)
        return Response(wire.Guest(id=renamed.id, name=renamed.name), status_code=200, cookies=cookies)
    if visitor.lost:
        raise ProblemError("guest-gone")
    person, token = await guests.add(data.name, visitor.address)
    return await _signed_in(request, visitor, person, token)


@get("/me", summary="Who am I?", operation_id="me", responses=refusals())
async def show_me(request: Asked, visitor: Visiting) -> Response[wire.Guest]:
    """Return the guest of the request. The cookie of a browser is renewed for a year."""
    cookies = await _renewed(request, visitor)
    return Response(wire.Guest(id=visitor.guest.id, name=visitor.guest.name), cookies=cookies)


@delete("/me", summary="Delete me", operation_id="forget_me", responses=refusals(), status_code=200)
async def forget_me(request: Asked, visitor: Visiting) -> Response[wire.Devices]:
    """Delete the guest of the request, at once and for good: the name, every device and its token.

    The guest leaves the seats at all tables. Matches that were played stay, without the name.
    """
    id, cookies = visitor.guest.id, await _deleted(request, visitor)
    await visitor.guests.forget(id)
    return Response(wire.Devices(devices=[]), cookies=cookies)


@get("/export", summary="Export my data", operation_id="export", responses=_EXPORT, media_type="application/json")
async def export_me(visitor: Visiting) -> answer.Stream:
    """Return all data stored about the guest of the request, as a file."""
    written = await visitor.guests.export(visitor.guest)
    headers = {"content-disposition": 'attachment; filename="mekuri-guest.json"'}
    return answer.Stream(written, media_type="application/json", headers=headers)


@get("/matches", summary="My matches", operation_id="played", responses=refusals())
async def show_played(
    visitor: Visiting,
    skip: Annotated[
        int,
        QueryParameter(
            ge=0, le=_MOST_SKIPPED, description="The number of matches to skip, newest first.", examples=[Example(value=0)]
        ),
    ] = 0,
) -> Played:
    """Return the finished matches of the guest of the request: statistics by game, and a page of matches, the newest first.

    Only finished matches are counted, and of these only the rounds that the guest played to their end.
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
    """Import a match from an export, to be counted here, too. Its record is replayed, which takes processor time.

    The match is marked as imported. One that is here already is not counted twice.
    """
    return await visitor.tables.match_history.bring(visitor.guest.id, data)


@post("/code", summary="Use another device", operation_id="code", responses=refusals(), status_code=201)
async def ask_code(request: Asked, visitor: Visiting) -> wire.Code:
    """Create a code for another device of yours, which sends it to `POST /api/guests/devices`. An older code expires."""
    import segno

    code, until = await visitor.guests.new_code(visitor.guest)
    here = request.app.state.settings.public_url or str(request.base_url)
    link = f"{here.rstrip('/')}/you#{code}"
    drawn = segno.make_qr(link, error="m").matrix
    return wire.Code(code=code, until=until, link=link, qr=["".join(map(str, row)) for row in drawn])


@get("/devices", summary="My devices", operation_id="devices", responses=refusals())
async def list_devices(visitor: Visiting) -> wire.Devices:
    """Return the devices on which the guest of the request is signed in."""
    return wire.Devices(devices=await visitor.guests.devices(visitor.guest))


@post("/devices", summary="Use a code", operation_id="use_code", responses=refusals(404, 409, body=True), status_code=201)
async def use_code(request: Asked, data: NewDevice, visitor: Visiting) -> Response[wire.Guest]:
    """Sign in on this device as the guest you are on another device, with a token of its own.

    A device that is signed in as a different guest is refused unless `replace` is set; the seats taken here stay with the former
    guest.
    """
    person, token = await visitor.guests.use_code(data, visitor.person, visitor.address)
    return await _signed_in(request, visitor, person, token)


@delete("/devices", summary="Sign out everywhere else", operation_id="sign_out", responses=refusals(), status_code=200)
async def sign_out(visitor: Visiting) -> wire.Devices:
    """Sign the guest of the request out on every other device, at once. An unused code expires."""
    await visitor.guests.sign_out(visitor.guest)
    return wire.Devices(devices=await visitor.guests.devices(visitor.guest))


@delete("/devices/here", summary="Sign out here", operation_id="sign_out_here", responses=refusals(), status_code=200)
async def sign_out_here(request: Asked, visitor: Visiting) -> Response[wire.Devices]:
    """Sign the guest of the request out on this device. Without another device, the guest's seats are lost.

    A browser with the cookie of a guest who is unknown here loses that cookie.
    """
    cookies = await _deleted(request, visitor)
    if not visitor.lost:
        await visitor.guests.sign_out_here(visitor.guest)
    return Response(wire.Devices(devices=[]), cookies=cookies)


def _cookie(request: Asked, name: str, token: str, life: int = _YEAR) -> Cookie:
    secure = request.url.scheme == "https" or request.app.state.settings.secure
    return Cookie(name, value=token, httponly=True, samesite="lax", secure=secure, max_age=life, path="/")


def _by_hand(request: Asked) -> bool:
    """Whether a request is authenticated by a header and not by a cookie."""
    return "authorization" in request.headers


async def _signed_in(request: Asked, visitor: Visitor, person: Person, token: str) -> Response[wire.Guest]:
    """Return the response to a request that has brought a token for this device."""
    cookies = [_cookie(request, name, token) for name in await visitor.guests.cookies(request)]
    return Response(wire.Guest(id=person.id, name=person.name, token=token), status_code=201, cookies=cookies)


async def _renewed(request: Asked, visitor: Visitor) -> list[Cookie]:
    """Return the renewed cookies of a request that came with one; none for a request with a bearer token."""
    if _by_hand(request):
        return []
    token = await visitor.guests.token(request, visitor.guest)
    return [_cookie(request, name, token) for name in await visitor.guests.cookies(request) if token]


async def _deleted(request: Asked, visitor: Visitor) -> list[Cookie]:
    """Return the deleted cookies of a request that is about to sign its device out; none for a request with a bearer token."""
    return [] if _by_hand(request) else [_cookie(request, name, "", 0) for name in await visitor.guests.cookies(request)]


_HANDLERS = [
    *(become_guest, show_me, forget_me, export_me, show_played, bring_match),
    *(ask_code, list_devices, use_code, sign_out, sign_out_here),
]
router = Router("/api/guests", route_handlers=_HANDLERS, tags=["guests"])
