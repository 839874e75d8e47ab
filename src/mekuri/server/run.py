"""Serving: where to listen, saying where, and stopping without cutting anybody off."""

from __future__ import annotations

import asyncio
import errno
import gc
import ipaddress
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from litestar.types import ASGIApp

from mekuri import __version__
from mekuri.engine.errors import MekuriError
from mekuri.server import logs, metrics
from mekuri.server.access_log import AccessLog
from mekuri.server.app import create_app
from mekuri.server.browser import is_mekuri, open_page
from mekuri.server.connection import Connection
from mekuri.server.connection_limits import ConnectionLimits
from mekuri.server.database import file_of
from mekuri.server.leftover import check_leftover
from mekuri.server.priced import Priced
from mekuri.server.routes.watch import keepers_app
from mekuri.server.settings import Settings, place_of
from mekuri.server.store import Store, default_database, now
from mekuri.server.table_registry import TableRegistry

_log = logging.getLogger("mekuri.server")
_LOCAL = ("localhost", "127.0.0.1", "::1")
_NEW_OBJECTS = 50_000  # between two collections of garbage
_TURN = 0.0005  # seconds for which one thread of the process holds another up, ten times less than Python has it
_UNREAD_MS = 30_000  # after which a line that takes nothing is broken
_FILES = 128  # that are open beside the connections: those of the database, and what is just being accepted or read
_KEEPERS = 16  # connections at the address of metrics
_LAST_WORDS = 5  # seconds that requests under way have when the server stops


class ServeError(MekuriError):
    """The server cannot listen there."""


class PortInUse(ServeError):
    """Something else listens there already."""


class Server(uvicorn.Server):
    """A server that lets its streams go when it is asked to stop; without that it would wait for them for ever."""

    def __init__(
        self, settings: Settings, listening: socket.socket, begun: Callable[[], None] | None = None, clock: Callable[[], int] = now
    ) -> None:
        host, port = listening.getsockname()[:2]
        self._app = create_app(settings, clock)
        self.priced = Priced(cast(Any, self._app), lambda: self._app.state.get("guests"), settings)
        self._listening = listening
        self._begun = begun
        self._loop: asyncio.AbstractEventLoop | None = None
        self._settings = settings
        self.keepers = _listen_for_keepers(settings)
        paid = settings.budget or settings.budget_each
        front = cast(ASGIApp, self.priced if paid else self._app)
        super().__init__(_config(front, self._app.state.places, settings, host=host, port=port))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and let that be known."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.keepers:
            self.servers.append(await self._open_to_keepers(self.keepers))
        metrics.STARTED.set_to_current_time()
        _log.info("Mekuri %s serves at port %d", __version__, self.config.port)
        if self.started and self._begun and not self.should_exit:
            self._begun()

    async def _open_to_keepers(self, listening: socket.socket) -> asyncio.Server:
        """Answer whoever keeps the server, whatever goes on at the door of visitors: the places there are other ones."""
        assert self._loop
        apart = replace(self._settings, connections=_KEEPERS, connections_each=2 * _KEEPERS, proxies=())
        config = _config(keepers_app(self._app.state), ConnectionLimits(apart), apart)
        config.load()

        def connect() -> asyncio.Protocol:
            made = cast(Any, config.http_protocol_class)
            protocol: asyncio.Protocol = made(config=config, server_state=self.server_state, app_state={}, _loop=None)
            return protocol

        return await self._loop.create_server(connect, sock=listening)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal. Whoever sends it again has to wait as well: what has been begun is finished."""
        if not self.should_exit:
            super().handle_exit(sig, frame)
            if self._loop:
                self._loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        """Answer what has been asked, let the streams go, and stop. To be called in the server's own loop."""
        self.should_exit = True
        _log.info("Asked to stop: requests under way are answered")
        tables: TableRegistry | None = self._app.state.get("tables")
        if tables:
            tables.hang_up()

    def serve_here(self) -> None:
        """Serve until stopped."""
        # Messages hold no cycles. To look for some after every 700 new objects, as Python does, took a sixth of the server's time.
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS)
        # A move that is being written waits at each statement for whoever uses the processor just then.
        sys.setswitchinterval(_TURN)
        self.run([self._listening])


