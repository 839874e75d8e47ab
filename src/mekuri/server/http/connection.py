"""An HTTP connection: uvicorn's protocol, with limits on the size and time of a request's head.

The parser holds the head of a request in memory and sets no limit to it. So received bytes are parsed in small pieces and counted,
and a client that sends too much or takes too long gets an error response and is disconnected.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mekuri.desk.status import status_of
from mekuri.protocol.coding import encode
from mekuri.server.base import metrics
from mekuri.server.base.settings import Settings
from mekuri.server.guard.connection_limits import ConnectionLimits
from mekuri.server.guard.error_handlers import headers_of
from mekuri.server.guard.middleware import always
from mekuri.table.errors import ProblemError
from mekuri.table.time import Time, Timer

_PIECE = 4096  # bytes that are parsed between two checks of the limits
_BETWEEN = 4  # bytes of a header line beside its name and value: colon, space, CR, LF
_PARTING = 1.0  # seconds for an error response to arrive before the connection is aborted
_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::(?P<port>[0-9]{0,5}))?", re.ASCII)
_LOGGED = {
    "long-address": "the length of an address",
    "long-head": "the size of a request's head",
    "too-slow": "the time for a request's head",
}


class _Early(Exception):
    """A request that arrives before the last one is answered (HTTP pipelining)."""


class Connection(HttpToolsProtocol):
    """A connection of a server, from accept to close."""

    def __init__(self, places: ConnectionLimits, settings: Settings, time: Time, **given: Any) -> None:
        super().__init__(**given)
        self._places = places
        self._settings = settings
        self._time = time
        self._deadline: Timer | None = None
        self._in_head = False
        self._around = 0  # bytes of the head so far, or of the body's framing: chunk sizes and trailers
        self._deaf = False  # whether received bytes are ignored

    # --- Accept and close ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it with an error response where there are too many."""
        super().connection_made(transport)
        proxies = self.config.loaded_app.trusted_hosts  # proxies whose X-Forwarded-For is trusted
        try:
            self._places.enter(transport, self._address, self._address in proxies)
        except ProblemError as refused:
            self._deaf = True
            transport.write(self._refusal(refused))
            transport.close()
            return
        self._wait(self._settings.head, self._expire)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after either side has closed the connection."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._stop_waiting()
        self._places.leave(self.transport)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    # --- Reading ---

    def data_received(self, data: bytes) -> None:
        """Parse received bytes piece by piece, within the limits."""
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
            # No upgrade is supported. The request itself is answered, and nothing after it.
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
            # After a response the next head must be complete in time, whatever part of it has arrived.
            if not self._deadline and (not self.cycle or self.cycle.response_complete):
                self._wait(self._settings.head, self._expire)

    def on_message_begin(self) -> None:
        """Begin a request. A pipelined one would wait in memory for its turn, so it is not accepted."""
        if self.cycle and not self.cycle.response_complete:
            raise _Early
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        """Check the whole head, and hand the request to the application."""
        self._check_head()
        self._check_plain()
        super().on_headers_complete()
        self._in_head, self._around = False, 0
        self.headers = []  # trailers after a chunked body are reported like headers, and ignored
        self._stop_waiting()
        self._places.begin(self.transport)

    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body, whose size the application limits."""
        self._around -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._around = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """End a response: the connection is idle now."""
        super().on_response_complete()
        self._places.wait(self.transport)

    def _check(self) -> None:
        """Raises ProblemError where the head so far, or the framing of the body, is too large."""
        if self._in_head:
            self._check_head()
        if self._around > self._settings.head_size:
            raise ProblemError("long-head")

    def _check_head(self) -> None:
        """Raises ProblemError where the part of the head that has arrived is too large."""
        settings = self._settings
        if len(self.url) > settings.line:
            raise ProblemError("long-address")
        sizes = [len(name) + len(value) for name, value in self.headers]
        whole = len(self.url) + sum(sizes) + _BETWEEN * len(sizes)
        if len(sizes) > settings.headers or max(sizes, default=0) > settings.line or whole > settings.head_size:
            raise ProblemError("long-head")

    def _check_plain(self) -> None:
        """Raises ProblemError for a head that a proxy might read differently (request smuggling)."""
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) > 1:
            raise ProblemError("malformed", reason="it names more than one host")
        # Code that builds an address of this server from it would fail on a port that is no number.
        if hosts and not ((found := _HOST.fullmatch(hosts[0])) and int(found["port"] or 0) < 1 << 16):
            raise ProblemError("malformed", reason="its Host is no name with a port")
        if any(name == b"transfer-encoding" and value.strip().lower() != b"chunked" for name, value in self.headers):
            raise ProblemError("malformed", reason="its body is packed, which is not read here")

    # --- Refusing ---

    def _refuse(self, refused: ProblemError) -> None:
        """Stop reading, send an error response and close. A request that is complete gets its own response instead."""
        if limit := _LOGGED.get(refused.problem.error):
            self._places.tally.count(limit, self._address)
        if self.cycle and not self.cycle.response_complete:
            if self.cycle.response_started or not self.cycle.more_body:
                self._hear_out()
                return
            # The application waits for the rest of a body: it gets notice that the client has disconnected.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self._places.wait(self.transport)
        self._deaf = True
        self.transport.write(self._refusal(refused))
        self.transport.write_eof()
        # Closing at once while the client still sends would reset the connection, and the client would lose the response.
        self._wait(_PARTING, self.transport.abort)

    def _hear_out(self) -> None:
        """Stop reading, and close after the response in progress."""
        self._deaf = True
        self.cycle.keep_alive = False

    def _refusal(self, refused: ProblemError) -> bytes:
        """Return an error response as bytes, made without the application."""
        metrics.REFUSALS.labels(refused.problem.error).inc()
        body = encode(refused.problem)
        values = always(self._settings.secure) | headers_of(refused)
        values |= {"content-type": "application/json", "content-length": str(len(body)), "connection": "close"}
        lines = [*self.server_state.default_headers, *((name.encode(), value.encode()) for name, value in values.items())]
        return b"".join([STATUS_LINE[status_of(refused)], *(b"%b: %b\r\n" % line for line in lines), b"\r\n", body])

    # --- Time ---

    def _wait(self, seconds: float, then: Any) -> None:
        self._stop_waiting()
        self._deadline = self._time.call_later(seconds, then)

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """Answer 408 where a head is incomplete when its time is up; close without a response where none has begun."""
        if self._in_head and not self.transport.is_closing():
            self._refuse(ProblemError("too-slow"))
        else:
            self.transport.close()
