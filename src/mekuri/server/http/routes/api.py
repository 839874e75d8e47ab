"""The routes of the API, built from those of the desk."""

from __future__ import annotations

import types
from collections.abc import AsyncIterator
from http import HTTPStatus
from inspect import Parameter, Signature
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response
from litestar import response as answers
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body, HeaderParameter, PathParameter, QueryParameter

from mekuri import games
from mekuri.desk.cached_response import CHECKED, CachedResponse
from mekuri.desk.desk import Desk
from mekuri.desk.route import Packed, Param, Route, Visitor
from mekuri.desk.routes import ROUTES
from mekuri.desk.stream import Stream
from mekuri.protocol.coding import encode
from mekuri.protocol.guests import Guest
from mekuri.protocol.table import Problem
from mekuri.server.base.responses import GZIPPED, VARY, Asked, respond
from mekuri.server.guests.visitors import BANNED, Visitors
from mekuri.server.http.stream_response import StreamResponse

_ANYWHERE = (400, 401, 403, 408, 414, 426, 429, 431, 500, 503)  # the error statuses of every route


async def find_visitor(request: Asked) -> Visitor:
    """Return the visitor of a request."""
    visitors: Visitors = request.app.state.visitors
    return await visitors.visitor(request)


def handlers() -> list[HTTPRouteHandler]:
    """Return a handler for every route of the desk."""
    return [_handler(route) for route in ROUTES]


def _handler(route: Route) -> HTTPRouteHandler:
    """Return a handler with the signature from which the framework reads requests and makes the OpenAPI description."""

    async def answer(request: Asked, visitor: Visitor, **given: Any) -> Response[Any]:
        return await run(route, request, visitor, given)

    parameters: list[tuple[str, Any, Any]] = [("request", Asked, ...), ("visitor", NamedDependency[Visitor], ...)]
    if route.body is not None:
        parameters.append(("data", Annotated[type(route.body), _body(route.body)], ...))
    parameters += [(param.name, _annotated(param, PathParameter), param.default) for param in route.in_path]
    parameters += [(param.name, _annotated(param, QueryParameter), param.default) for param in route.params]
    returned: Any = StreamResponse if route.answer is Stream else types.GenericAlias(Response, route.answer)
    answer.__name__, answer.__doc__ = route.id, route.do.__doc__
    answer.__annotations__ = {name: kind for name, kind, _ in parameters} | {"return": returned}
    answer.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=Parameter.empty if default is ... else default)
            for name, kind, default in parameters
        ],
        return_annotation=returned,
    )
    more: dict[str, Any] = {"request_max_body_size": route.largest} if route.largest else {}
    made: HTTPRouteHandler = HTTPRouteHandler(
        route.path.format(**{param.name: f"{{{param.name}:{param.kind.__name__}}}" for param in route.in_path}),
        http_method=route.method,
        summary=route.summary,
        operation_id=route.id,
        tags=[route.tag],
        responses=_responses(route),
        status_code=route.status,
        media_type=route.media,
        opt={BANNED: route.banned},
        **more,
    )(answer)
    return made


async def run(route: Route, request: Asked, visitor: Visitor, given: dict[str, Any]) -> Response[Any]:
    """Run the function of a route, and return its answer as a response."""
    state = request.app.state
    desk: Desk = state.desk
    visitors: Visitors = state.visitors
    if route.body is not None:
        given["asked"] = given.pop("data")
    cookies = await visitors.deleted(request) if route.session == "end" else []
    found = await route.do(desk, who=visitor, **given)
    headers = {"content-disposition": f'attachment; filename="{route.file.format(**given)}"'} if route.file else {}
    if isinstance(found, Stream):
        return StreamResponse(found, desk.streams.disconnect)
    if isinstance(found, CachedResponse):
        made = respond(found, request, route.caching or CHECKED)
        made.headers.update(headers)
        return made
    if isinstance(found, AsyncIterator):
        return answers.Stream(found, media_type=route.media, headers=headers)
    if isinstance(found, Packed):
        return Response(found.body, media_type=MediaType.JSON, headers=VARY | GZIPPED if found.packed else VARY)
    if isinstance(found, Guest) and route.session == "keep":
        renewing = visitors.signed_in(request, found.token) if found.token else visitors.renewed(request, visitor.guest)
        cookies = await renewing
    body = found if isinstance(found, bytes | str) else encode(found)
    return Response(body, media_type=route.media, status_code=route.status_of(found), headers=headers, cookies=cookies)


# --- The OpenAPI description ---


def _annotated(param: Param, place: Any) -> Any:
    more: dict[str, Any] = {"description": param.text, "examples": [Example(value=_filled(param.example))], **param.limits}
    if param.header:
        return Annotated[param.kind, HeaderParameter(name=param.header, **more)]
    return Annotated[param.kind, place(**more)]


def _filled(example: Any) -> Any:
    """Return an example, for an empty text the name of a game: the desk finds no games before they are asked for."""
    return games.names()[0] if example == "" else example


def _body(example: msgspec.Struct) -> Any:
    """Return the description of a JSON request body, with an example."""
    value = {name: _filled(given) for name, given in msgspec.to_builtins(example).items()}
    return Body(examples=[Example(summary="For instance", value=value)])


def _responses(route: Route) -> dict[int, ResponseSpec]:
    """Return the descriptions of the other responses of a route, above all of its refusals."""
    others: dict[int, ResponseSpec] = {}
    if route.known:
        others[200] = ResponseSpec(route.answer, description=route.known, generate_examples=False)
    if route.caching:
        others[304] = ResponseSpec(None, description="It has not changed", generate_examples=False)
    refused = sorted({*_ANYWHERE, *route.refused, *([404] if route.in_path else []), *([413] if route.body is not None else [])})
    refusals = {status: ResponseSpec(Problem, description=HTTPStatus(status).phrase, generate_examples=False) for status in refused}
    return others | refusals
