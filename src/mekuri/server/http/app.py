"""The Litestar application: its routes, middleware, exception handlers, background tasks and OpenAPI description."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import copy
from functools import cache
from pathlib import Path

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.events import SimpleEventEmitter
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from mekuri import __version__, bots
from mekuri.bots.figures import Mean
from mekuri.cards import Card, Cards
from mekuri.desk.routes.games import prepare
from mekuri.games import left_out
from mekuri.protocol.coding import encoded
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings
from mekuri.server.guard.connection_limits import ConnectionLimits
from mekuri.server.guard.error_handlers import HANDLERS
from mekuri.server.guard.middleware import check, headers, limit, patience, room
from mekuri.server.guests.visitors import COOKIE, Visitors
from mekuri.server.http import background
from mekuri.server.http.openapi import Notation
from mekuri.server.http.routes import watch
from mekuri.server.http.routes.api import find_visitor, handlers
from mekuri.server.http.routes.offline import copy_of_page
from mekuri.server.http.routes.page import FOLDER, Page, draw_all
from mekuri.server.storage.store import Store, default_database
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.time import REAL, Time

_log = logging.getLogger("mekuri.server")
LARGEST_REQUEST = 16_384  # bytes
_QUIET = 60.0  # seconds between two removals of past counts

_DESCRIPTION = """\
Tables for people and bots. Whatever leaves the server is what one viewer may know, and nothing else.

Send `Mekuri-Api: 2` with every request: the version described here. Where it is not understood, the answer is 426 and one sentence.
A request without one is answered in the present version.

Become a guest (`POST /api/guests`), make a table, sit down, follow the stream, and answer every view whose `legal` is not empty.
"""


async def _forget_counts(limits: Limits, time: Time) -> None:
    """Remove from memory once a minute which guests and addresses were counted before."""
    while True:
        await time.sleep(_QUIET)
        limits.forget()


def _prepare(public_url: str | None, stopped: Callable[[], bool] = lambda: False) -> None:
    """Render and compress the responses that are the same for everybody, before they are requested.

    Run in a thread: the rule book of one game alone would block the event loop for a tenth of a second.
    """
    draw_all()
    prepare(public_url, stopped)


def create_app(settings: Settings, time: Time = REAL) -> Litestar:
    """Return the application. It opens the database when it starts and closes it when it stops.

    Applications of one process share their routes, which are slow to build, and nothing that changes.

    Args:
        settings: how the server is set up.
        time: the clock, and the ways to wait for it.
    """
    app = copy(_build(settings.secure, FOLDER, settings.offline))
    limits = Limits(settings, time)
    places = ConnectionLimits(settings.connections, limits, time)
    app.state = State({"settings": settings, "time": time, "limits": limits, "places": places}, deep_copy=False)
    app.event_emitter = SimpleEventEmitter([])
    app.asgi_router = copy(app.asgi_router)
    app.asgi_router.app = app  # whose lifespan it runs
    return app


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    for error in (*left_out(), *await asyncio.to_thread(bots.left_out)):
        _log.warning("%s", error)
    store = await Store.open(settings.database or default_database(), app.state.time)
    desk = app.state.desk = ServerDesk(store, settings, app.state.limits)
    visitors = app.state.visitors = Visitors(desk)
    await visitors.begin()
    feeds = background.Feeds(desk, visitors)
    await feeds.begin()
    await desk.clock_watch.begin()
    await desk.peers.begin()
    begun = (
        desk.peers.keep_lease(),
        background.wake_bots(desk),
        feeds.follow(),
        desk.announce(),
        background.sweep(desk),
        _forget_counts(app.state.limits, app.state.time),
    )
    tasks = [asyncio.create_task(chore) for chore in begun]
    stops = threading.Event()
    prepares = asyncio.create_task(asyncio.to_thread(_prepare, settings.public_url, stops.is_set))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        stops.set()  # a thread cannot be cancelled
        await asyncio.gather(*tasks, prepares, return_exceptions=True)
        await desk.close()


@cache
def _build(secure: bool, folder: Path, offline: bool) -> Litestar:
    """Return an application without a state: all that a request is answered by is found in the state of its server."""
    page = Page(folder, offline)
    return Litestar(
        [*page.routes(), *copy_of_page(offline), watch.show_health, watch.show_ready, *handlers()],
        lifespan=[_lifespan],
        before_request=check,
        middleware=[patience, room, limit],
        plugins=[Notation()],
        type_encoders={Card: encoded, Cards: encoded, Mean: encoded},
        exception_handlers={**HANDLERS, NotFoundException: page.not_found},
        before_send=[headers(secure)],
        request_max_body_size=LARGEST_REQUEST,
        dependencies={"visitor": Provide(find_visitor)},
        openapi_config=OpenAPIConfig(
            title="Mekuri",
            version=__version__,
            description=_DESCRIPTION,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
            security=[{"token": []}, {"cookie": []}, {}],
            components=Components(
                security_schemes={
                    "token": SecurityScheme(type="http", scheme="bearer", description="The token of POST /api/guests."),
                    "cookie": SecurityScheme(
                        type="apiKey",
                        security_scheme_in="cookie",
                        name=COOKIE,
                        description="A browser's cookie is named `mekuri-` and the id of the database. This name is read, too.",
                    ),
                }
            ),
        ),
        # The exception handlers do the logging.
        logging_config=None,
    )
