"""ASGI middleware that counts every request for the metrics, and logs it where the log level asks for that."""

from __future__ import annotations

import logging
from functools import cache
from ipaddress import ip_address
from time import perf_counter

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from mekuri.server.base import metrics
from mekuri.server.base.logs import ADDRESSES, REQUESTS

_log = logging.getLogger("mekuri.requests")
_METHODS = ("GET", "HEAD", "POST", "DELETE")  # the methods of all routes; others are counted as `other`
_FOLDERS = ("/assets/", "/cards/")  # each file in these has a route of its own; they are counted together
_NONE = "none"


class AccessLog:
    """ASGI middleware that counts and logs the requests of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when its response begins, or when it ends without one."""
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
        fields = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        if _log.isEnabledFor(ADDRESSES):
            fields["address"] = _address(scope)
        _log.log(REQUESTS, "%s", " ".join(map(str, fields.values())), extra={"request": fields})


def _address(scope: HTTPScope) -> str:
    """Return the client's IP address; `?` where it is not valid, as a trusted proxy may send any text."""
    try:
        return str(ip_address(scope["client"][0] if scope["client"] else ""))
    except ValueError:
        return "?"


@cache
def _series(method: str, route: str, status: str) -> tuple[Counter, Histogram]:
    """Return the metrics of such requests, cached: to look them up takes longer than to count."""
    return metrics.REQUESTS.labels(method, route, status), metrics.ANSWERING.labels(route)


def route_of(scope: HTTPScope) -> str:
    """Return the route template of a request, without names or ids; `none` for all paths without a route."""
    route: str = scope.get("path_template", _NONE)
    return next((folder for folder in _FOLDERS if route.startswith(folder)), route)