def _config(app: ASGIApp, places: ConnectionLimits, settings: Settings, **more: Any) -> uvicorn.Config:
    """How uvicorn serves an application."""
    return uvicorn.Config(
        cast(Any, AccessLog(app)),
        log_config=None,
        access_log=False,  # an address is an invitation, and no log should hand those out
        server_header=False,
        http=cast(type[asyncio.Protocol], partial(Connection, places, settings)),
        ws="none",
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=_LAST_WORDS,
        **more,
    )


def _listen_for_keepers(settings: Settings) -> socket.socket | None:
    """A socket at the address of metrics, if there is one. Raises ServeError where there can be none."""
    if settings.metrics is None:
        return None
    try:
        return listen(*place_of(settings.metrics))
    except PortInUse:
        raise ServeError(f"{settings.metrics} is in use: choose another port with --metrics") from None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ServeError where there can be none, PortInUse where something else has the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # What is answered is sent at once. asyncio itself does not see to this for a socket that it is given.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Whoever takes nothing for so long is gone. A line that nobody reads would be held for ever. (Linux has this option.)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MS)
        return listening
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(f"port {port} is in use: is Mekuri running already? Choose another with --port") from None
        raise ServeError(f"nothing can listen at {host} port {port}: {error.strerror}") from None
    except OverflowError:
        raise ServeError(f"a port is a number from 0 to 65535, not {port}") from None


def serve(host: str, port: int, settings: Settings, browse: bool = False) -> None:
    """Serve until interrupted. Says on standard output where; with `browse` it opens the page there in the browser.

    Where Mekuri has the port already, `browse` opens the page of that one, and nothing is served.
    Raises ServeError where it cannot listen, StoreError where the database cannot be opened.
    """
    try:
        listening = listen(host, port)
    except PortInUse:
        here = _address(host, port)
        if not (browse and is_mekuri(here)):
            raise
        print(f"Mekuri is running already, at {here}/")
        open_page(here)
        return
    logs.begin(settings)
    if settings.public_url and not settings.proxies:
        _log.warning("No proxy is named (--proxies): behind one, all people would count as one")
    with listening:
        _check(file_of(settings.database or default_database()))
        here = settings.public_url or _address(host, listening.getsockname()[1])

        def greet() -> None:
            print(f"Mekuri is at {here}/  (stop with Ctrl-C; in the terminal: mekuri menu)", flush=True)
            if browse:
                open_page(here)

        hosts, connections = settings.hosts or _names(host, settings.public_url), _connections(settings.connections)
        Server(replace(settings, hosts=hosts, connections=connections), listening, greet).serve_here()


def _connections(wanted: int) -> int:
    """How many connections there may be: where the system allows this process fewer files, only as many as those are enough for."""
    with suppress(ImportError):  # Windows counts no files
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        unlimited = resource.RLIM_INFINITY
        enough = wanted + _FILES
        if soft != unlimited and soft < enough:
            allowed = enough if hard == unlimited else min(enough, hard)
            with suppress(OSError, ValueError):  # some systems allow less than they say
                resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
                soft = allowed
            wanted = max(min(wanted, soft - _FILES), 1)
    return wanted


def _check(database: Path) -> None:
    """Look into the database once, so that one that cannot be opened, read or trusted is told in one line."""

    async def look() -> None:
        store = await Store.open(database)
        try:
            await store.place()
        finally:
            await store.close()

    check_leftover(database)
    asyncio.run(look())


def _address(host: str, port: int) -> str:
    """The address to be opened on this machine."""
    name = "localhost" if host in ("", "0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def _names(host: str, public_url: str | None) -> tuple[str, ...]:
    """The names under which requests may come: on a loopback address its own, which nobody else can point there; else any."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    return (host, *_LOCAL, *filter(None, [urlsplit(public_url or "").hostname])) if loopback else ()
