"""Every request is counted, whatever comes of it, and told to the log where that is asked for."""

from __future__ import annotations

import logging
from functools import cache
from ipaddress import ip_address
from time import perf_counter

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from mekuri.server import metrics
from mekuri.server.logs import ADDRESSES, REQUESTS

_log = logging.getLogger("mekuri.requests")
_METHODS = ("GET", "HEAD", "POST", "DELETE")  # what addresses take; all else is told as one
_FOLDERS = ("/assets/", "/cards/")  # each of whose files is an address of its own
_NONE = "none"


class AccessLog:
    """An application, and what is counted of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun, answered = perf_counter(), False

        async def begin(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                _count(scope, str(message["status"]), perf_counter() - begun)
            await send(message)

        try:
            await self._app(scope, receive, begin)
        finally:
            if not answered:
                _count(scope, _NONE, perf_counter() - begun)


def _count(scope: HTTPScope, status: str, seconds: float) -> None:
    route = route_of(scope)
    method = scope["method"] if scope["method"] in _METHODS else "other"
    requests, answering = _series(method, route, status)
    requests.inc()
    answering.observe(seconds)
    if _log.isEnabledFor(REQUESTS):
        told = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        if _log.isEnabledFor(ADDRESSES):
            told["address"] = _address(scope)
        _log.log(REQUESTS, "%s", " ".join(map(str, told.values())), extra={"request": told})


def _address(scope: HTTPScope) -> str:
    """Where a request comes from. A proxy that is believed may have named what is no address."""
    try:
        return str(ip_address(scope["client"][0] if scope["client"] else ""))
    except ValueError:
        return "?"


@cache
def _series(method: str, route: str, status: str) -> tuple[Counter, Histogram]:
    """What such requests are counted in. To find it takes longer than to count, and there are only so many."""
    return metrics.REQUESTS.labels(method, route, status), metrics.ANSWERING.labels(route)


def route_of(scope: HTTPScope) -> str:
    """The address that was asked, as the application knows it, with no name in it; one word for all that there are not."""
    route: str = scope.get("path_template", _NONE)
    return next((folder for folder in _FOLDERS if route.startswith(folder)), route)
