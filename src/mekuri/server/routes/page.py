"""The page for browsers, its files, and the drawn packs. All of them are read once and held in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from litestar import MediaType, Response, route
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from mekuri import __version__
from mekuri.cards.art import Pack, find_pack, pack_names, sprite, sprite_digest
from mekuri.server.asked import Asked
from mekuri.server.guard import UNCOUNTED
from mekuri.server.kept import CHECKED, LASTING, Kept
from mekuri.server.problems import http_error

Answer = Callable[[Asked], Awaitable[Response[Any]]]

FOLDER = Path(__file__).parents[1] / "page"  # where the build puts the page

_INDEX = "/index.html"
_NO_PAGES = ("/api/", "/assets/", "/cards/")
# What the page itself tells apart. Every other address is answered by the same page, which says that there is nothing.
_PAGES = [
    "/",
    "/t/{table:str}",
    "/t/{table:str}/rounds/{number:str}",
    "/new/{game:str}",
    "/rules",
    "/rules/{game:str}",
    "/settings",
    "/you",
]

# Not asked of the system, where scripts may be called plain text; a browser runs none of those.
_MEDIA = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

_UNBUILT = """\
Mekuri {version}

Here are tables for traditional Japanese card games. This copy has no page for browsers; where its sources are, this makes one:

                cd web && npm ci && npm run build

Play            mekuri play GAME --server {here}
Join a table    mekuri join {here}/t/TABLE
For programs    {here}/api/schema/openapi.json
"""


class Page:
    """The page as it was built when the server started; one that is built later is shown after a restart, all of it at once.

    Attributes:
        files: what it is made of, by address; nothing where it was not built.
    """

    def __init__(self, folder: Path) -> None:
        self.files = {
            f"/{file.relative_to(folder).as_posix()}": Kept(file.read_bytes(), _MEDIA.get(file.suffix, "application/octet-stream"))
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }

    @property
    def built(self) -> bool:
        """Whether there is one."""
        return _INDEX in self.files

    def show(self, request: Asked, status: int = 200) -> Response[Any]:
        """The page, whatever its address: it finds out itself what to show there."""
        if self.built:
            return self.files[_INDEX].answer(request, status=status)
        here = request.app.state.settings.public_url or str(request.base_url).rstrip("/")
        return Response(_UNBUILT.format(version=__version__, here=here), media_type=MediaType.TEXT, status_code=status)

    def not_found(self, request: Asked, error: NotFoundException) -> Response[Any]:
        """Nothing is there: said by the page to whoever looks for one, and as a Problem to programs."""
        path = request.scope["path"]
        looking = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
        if looking and self.built and not path.startswith(_NO_PAGES) and "." not in path.rpartition("/")[2]:
            return self.show(request, status=404)
        return http_error(request, error)

    def routes(self) -> list[HTTPRouteHandler]:
        """What answers for the page, its files and the drawn packs. No name in an address is ever made one of a file."""

        async def show_page(request: Asked) -> Response[Any]:
            return self.show(request)

        async def show_file(request: Asked) -> Response[Any]:
            path = request.scope["path"]
            # The build writes a digest into the name of every asset.
            return self.files[path].answer(request, LASTING if path.startswith("/assets/") else CHECKED)

        async def show_sprite(request: Asked) -> Response[Any]:
            pack = find_pack(Path(request.scope["path"]).stem)
            asked = request.query_params.get("v")
            return _drawn(pack).answer(request, LASTING if asked == sprite_digest(pack) else CHECKED)

        sprites = [f"/cards/{name}.svg" for name in pack_names()]
        return [
            _reading(_PAGES, show_page),
            _reading(sprites, show_sprite),
            *([_reading(list(self.files), show_file)] if self.files else []),
        ]


def draw_all() -> None:
    """Draw every pack, which takes a moment, before somebody waits for it."""
    for name in pack_names():
        _ = _drawn(find_pack(name)).packed


@cache
def _drawn(pack: Pack) -> Kept:
    return Kept(sprite(pack).encode(), "image/svg+xml")


def _reading(paths: list[str], answer: Answer) -> HTTPRouteHandler:
    """Answers for reading. To send what is in memory costs less than to count, and a room full of people has one address."""
    handler: HTTPRouteHandler = route(paths, http_method=["GET", "HEAD"], include_in_schema=False, opt={UNCOUNTED: True})(answer)
    return handler
