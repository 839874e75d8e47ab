"""Middleware and hooks of all requests: security headers, the checks of version and origin, rate limits and timeouts."""

from __future__ import annotations

from typing import cast
from urllib.parse import SplitResult, urlsplit

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, BeforeMessageSendHookHandler, HTTPScope, Message, Receive, Scope, Send

from mekuri.desk.status import status_of
from mekuri.protocol import version
from mekuri.protocol.coding import encode
from mekuri.server.base import metrics
from mekuri.server.base.responses import Asked
from mekuri.server.base.settings import Settings
from mekuri.server.guard.connection_limits import ConnectionLimits
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time, time_limit

UNCOUNTED = "uncounted"  # the opt key of routes without a rate limit
_OPEN = "open"  # the opt key of routes that answer under any Host name, and while connections run short
OPEN = {UNCOUNTED: True, _OPEN: True}
SAFE = ("GET", "HEAD", "OPTIONS")  # methods that change nothing
_STREAM = "/api/stream"
POLICY = ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'")


def always(secure: bool) -> dict[str, str]:
    """Return the headers of every response, errors included.

    They let a page load resources of this server only, and let no other page frame it.

    Args:
        secure: whether people come over HTTPS.
    """
    values = {
        version.HEADER: str(version.API),
        "content-security-policy": "; ".join(POLICY),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        # Responses are private by default. Responses that are the same for all clients set their own caching.
        "cache-control": "no-store",
    }
    if secure:
        values["strict-transport-security"] = "max-age=31536000"
    return values


def headers(secure: bool) -> BeforeMessageSendHookHandler:
    """Return the hook that adds those headers to the application's responses, unless a response sets them itself.

    It also adds the time, by which clients count down to a deadline whatever their own clocks say: a proxy may replace the date by
    its own. Responses that may be kept have no time.
    """
    ours = [(name.encode(), value.encode()) for name, value in always(secure).items()]

    async def add(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            given = list(message["headers"])
            names = {name.lower(): value for name, value in given}
            added = [header for header in ours if header[0] not in names]
            if names.get(b"cache-control", b"no-store") == b"no-store":
                state = scope["litestar_app"].state
                time: Time = state["desk"].time if "desk" in state else state.time
                added.append((version.TIME.encode(), b"%d" % time.now()))
            message["headers"] = [*given, *added]

    return add


async def check(request: Asked) -> None:
    """Refuse a request of another API version, or from another origin."""
    _check_version(request)
    _check_origin(request)


def _check_version(request: Asked) -> None:
    """Refuse clients of another API version, such as a page that was opened before the server was updated."""
    asked = request.headers.get(version.HEADER)
    if asked is not None and request.url.path.startswith("/api/") and asked != str(version.API):
        spoken = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 10 else -1
        if spoken < 1:
            raise ProblemError("malformed", reason=f"{version.HEADER} is a number from 1")
        if not version.OLDEST <= spoken <= version.API:
            raise ProblemError("outdated" if spoken < version.API else "server-outdated")


def _check_origin(request: Asked) -> None:
    """Refuse foreign Host names (DNS rebinding), and requests that a page of another origin makes a browser send (CSRF).

    Clients that are no browsers send no Origin; they authenticate with a bearer token.
    """
    settings: Settings = request.app.state.settings
    host = request.headers.get("host", "")
    if request.route_handler.opt.get(_OPEN):
        return
    if settings.hosts and _parts(f"//{host}").hostname not in settings.hosts:
        raise ProblemError("origin")
    # To follow a stream is no safe request: it makes a person present, and gives back a seat that a bot held.
    if request.method in SAFE and not request.url.path.startswith(_STREAM):
        return
    origin = request.headers.get("origin")
    elsewhere = origin and not _is_own(origin, host, settings.public_url)
    if elsewhere or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise ProblemError("origin")


def _is_own(origin: str, host: str, public_url: str | None) -> bool:
    """Whether an origin is this server's: the public URL, or, where another name was requested, that same name."""
    if origin == public_url:
        return True
    own = _parts(origin).netloc
    return own == host and own != _parts(public_url or "").netloc


def _parts(address: str) -> SplitResult:
    """Return the parts of a URL. Raises ProblemError where it is not valid."""
    try:
        return urlsplit(address)
    except ValueError:
        raise ProblemError("origin") from None


def limit(app: ASGIApp) -> ASGIApp:
    """Limit requests a second: of each guest, or of each address without a guest."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["route_handler"].opt.get(UNCOUNTED):
            state = scope["litestar_app"].state
            state.limits.requests.count(state.visitors.counted(Request(cast(HTTPScope, scope))))
        await app(scope, receive, send)

    return answer


def patience(app: ASGIApp) -> ASGIApp:
    """Answer 408 where a response has not begun in time, also while a body is still missing. Streams are exempt."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"].startswith(_STREAM):
            await app(scope, receive, send)
            return
        state = scope["litestar_app"].state
        try:
            async with time_limit(state.time, state.settings.patience) as deadline:

                async def begin(message: Message) -> None:
                    deadline.cancel()
                    await send(message)

                await app(scope, receive, begin)
        except TimeoutError:
            await _refuse(ProblemError("too-slow"), send)

    return answer


def room(app: ASGIApp) -> ASGIApp:
    """Limit concurrent requests from one address.

    While connections run short, requests of people who sit at no running or open table are refused (503), too.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["route_handler"].opt.get(_OPEN):
            await app(scope, receive, send)
            return
        places: ConnectionLimits = scope["litestar_app"].state.places
        client = scope["client"]
        address = client[0] if client else ""
        if places.scarce and not await _is_seated(Request(cast(HTTPScope, scope))):
            places.tally.count("connections of guests without a seat; their requests are refused", address)
            raise ProblemError("busy")
        places.ask(address)
        try:
            await app(scope, receive, send)
        finally:
            places.answered(address)

    return answer


async def _is_seated(request: Asked) -> bool:
    """Whether a request comes from a guest who sits at a table that is not over."""
    state = request.app.state
    person = await state.visitors.find(request)
    return bool(person and await state.desk.store.of_person(person.id, ("open", "running"), 1))


async def _refuse(refused: ProblemError, send: Send) -> None:
    """Send an error response without the application, which has run out of time."""
    metrics.REFUSALS.labels(refused.problem.error).inc()
    head = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status_of(refused), "headers": head})
    await send({"type": "http.response.body", "body": encode(refused.problem), "more_body": False})
