"""Routes of guests: people without an account, on one device or several, the data stored about them, and news of their turns."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from mekuri.desk.desk import Desk
from mekuri.desk.homes import at_home
from mekuri.desk.news import Subscription
from mekuri.desk.route import Route, Visitor, param
from mekuri.desk.stores import Person
from mekuri.protocol import guests as wire
from mekuri.protocol.played import AskBring, Brought, Played
from mekuri.protocol.push import AskPush, TurnNews
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, LogError

_log = logging.getLogger("mekuri.desk")
_ALL = 1 << 31
_MOST_SKIPPED = 1_000_000
LARGEST_MATCH = 131_072  # bytes


async def become_guest(desk: Desk, who: Visitor, asked: wire.AskGuest) -> wire.Guest:
    """Create a guest, and return the token that authenticates it. A request by a guest only changes the name, at every table.

    A browser with the cookie of a guest who is unknown here is refused (401, `guest-gone`) until it signs out, so that no guest is
    replaced unasked.
    """
    person = who.person
    if person:
        return _guest(await desk.guests.rename(person, asked.name) if asked.name is not None else person)
    if who.lost:
        raise ProblemError("guest-gone")
    return _guest(*await desk.guests.add(asked.name, who.address))


def _guest(person: Person, token: str | None = None) -> wire.Guest:
    return wire.Guest(id=person.id, name=person.name, token=token)


async def show_me(desk: Desk, who: Visitor) -> wire.Guest:
    """Return the guest of the request. The cookie of a browser is renewed for a year."""
    return _guest(who.guest)


async def forget_me(desk: Desk, who: Visitor) -> wire.Devices:
    """Delete the guest of the request, at once and for good: the name, every device and its token.

    The guest leaves the seats at all tables. Matches that were played stay, without the name.
    """
    # It is completed even if the request is cancelled, and may be repeated.
    await desk.tables.tasks.do(_forget(desk, who.guest.id))
    return wire.Devices(devices=[])


async def _forget(desk: Desk, person: str) -> None:
    await desk.store.forget_person(person)
    try:
        await desk.refresh({person})
    finally:
        sat = await desk.store.of_person(person, ("open", "running"), _ALL)
        made = await desk.store.made_open(person)
        for id in dict.fromkeys([*sat, *made]):
            try:
                await stand_up(desk, id, person, id in made)
            except (ProblemError, LogError) as error:
                _log.error("An absent guest cannot leave the seat: %s", error)


@at_home
async def stand_up(desk: Desk, id: str, person: str, made: bool) -> None:
    """Take a deleted guest out of a seat, and close a table that the guest has made and at which nobody else sits."""
    await desk.tables.run(id, partial(commands.let_go, person=person, made=made))


async def export_me(desk: Desk, who: Visitor) -> AsyncIterator[bytes]:
    """Return all data stored about the guest of the request, as a file."""
    return await desk.guests.export(who.guest)


async def show_played(desk: Desk, who: Visitor, skip: int = 0) -> Played:
    """Return the finished matches of the guest of the request: statistics by game, and a page of matches, the newest first.

    Only finished matches are counted, and of these only the rounds that the guest played to their end.
    """
    return await desk.match_history.played(who.guest.id, skip)


async def bring_match(desk: Desk, who: Visitor, asked: AskBring) -> Brought:
    """Import a match from an export, to be counted here, too. Its record is replayed, which takes processor time.

    The match is marked as imported. One that is here already is not counted twice.
    """
    return await desk.match_history.bring(who.guest.id, asked)


# --- Devices ---


async def ask_code(desk: Desk, who: Visitor) -> wire.Code:
    """Create a code for another device of yours, which sends it to `POST /api/guests/devices`. An older code expires."""
    import segno

    code, until = await desk.guests.new_code(who.guest)
    link = f"{(desk.options.public_url or who.here).rstrip('/')}/you#{code}"
    drawn = segno.make_qr(link, error="m").matrix
    return wire.Code(code=code, until=until, link=link, qr=["".join(map(str, row)) for row in drawn])


async def list_devices(desk: Desk, who: Visitor) -> wire.Devices:
    """Return the devices on which the guest of the request is signed in."""
    return wire.Devices(devices=await desk.guests.devices(who.guest))


async def use_code(desk: Desk, who: Visitor, asked: wire.AskDevice) -> wire.Guest:
    """Sign in on this device as the guest you are on another device, with a token of its own.

    A device that is signed in as a different guest is refused unless `replace` is set; the seats taken here stay with the former
    guest.
    """
    return _guest(*await desk.guests.use_code(asked, who.person, who.address))


async def sign_out(desk: Desk, who: Visitor) -> wire.Devices:
    """Sign the guest of the request out on every other device, at once. An unused code expires."""
    await desk.guests.sign_out(who.guest)
    return await list_devices(desk, who)


async def sign_out_here(desk: Desk, who: Visitor) -> wire.Devices:
    """Sign the guest of the request out on this device. Without another device, the guest's seats are lost.

    A browser with the cookie of a guest who is unknown here loses that cookie.
    """
    if not who.lost:
        await desk.guests.sign_out_here(who.guest)
    return wire.Devices(devices=[])


# --- News of turns ---


async def show_news(desk: Desk, who: Visitor) -> TurnNews:
    """Return how people can be notified of their turn at tables that are played turn by turn."""
    person = who.person
    own = await desk.news.subscriptions(person.id) if person else []
    here = person is not None and any(one.device == person.device for one in own)
    return TurnNews(key=await desk.news.key(), club=desk.news.club, here=here)


async def subscribe(desk: Desk, who: Visitor, asked: AskPush) -> TurnNews:
    """Send this device web push notices of the turns of the guest of the request."""
    one = Subscription(who.guest.device, asked.endpoint, asked.p256dh, asked.auth, asked.lang)
    try:
        await desk.news.subscribe(one)
    except Conflict:
        raise ProblemError("not-signed-in") from None
    return await show_news(desk, who)


async def unsubscribe(desk: Desk, who: Visitor) -> TurnNews:
    """Send this device no more notices."""
    await desk.news.unsubscribe(who.guest.device)
    return await show_news(desk, who)


_GUESTS, _ME, _DEVICES, _MATCHES = "/api/guests", "/api/guests/me", "/api/guests/devices", "/api/guests/matches"
_SKIP = param("skip", int, "The number of matches to skip, newest first.", 0, 0, ge=0, le=_MOST_SKIPPED)
_NAME, _CODE = wire.AskGuest(name="Aki"), wire.AskDevice(code="482 109 375 526 771 904")
_MATCH = AskBring(table="b7Zk2QxWm0Ra", ended_at=1_760_000_000_000, seat=0, counted=[1], record={"mekuri": 1})
_SUBSCRIBE = AskPush(
    endpoint="https://updates.push.services.mozilla.com/wpush/v2/abc",
    p256dh="BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U",
    auth="DGv6ra1nlYgDCS1FRnbzlw",
)
_BRING: dict[str, Any] = {"body": _MATCH, "refused": (404, 409, 422), "largest": LARGEST_MATCH}
_BECOME: dict[str, Any] = {"body": _NAME, "status": 201, "known": "You are a guest already", "session": "keep"}
_USE: dict[str, Any] = {"body": _CODE, "refused": (404, 409), "status": 201, "session": "keep", "alone": False}
_EXPORT: dict[str, Any] = {"file": "mekuri-guest.json", "known": "All that is kept about you", "banned": True}
ROUTES = (
    Route("POST", _GUESTS, "become_guest", "Become a guest, or take another name", become_guest, wire.Guest, **_BECOME),
    Route("GET", _ME, "me", "Who am I?", show_me, wire.Guest, session="keep"),
    Route("DELETE", _ME, "forget_me", "Delete me", forget_me, wire.Devices, session="end", banned=True),
    Route("GET", "/api/guests/export", "export", "Export my data", export_me, wire.Export, **_EXPORT),
    Route("GET", _MATCHES, "played", "My matches", show_played, Played, params=(_SKIP,)),
    Route("POST", _MATCHES, "bring", "Bring a match from a file", bring_match, Brought, **_BRING),
    Route("POST", "/api/guests/code", "code", "Use another device", ask_code, wire.Code, status=201, alone=False),
    Route("GET", _DEVICES, "devices", "My devices", list_devices, wire.Devices, alone=False),
    Route("POST", _DEVICES, "use_code", "Use a code", use_code, wire.Guest, **_USE),
    Route("DELETE", _DEVICES, "sign_out", "Sign out everywhere else", sign_out, wire.Devices, alone=False),
    Route(
        "DELETE",
        "/api/guests/devices/here",
        "sign_out_here",
        "Sign out here",
        sign_out_here,
        wire.Devices,
        session="end",
        alone=False,
    ),
)
PUSH_ROUTES = (
    Route("GET", "/api/push", "turn_news", "How do I get notices of my turns?", show_news, TurnNews, alone=False),
    Route("POST", "/api/push", "subscribe", "Tell this device", subscribe, TurnNews, _SUBSCRIBE, (409, 422), alone=False),
    Route("DELETE", "/api/push", "unsubscribe", "Tell this device no more", unsubscribe, TurnNews, alone=False),
)
