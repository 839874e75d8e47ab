"""The server's OpenAPI description: its operations and routes."""

import json
from functools import cache
from typing import Any

from litestar import Litestar
from msgspec import to_builtins

from mekuri.desk.route import Route
from mekuri.server.base.settings import Settings
from mekuri.server.http.app import create_app
from tests.helpers.tables import USUAL

Json = dict[str, Any]


@cache
def _app() -> Litestar:
    return create_app(Settings())


@cache
def description() -> Json:
    """Return the description."""
    schema: Json = json.loads(json.dumps(_app().openapi_schema.to_schema()))
    return schema


def routes() -> list[str]:
    """Return every method and path that is routed, described or not: `GET /api/tables/{id:str}`."""
    return [f"{method} {route.path}" for route in _app().routes for method in getattr(route, "methods", ())]


def operations() -> dict[str, Json]:
    """Return every operation by its id, with its path and its method."""
    return {
        operation["operationId"]: {"path": path, "method": method, **operation}
        for path, found in description()["paths"].items()
        for method, operation in found.items()
        if method in ("get", "post", "put", "patch", "delete")
    }


def example_of(route: Route) -> tuple[str, str, Any]:
    """Return an example of a request to a route: its method, its path with the query, and its body."""
    given = {param.name: USUAL if param.example == "" else param.example for param in (*route.in_path, *route.params)}
    query = "&".join(f"{name}={value}" for name, value in given.items() if f"{{{name}}}" not in route.path)
    return route.method, f"{route.path.format(**given)}?{query}", route.body and to_builtins(route.body)
