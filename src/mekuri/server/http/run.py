"""Starting a server: its sockets and limits, its banner on standard output, and its shutdown."""

from __future__ import annotations

import asyncio
import errno
import gc
import ipaddress
import itertools
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from email.utils import formatdate
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from litestar.types import ASGIApp

from mekuri import __version__
from mekuri.engine.errors import MekuriError
from mekuri.server.base import logs, metrics
from mekuri.server.base.limits import Limits
from mekuri.server.base.settings import Settings, place_of
from mekuri.server.guard.connection_limits import ConnectionLimits
from mekuri.server.guard.priced import Priced
from mekuri.server.http.access_log import AccessLog
from mekuri.server.http.app import create_app
from mekuri.server.http.browser import is_mekuri, open_page
from mekuri.server.http.connection import Connection
from mekuri.server.http.routes.watch import keepers_app
from mekuri.server.storage.database import Place, database_at
from mekuri.server.storage.sqlite_file import check_leftover
from mekuri.server.storage.store import Store, default_database
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.time import REAL, Time, time_limit

_log = logging.getLogger("mekuri.server")
_LOCAL = ("localhost", "127.0.0.1", "::1")
_NEW_OBJECTS = 2_000  # objects that are new and kept, between two garbage collections of such objects: about 10 ms
_COLLECTIONS = 20_000  # of these between two of all objects, which take 1 ms a table in memory
_TURN = 0.0005  # seconds after which a thread gives up the GIL; Python's default is ten times that
_TICK = 1.0  # seconds between two updates of the date in responses
_UNREAD_MS = 30_000  # after which a connection with unacknowledged data is closed
_FILES = 128  # open files beside the connections, such as those of the database
_KEEPERS = 16  # connections at the address of the metrics
_LAST_WORDS = 5  # seconds until requests in progress are cancelled when the server stops


class ServeError(MekuriError):
    """The server cannot listen at its address."""


class PortInUse(ServeError):
    """The port is in use by another program."""


class Server(uvicorn.Server):
    """A uvicorn server that closes its event streams at a shutdown, which would otherwise wait for them for ever.

    Args:
        settings: how the server is set up.
        listening: the socket it listens at.
        begun: called once the server accepts requests.
        time: the clock, and the ways to wait for it.

    Attributes:
        priced: the middleware that charges processor time.
        keepers: the socket of the metrics; None without one.
    """

    def __init__(
        self, settings: Settings, listening: socket.socket, begun: Callable[[], None] | None = None, time: Time = REAL
    ) -> None:
        host, port = listening.getsockname()[:2]
        self._app = create_app(settings, time)
        self.priced = Priced(cast(Any, self._app), lambda: self._app.state.get("visitors"), settings, time)
        self._listening = listening
        self._begun = begun
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked_to_stop = asyncio.Event()
        self._signals = itertools.count()
        self._settings = settings
        self._time = time
        self.keepers = listen_for_keepers(settings)
        paid = settings.budget or settings.budget_each
        front = cast(ASGIApp, self.priced if paid else self._app)
        super().__init__(_config(front, self._app.state.places, settings, time, host=host, port=port))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, also at the address of the metrics, and call `begun`."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.keepers:
            self.servers.append(await self._open_to_keepers(self.keepers))
        metrics.STARTED.set_to_current_time()
        _log.info("Mekuri %s serves at port %d", __version__, self.config.port)
        if self.started and self._begun and not self.should_exit:
            self._begun()

    async def main_loop(self) -> None:
        """Update the date of responses once a second, and return as soon as the server is asked to stop."""
        while not await self.on_tick(0):
            self._date()
            with suppress(TimeoutError):
                async with time_limit(self._time, _TICK):
                    await self._asked_to_stop.wait()

    def _date(self) -> None:
        """Leave a leap of the clock out of the date of responses, by which pages count the seconds to a deadline."""
        desk: ServerDesk | None = self._app.state.get("desk")
        if desk and desk.store.clock.leap:
            date = formatdate(desk.time.now() / 1000, usegmt=True).encode()
            kept = [header for header in self.server_state.default_headers if header[0] != b"date"]
            self.server_state.default_headers = [(b"date", date), *kept]

    async def _open_to_keepers(self, listening: socket.socket) -> asyncio.Server:
        """Serve health, readiness and metrics at their own address, with connection limits of their own."""
        assert self._loop
        apart = replace(self._settings, connections=_KEEPERS, connections_each=2 * _KEEPERS, proxies=())
        places = ConnectionLimits(_KEEPERS, Limits(apart, self._time), self._time)
        config = _config(keepers_app(self._app.state), places, apart, self._time)
        config.load()

        def connect() -> asyncio.Protocol:
            made = cast(Any, config.http_protocol_class)
            protocol: asyncio.Protocol = made(config=config, server_state=self.server_state, app_state={}, _loop=None)
            return protocol

        return await self._loop.create_server(connect, sock=listening)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down on a signal. A second signal does not cut requests in progress short."""
        # A second signal may interrupt the first one here, but not within `next`.
        if next(self._signals) == 0:
            super().handle_exit(sig, frame)
            if self._loop:
                self._loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        """Shut down: finish the requests in progress and close the streams. Must be called in the server's event loop."""
        self.should_exit = True
        self._asked_to_stop.set()
        _log.info("Asked to stop: requests under way are answered")
        desk: ServerDesk | None = self._app.state.get("desk")
        if desk:
            desk.hang_up()

    def serve_here(self) -> None:
        """Serve in this thread until stopped."""
        # Nothing else happens during a garbage collection. Reference cycles are rare and short-lived: what has outlived one
        # collection has none, so that it is hardly ever looked through again. As often as Python does it, collections took a sixth
        # of the time.
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS, _COLLECTIONS, 1)
        # A database thread waits for the GIL at each statement; a shorter interval shortens these waits.
        sys.setswitchinterval(_TURN)
        self.run([self._listening])


