"""Routes of the page for browsers, its files, the drawn packs and link previews. Files are read once and held in memory."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from litestar import MediaType, Response, route
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from mekuri import __version__, games
from mekuri.cards.art import Pack, find_pack, pack_names, sprite, sprite_digest
from mekuri.desk.cached_response import CHECKED, FINAL, CachedResponse
from mekuri.engine.rulebook import Lang
from mekuri.pocket.kept import FILES as FILES_KEPT
from mekuri.pocket.kept import SCRIPT, ending, service_worker, version_of
from mekuri.pocket.site import is_built
from mekuri.server.base.responses import ASSETS, FILES, LASTING, Asked, respond
from mekuri.server.guard.error_handlers import http_error
from mekuri.server.guard.middleware import UNCOUNTED
from mekuri.server.http.previews import (
    USUAL,
    Preview,
    cards_of_game,
    cards_of_round,
    find_game,
    language,
    of_game,
    of_round,
    of_table,
    plain,
    with_preview,
)
from mekuri.server.storage.store import StoreError
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.errors import ProblemError
from mekuri.table.table import Table
from mekuri.table.time import time_limit

Answer = Callable[[Asked], Awaitable[Response[Any]]]

FOLDER = Path(__file__).parents[2] / "page"  # the output of the page's build

SERVICE_WORKER = "/sw.js"
_INDEX = "/index.html"
_NAMED = re.compile(r'(?:href|src)="/(assets/[^"]+)"')
_ICON = "/icon-192.png"
_ASKED_ICON = "/favicon.ico"  # browsers ask for it beside what is no page and names no icon: an answer of the API, a drawing
_NO_PAGES = ("/api/", *FILES)
# The paths of the page's own router. For others the page is sent with status 404.
_PAGES = [
    "/",
    "/t/{table:str}",
    "/t/{table:str}/rounds/{number:str}",
    "/t/{table:str}/rounds/{number:str}/review",
    "/new/{game:str}",
    "/rules",
    "/rules/{game:str}",
    "/rules/{game:str}/presets",
    "/learn/{game:str}",
    "/settings",
    "/you",
    "/matches",
    "/practice",
    "/puzzles/{game:str}",
    "/daily",
]
_PLAIN = {"/": "home", "/rules": "rules", "/daily": "daily", "/practice": "practice"}  # previews of pages about no game
_LISTED = ("/", "/rules", "/daily")  # those of them that search engines may list
_ABOUT = {"new": "new", "rules": "book", "learn": "learn", "puzzles": "puzzles"}  # previews of pages about a game
_PAGES_KEPT = 256  # cached pages with their previews
_HASTE = 1.0  # seconds after which a table that has not been read gets the general preview
_ROUND = re.compile(r"[1-9][0-9]{0,8}")
_SEAT = re.compile(r"[0-9]{1,2}")
_GONE = ("no-such-table", "no-such-round")

# Not taken from the system, which may call scripts plain text: browsers refuse to run those.
MEDIA = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
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
    """The page as it was built when the server started. One that is built later is served after a restart.

    Attributes:
        files: its files by URL path; empty where it was not built.

    Args:
        folder: the folder of its files.
        offline: whether browsers keep it for offline; else they delete what they have kept.
    """

    def __init__(self, folder: Path, offline: bool = True) -> None:
        self.files = {
            f"/{file.relative_to(folder).as_posix()}": CachedResponse(
                file.read_bytes(), MEDIA.get(file.suffix, "application/octet-stream")
            )
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        if _ICON in self.files:
            self.files[_ASKED_ICON] = self.files[_ICON]
        if self.built:
            self._add_service_worker(offline)
        self._index = self.files[_INDEX].body.decode() if self.built else ""

    def _add_service_worker(self, offline: bool) -> None:
        """Add the service worker, and the page's version, by which the page knows that there is one."""
        if not (FILES_KEPT / SCRIPT).is_file():
            return
        bodies = {path.removeprefix("/"): kept.body for path, kept in self.files.items()}
        script, version = ending(), version_of(bodies)
        if offline:
            marks = f'<html data-version="{version}" {"data-offline " if is_built() else ""}'
            index = bodies["index.html"].replace(b"<html ", marks.encode(), 1)
            self.files[_INDEX] = CachedResponse(index, MEDIA[".html"])
            first = {"index.html": index} | {name: bodies[name] for name in _NAMED.findall(index.decode()) if name in bodies}
            later = {name: body for name, body in bodies.items() if f"/{name}".startswith(ASSETS) and name not in first}
            script = service_worker(version, first, later, server=True)
        self.files[SERVICE_WORKER] = CachedResponse(script, MEDIA[".js"])

    @property
    def built(self) -> bool:
        """Whether the page was built."""
        return _INDEX in self.files

    def show(self, request: Asked, preview: Preview | None) -> Response[Any]:
        """Return the page, which itself finds out what to show at its path; without a preview it is answered as 404."""
        here = _here(request)
        status = 200 if preview else 404
        if self.built:
            lang = language(request)
            said = preview or plain("nothing", lang, listed=False)
            kept = _kept(self._index, said, lang, here, request.scope["path"] if preview else "/")
            answer = respond(kept, request, status=status)
            answer.headers["vary"] = "Accept-Encoding, Accept-Language"
            return answer
        return Response(_UNBUILT.format(version=__version__, here=here), media_type=MediaType.TEXT, status_code=status)

    def not_found(self, request: Asked, error: NotFoundException) -> Response[Any]:
        """Answer 404: with the page for a browser's navigation, and with a Problem for all other requests."""
        path = request.scope["path"]
        looking = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
        if looking and self.built and not path.startswith(_NO_PAGES) and "." not in path.rpartition("/")[2]:
            return self.show(request, None)
        return http_error(request, error)

    async def _show_picture(self, request: Asked) -> Response[Any]:
        """Return the preview picture of a game or a finished round; the icon where rendering fails."""
        named, desk = request.path_params, request.app.state.desk
        if "game" in named:
            found = find_game(named["game"])
            if found is None:
                raise ProblemError("no-such-game")
            pack, cards = cards_of_game(found[0])
        else:
            if not _ROUND.fullmatch(named["number"]):
                raise ProblemError("no-such-round")
            pack, cards = await desk.tables.read_anywhere(named["table"], lambda table: cards_of_round(table, int(named["number"])))
        drawn: CachedResponse | None = await desk.pictures.draw(pack, cards)
        if drawn is None and USUAL not in self.files:
            raise ProblemError("busy")
        return respond(drawn or self.files[USUAL], request, FINAL if drawn else CHECKED)

    def routes(self) -> list[HTTPRouteHandler]:
        """Return the routes of the page, its files, pictures and packs. No path of a request is ever used as the path of a file."""

        async def show_page(request: Asked) -> Response[Any]:
            preview = await _find_preview(request)
            return (None if preview else _moved(request)) or self.show(request, preview)

        async def show_picture(request: Asked) -> Response[Any]:
            return await self._show_picture(request)

        async def show_file(request: Asked) -> Response[Any]:
            path = request.scope["path"]
            return respond(self.files[path], request, "no-cache" if path == SERVICE_WORKER else CHECKED)

        async def show_asset(request: Asked) -> Response[Any]:
            asset = self.files.get(request.scope["path"])
            if asset is None:
                raise NotFoundException
            return respond(asset, request, LASTING)  # the build writes a digest into its name

        async def show_sprite(request: Asked) -> Response[Any]:
            pack = find_pack(Path(request.scope["path"]).stem)
            asked = request.query_params.get("v")
            return respond(_drawn(pack), request, LASTING if asked == sprite_digest(pack) else CHECKED)

        async def show_code(request: Asked) -> Response[Any]:
            return await _show_code(request)

        sprites = [f"/cards/{name}.svg" for name in pack_names()]
        files = [path for path in self.files if not path.startswith(ASSETS)]
        return [
            reading(_PAGES, show_page),
            reading(sprites, show_sprite),
            reading(["/pictures/{game:str}", "/t/{table:str}/rounds/{number:str}/picture"], show_picture),
            reading(["/t/{table:str}/qr"], show_code),
            # One route for all assets: each route takes a thousandth of a second when the server starts.
            reading([f"{ASSETS}{{asset:str}}"], show_asset),
            *([reading(files, show_file)] if files else []),
        ]


