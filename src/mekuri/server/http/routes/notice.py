"""The route of the operator's announcement."""

from __future__ import annotations

from litestar import Router, get

from mekuri.protocol import table as wire
from mekuri.server.base.asked import Asked
from mekuri.server.http.routes.dependencies import refusals


@get("/", summary="The announcement", operation_id="notice", responses=refusals())
async def show_notice(request: Asked) -> wire.Notice:
    """Return the announcement of the server's operator, in one language or several. Streams of tables send it, too."""
    told: wire.Notice = request.app.state.tables.streams.notice
    return told


router = Router("/api/notice", route_handlers=[show_notice], tags=["notice"])
