"""What the server says of its addresses, in OpenAPI."""

import json
from typing import Any

from mekuri.server.app import create_app
from mekuri.server.settings import Settings

Json = dict[str, Any]
DESCRIPTION: Json = json.loads(json.dumps(create_app(Settings()).openapi_schema.to_schema()))
# By its id, every operation with its path and its method.
OPERATIONS: dict[str, Json] = {
    operation["operationId"]: {"path": path, "method": method, **operation}
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
    if method in ("get", "post", "put", "patch", "delete")
}
