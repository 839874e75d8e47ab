"""Routes of the copy of the page that plays without the server: the site of `mekuri site`, at /offline/."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import PurePosixPath
from threading import Lock
from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from mekuri import games
from mekuri.desk.cached_response import CachedResponse
from mekuri.pocket import search
from mekuri.pocket.kept import ending
from mekuri.pocket.site import contents, is_built
from mekuri.server.base.responses import Asked, respond
from mekuri.server.guard.middleware import POLICY
from mekuri.server.http.routes.page import MEDIA, reading

OFFLINE = "/offline/"

_WORKER = "pocket/worker.js"
# Only this worker compiles WebAssembly. It starts the script of Pyodide from the compressed copy that it has opened.
_OF_WORKER = "; ".join((*POLICY, "script-src 'self' 'wasm-unsafe-eval' blob:"))
_SERVICE_WORKER = "sw.js"
_making = Lock()


def copy_of_page(offered: bool) -> list[HTTPRouteHandler]:
    """Return the route of the copy, if its files are here.

    Args:
        offered: whether there is a copy; else there is only the service worker that deletes it from browsers.
    """
    if not is_built():
        return []

    async def show(request: Asked) -> Response[Any]:
        if request.scope["raw_path"] == OFFLINE.rstrip("/").encode():
            return Response(None, status_code=301, headers={"location": OFFLINE})  # relative addresses count from there
        name = request.path_params.get("file", "").lstrip("/")
        if offered:
            kept = (await asyncio.to_thread(_made)).get(name or "index.html")
        else:
            kept = CachedResponse(ending(), MEDIA[".js"]) if name == _SERVICE_WORKER else None
        if kept is None:
            raise NotFoundException
        answer = respond(kept, request, "no-cache")
        answer.headers["x-robots-tag"] = "noindex"  # search engines list the pages of the server
        if name == _WORKER:
            answer.headers["content-security-policy"] = _OF_WORKER
        return answer

    return [reading([OFFLINE, f"{OFFLINE}{{file:path}}"], show)]


def _made() -> dict[str, CachedResponse]:
    """Return the files of the copy, which are made when they are first requested: that takes a second or two."""
    with _making:
        return _make()


@cache
def _make() -> dict[str, CachedResponse]:
    made = {}
    for name, body in contents([game for game in games.names() if search.made(game)], copy=True).items():
        kept = made[name] = CachedResponse(body, MEDIA.get(PurePosixPath(name).suffix, "application/octet-stream"))
        _ = kept.tag, kept.compressed
    return made