def _config(app: ASGIApp, places: ConnectionLimits, settings: Settings, time: Time, **more: Any) -> uvicorn.Config:
    """Return uvicorn's configuration for an application."""
    return uvicorn.Config(
        cast(Any, AccessLog(app)),
        log_config=None,
        access_log=False,  # uvicorn's log has paths, and the path of a table is an invitation
        server_header=False,
        http=cast(type[asyncio.Protocol], partial(Connection, places, settings, time)),
        ws="none",
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=_LAST_WORDS,
        **more,
    )


def listen_for_keepers(settings: Settings) -> socket.socket | None:
    """Return the socket for the metrics; None if none is configured. Raises ServeError where it cannot listen."""
    if settings.metrics is None:
        return None
    host, port = place_of(settings.metrics, "metrics are served")
    address = ipaddress.ip_address(host)
    if address.is_unspecified or not address.is_private:
        _log.warning("Anyone may read the metrics at %s; at --metrics 127.0.0.1:%d only this machine may", settings.metrics, port)
    try:
        return listen(host, port)
    except PortInUse:
        raise ServeError(f"{settings.metrics} is in use: choose another port with --metrics") from None


def listen(host: str, port: int) -> socket.socket:
    """Return a listening TCP socket.

    Raises:
        PortInUse: another program listens at the port.
        ServeError: the address or the port is not possible.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # Responses are sent at once. asyncio does not set this option on a socket that is passed to it.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A connection to a client that has vanished would stay open for ever. (Linux has this option.)
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
    """Serve until interrupted, and print the address to standard output.

    Args:
        host: the host name or IP address to listen at.
        port: the TCP port; 0 for any free one.
        settings: how the server is set up.
        browse: whether to open the page in the browser. If Mekuri runs at this port already, only that page is opened.

    Raises:
        ServeError: the server cannot listen there.
        StoreError: the database cannot be opened.
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
        _check(database_at(settings.database or default_database()))
        here = settings.public_url or _address(host, listening.getsockname()[1])

        def greet() -> None:
            print(f"Mekuri is at {here}/  (stop with Ctrl-C; in the terminal: mekuri menu)", flush=True)
            if browse:
                open_page(here)

        hosts, connections = settings.hosts or _names(host, settings.public_url), _connections(settings.connections)
        Server(replace(settings, hosts=hosts, connections=connections), listening, greet).serve_here()


def _connections(wanted: int) -> int:
    """Return how many connections are possible, with the limit of open files raised as far as the system allows."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        unlimited = resource.RLIM_INFINITY
        enough = wanted + _FILES
        if soft != unlimited and soft < enough:
            allowed = enough if hard == unlimited else min(enough, hard)
            with suppress(OSError, ValueError):  # some systems allow less than their hard limit
                resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
                soft = allowed
            wanted = max(min(wanted, soft - _FILES), 1)
    return wanted


def _check(place: Place) -> None:
    """Open and read the database once, so that a broken one is reported in one line before the server starts."""

    async def look() -> None:
        store = await Store.open(place)
        try:
            await store.place()
        finally:
            await store.close()

    if isinstance(place, Path):
        check_leftover(place)
    asyncio.run(look())


def _address(host: str, port: int) -> str:
    """Return the URL of a server on this machine."""
    name = "localhost" if host in ("", "0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def _names(host: str, public_url: str | None) -> tuple[str, ...]:
    """Return the Host names that are accepted: on a loopback address its own, against DNS rebinding; otherwise () for any."""
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    return (host, *_LOCAL, *filter(None, [urlsplit(public_url or "").hostname])) if loopback else ()