async def _find_preview(request: Asked) -> Preview | None:
    """Return the link preview of the page that is requested; None where there is no such page."""
    lang, path, named = language(request), request.scope["path"], request.path_params
    if "game" in named:
        found = find_game(named["game"])
        return of_game(_ABOUT[path.split("/")[1]], found[0], lang, found[1]) if found else None
    if "table" in named:
        seat = request.query_params.get("seat", "0") if path.endswith("/review") else None
        return await _of_table(request.app.state.desk, named["table"], named.get("number"), seat, lang)
    return plain(_PLAIN.get(path, "home"), lang, listed=path in _LISTED, pictured=path in _PLAIN)


def _moved(request: Asked) -> Response[Any] | None:
    """Return a redirect if the path has a name of a game in place of its id."""
    named = request.path_params.get("game", "")
    game = games.called(named)
    if game is None:
        return None
    kind, _, *rest = request.scope["path"].removeprefix("/").split("/")
    query = f"?{request.url.query}" if request.url.query else ""
    return Response(None, status_code=301, headers={"location": "/".join(["", kind, game, *rest]) + query})


async def _of_table(desk: ServerDesk, id: str, number: str | None, seat: str | None, lang: Lang) -> Preview | None:
    """Return the preview of a table, of one of its rounds, or of that round's review; None where there is no such table or round.

    A table that cannot be read just now has the general preview, and its page says why.
    """
    if number is not None and not _ROUND.fullmatch(number):
        return None

    reviewed = int(seat) if seat and _SEAT.fullmatch(seat) else None

    def look(table: Table) -> Preview:
        running = number is not None and int(number) == table.rounds > table.opened
        return of_table(table, lang) if number is None or running else of_round(table, int(number), lang, reviewed)

    try:
        async with time_limit(desk.time, _HASTE):
            return await desk.tables.read_anywhere(id, look)
    except ProblemError as error:
        return None if error.problem.error in _GONE else plain("home", lang, listed=False)
    except (StoreError, TimeoutError):
        return plain("home", lang, listed=False)


