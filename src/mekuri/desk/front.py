"""A front without a network: it dispatches requests on the routes of the desk, for a client in the same process.

    front = Front(Desk(MemoryStore(REAL), Options()))
    reply = await front.ask("POST", "/api/guests", b"{}")  # its JSON has the token of a guest
    reply = await front.ask("POST", "/api/tables", b'{"game": "mushi"}', token)

The bots of a table think in the desk's `choose`. A front has one client, so it reads no limit of a body and no
headers for caching, files and cookies.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, get_args, get_origin
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
from msgspec import Meta

from mekuri.desk.cached_response import CachedResponse
from mekuri.desk.desk import Desk
from mekuri.desk.route import Packed, Param, Route, Visitor
from mekuri.desk.routes import ROUTES
from mekuri.desk.status import refusal_of, status_of
from mekuri.desk.stream import Stream
from mekuri.protocol.coding import decoded, encode
from mekuri.table.errors import ProblemError

_log = logging.getLogger("mekuri.desk")
_META = {"min_items": "min_length", "max_items": "max_length"}  # what msgspec calls the limits of a parameter


@dataclass(frozen=True)
class Reply:
    """The answer to a request.

    Attributes:
        status: the HTTP status.
        headers: the headers.
        body: the body; for a stream its parts, as they come.
        close: ends a stream. The client calls it when it leaves; then its guest is no longer present.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | AsyncIterator[bytes]
    close: Callable[[], None] = lambda: None


class Front:
    """Answers requests without a network.

    Args:
        desk: the desk.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._routes = [(re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route.path)), route) for route in ROUTES]

    async def ask(
        self, method: str, url: str, body: bytes = b"", token: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Answer a request, also with a refusal.

        Args:
            method: the HTTP method.
            url: the path, and the query after a `?`.
            body: the body, in JSON.
            token: the token of the guest; None for a request without a guest.
            headers: headers that routes read, by their names in lower case.
        """
        try:
            route, values = self._find(method, url, headers or {})
            if self._desk.alone and not route.alone:
                raise ProblemError("needs-server")
            found = await route.do(self._desk, who=await self._visitor(route, token), **_arguments(route, values, body))
        except Exception as error:
            refused = refusal_of(error)
            if refused is None:
                _log.exception("%s %s has failed", method, url)
                refused = ProblemError("server")
            return Reply(status_of(refused), {"content-type": "application/json"}, encode(refused.problem))
        headers = {"content-type": route.media}
        if isinstance(found, Stream):
            return Reply(200, headers, aiter(found), partial(self._desk.streams.disconnect, found))
        return Reply(route.status_of(found), headers, _body(found))

    def _find(self, method: str, url: str, headers: Mapping[str, str]) -> tuple[Route, dict[str, Any]]:
        """Return the route of a request, and the texts of its parameters."""
        parts, query = urlsplit(url), parse_qs(urlsplit(url).query, keep_blank_values=True)
        matches = [(route, match) for pattern, route in self._routes if (match := pattern.fullmatch(parts.path))]
        if not matches:
            raise ProblemError("no-such-page")
        for route, match in matches:
            if route.method == method:
                read = {param.name: param.header.lower() for param in route.params if param.header}
                known = {name: headers[header] for name, header in read.items() if header in headers}
                named = {name: unquote(value) for name, value in match.groupdict().items()}
                return route, {**query, **known, **named}
        raise ProblemError("method", method=method)

    async def _visitor(self, route: Route, token: str | None) -> Visitor:
        person = await self._desk.guests.find(token) if token else None
        if person and not route.banned:
            self._desk.guests.need_welcome(person)
        return Visitor(person, lost=bool(token) and person is None)


def _arguments(route: Route, values: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Return the arguments of a route's function. Raises ProblemError where one is missing or not valid."""
    try:
        params = (*route.in_path, *route.params)
        given = {param.name: _value(param, values[param.name]) for param in params if param.name in values}
        if route.body is not None:
            given["asked"] = msgspec.json.decode(body, type=type(route.body), dec_hook=decoded)
    except msgspec.MsgspecError as error:
        raise ProblemError("malformed", reason=str(error)) from None
    if missing := [param.name for param in route.params if param.default is ... and param.name not in given]:
        raise ProblemError("malformed", reason=f"{', '.join(missing)}: missing")
    return given


def _value(param: Param, value: str | list[str]) -> Any:
    many = get_origin(param.kind) is list
    kind = param.kind if many else next((kind for kind in get_args(param.kind) if kind is not type(None)), param.kind)
    limits = Meta(**{_META.get(name, name): limit for name, limit in param.limits.items()})
    return msgspec.convert(value[-1] if isinstance(value, list) and not many else value, Annotated[kind, limits], strict=False)


def _body(found: Any) -> bytes | AsyncIterator[bytes]:
    if isinstance(found, CachedResponse | Packed):
        return found.body
    if isinstance(found, str):
        return found.encode()
    return found if isinstance(found, bytes | AsyncIterator) else encode(found)
