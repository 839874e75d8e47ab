"""One connection: HTTP as uvicorn reads it, within limits of ours on what comes before a request is whole.

The head of a request is held in memory until it is whole, and the parser sets no limit to it. So bytes are counted as they come,
in pieces so small that what one brings is little, and whoever sends too much, or takes too long, is answered and left.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mekuri.server import metrics
from mekuri.server.connection_limits import ConnectionLimits
from mekuri.server.error_handlers import headers_of
from mekuri.server.middleware import always
from mekuri.server.settings import Settings
from mekuri.server.status import status_of
from mekuri.table.errors import ProblemError

_PIECE = 4096  # bytes that are parsed between two looks at what has come of them
_BETWEEN = 4  # bytes of a header that are neither its name nor its value
_PARTING = 1.0  # seconds for an answer to arrive where more comes than is read
_LOGGED = {
    "long-address": "the length of an address",
    "long-head": "the size of a request's head",
    "too-slow": "the time for a request's head",
}


class _Early(Exception):
    """A request that comes before the last one is answered."""


class Connection(HttpToolsProtocol):
    """One connection of a server."""

    def __init__(self, places: ConnectionLimits, settings: Settings, **given: Any) -> None:
        super().__init__(**given)
        self._places = places
        self._settings = settings
        self._deadline: asyncio.TimerHandle | None = None
        self._in_head = False
        self._around = 0  # bytes of a head so far, or of what stands around a body: the marks of its chunks, what follows them
        self._deaf = False  # whether nothing is read any more

    # --- From the first moment to the last ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        proxies = self.config.loaded_app.trusted_hosts  # those whose word is believed about where a request comes from
        try:
            self._places.enter(transport, self._address, self._address in proxies)
        except ProblemError as refused:
            self._deaf = True
            transport.write(self._told(refused))
            transport.close()
            return
        self._wait(self._settings.head, self._expire)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by either side."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._stop_waiting()
        self._places.leave(self.transport)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    # --- What comes ---

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much."""
        if self._deaf:
            return
        self._unset_keepalive_if_required()
        try:
            for at in range(0, len(data), _PIECE):
                piece = data[at : at + _PIECE]
                self._around += len(piece)
                self.parser.feed_data(piece)
                self._check()
        except httptools.HttpParserUpgrade:
            # No other protocol is spoken here. It is answered as the request that it is as well, and nothing after it.
            self._hear_out()
        except httptools.HttpParserError as error:
            cause = error.__context__
            if isinstance(cause, _Early):
                self._hear_out()
            else:
                self._refuse(cause if isinstance(cause, ProblemError) else ProblemError("malformed", reason="it is not HTTP"))
        except ProblemError as refused:
            self._refuse(refused)
        else:
            # Whatever has come after an answer, a head must be whole in time.
            if not self._deadline and (not self.cycle or self.cycle.response_complete):
                self._wait(self._settings.head, self._expire)

    def on_message_begin(self) -> None:
        """The first byte of a request. One that comes too early waits in memory for its turn, so none may."""
        if self.cycle and not self.cycle.response_complete:
            raise _Early
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._check_head()
        self._check_plain()
        super().on_headers_complete()
        self._in_head, self._around = False, 0
        self.headers = []  # what follows a body in chunks looks like headers, and is none
        self._stop_waiting()
        self._places.begin(self.transport)

    def on_body(self, body: bytes) -> None:
        """A part of the body, which the application limits."""
        self._around -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._around = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer has been sent."""
        super().on_response_complete()
        self._places.wait(self.transport)

    def _check(self) -> None:
        """Raises ProblemError for too much of a head so far, or around a body."""
        if self._in_head:
            self._check_head()
        if self._around > self._settings.head_size:
            raise ProblemError("long-head")

    def _check_head(self) -> None:
        """Raises ProblemError where what has been read of a head is too much."""
        settings = self._settings
        if len(self.url) > settings.line:
            raise ProblemError("long-address")
        sizes = [len(name) + len(value) for name, value in self.headers]
        whole = len(self.url) + sum(sizes) + _BETWEEN * len(sizes)
        if len(sizes) > settings.headers or max(sizes, default=0) > settings.line or whole > settings.head_size:
            raise ProblemError("long-head")

    def _check_plain(self) -> None:
        """Raises ProblemError where whoever stands before this server may have read another request than it reads."""
        if sum(name == b"host" for name, _ in self.headers) > 1:
            raise ProblemError("malformed", reason="it names more than one host")
        if any(name == b"transfer-encoding" and value.strip().lower() != b"chunked" for name, value in self.headers):
            raise ProblemError("malformed", reason="its body is packed, which is not read here")

    # --- Leaving it ---

    def _refuse(self, refused: ProblemError) -> None:
        """Read nothing more, say why, and part. A request that is whole has its own answer before, and no other."""
        if limit := _LOGGED.get(refused.problem.error):
            self._places.tally.count(limit, self._address)
        if self.cycle and not self.cycle.response_complete:
            if self.cycle.response_started or not self.cycle.more_body:
                self._hear_out()
                return
            # The application waits for the rest of a body: for it, whoever asked is gone.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self._places.wait(self.transport)
        self._deaf = True
        self.transport.write(self._told(refused))
        self.transport.write_eof()
        # If it were closed while more comes, the system of whoever sends that would throw the answer away.
        self._wait(_PARTING, self.transport.abort)

    def _hear_out(self) -> None:
        """Read nothing more, and close after the answer that is under way."""
        self._deaf = True
        self.cycle.keep_alive = False

    def _told(self, refused: ProblemError) -> bytes:
        """A refusal as it is sent where the application has no part in it."""
        metrics.REFUSALS.labels(refused.problem.error).inc()
        body = msgspec.json.encode(refused.problem)
        told = always(self._settings.secure) | headers_of(refused)
        told |= {"content-type": "application/json", "content-length": str(len(body)), "connection": "close"}
        lines = [*self.server_state.default_headers, *((name.encode(), value.encode()) for name, value in told.items())]
        return b"".join([STATUS_LINE[status_of(refused)], *(b"%b: %b\r\n" % line for line in lines), b"\r\n", body])

    # --- Time ---

    def _wait(self, seconds: float, then: Any) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, then)

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """A head has not come, or not to its end. Where none has begun, there is nothing to answer."""
        if self._in_head and not self.transport.is_closing():
            self._refuse(ProblemError("too-slow"))
        else:
            self.transport.close()
