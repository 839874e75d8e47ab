"""The server's OpenAPI description: its operations and routes."""

import json
from typing import Any

from mekuri.server.app import create_app
from mekuri.server.settings import Settings

Json = dict[str, Any]
_APP = create_app(Settings())
DESCRIPTION: Json = json.loads(json.dumps(_APP.openapi_schema.to_schema()))
# Every method and path that is routed, described or not: `GET /api/tables/{id:str}`.
ROUTES = [f"{method} {route.path}" for route in _APP.routes for method in getattr(route, "methods", ())]
# Every operation by its id, with its path and its method.
OPERATIONS: dict[str, Json] = {
    operation["operationId"]: {"path": path, "method": method, **operation}
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
    if method in ("get", "post", "put", "patch", "delete")
}