async def _show_code(request: Asked) -> Response[Any]:
    """Return the address of a table as a QR code, to be scanned by people nearby."""
    table: str = await request.app.state.desk.tables.read_anywhere(request.path_params["table"], lambda table: table.id)
    return respond(_code(f"{_here(request)}/t/{table}"), request, FINAL)


@lru_cache(_PAGES_KEPT)
def _code(link: str) -> CachedResponse:
    import segno

    drawn = BytesIO()
    segno.make_qr(link, error="m").save(drawn, kind="svg", light="#fff", xmldecl=False)
    return CachedResponse(drawn.getvalue(), "image/svg+xml")


def _here(request: Asked) -> str:
    """Return the public URL of this server, without a slash at its end."""
    return str(request.app.state.settings.public_url or request.base_url).rstrip("/")


@lru_cache(_PAGES_KEPT)
def _kept(page: str, preview: Preview, lang: Lang, here: str, path: str) -> CachedResponse:
    return CachedResponse(with_preview(page, preview, lang, here, path).encode(), "text/html")


def draw_all() -> None:
    """Draw and compress every pack, so that no request waits for that."""
    for name in pack_names():
        _ = _drawn(find_pack(name)).compressed


@cache
def _drawn(pack: Pack) -> CachedResponse:
    return CachedResponse(sprite(pack).encode(), "image/svg+xml")


def reading(paths: list[str], answer: Answer) -> HTTPRouteHandler:
    """Return a route for GET and HEAD, without a rate limit.

    To send a cached file costs less than to count the request, and many people may share one address.
    """
    handler: HTTPRouteHandler = route(paths, http_method=["GET", "HEAD"], include_in_schema=False, opt={UNCOUNTED: True})(answer)
    return handler
