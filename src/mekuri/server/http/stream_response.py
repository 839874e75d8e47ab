"""The response that sends an event stream to its client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Request
from litestar import response as answer
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

from mekuri.desk.stream import Stream


class StreamResponse(answer.Stream):
    """Sends a stream until it ends, and ends it where its client leaves.

    Litestar's own streams cancel what sends them when the client leaves. That error would refer to itself, and so to the stream,
    its guest and its connection, until the next garbage collection of all objects, which is hours away.

    Args:
        stream: the stream.
        left: called with it in the end.
    """

    def __init__(self, stream: Stream, left: Callable[[Stream], None]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(stream, media_type="text/event-stream", headers=headers)
        self._sent, self._left = stream, left

    def to_asgi_response(self, app: None, request: Request[Any, Any, Any], **more: Any) -> ASGIResponse:  # type: ignore[override]
        """Return the response as Litestar sends it."""
        made = super().to_asgi_response(app, request, **more)
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in made.encode_headers()]
        return _Sent(self._sent, self._left, headers, made.status_code)


class _Sent(ASGIStreamingResponse):
    def __init__(self, stream: Stream, left: Callable[[Stream], None], headers: list[tuple[str, str]], status: int) -> None:
        super().__init__(iterator=stream, headers=headers, status_code=status)  # type: ignore[arg-type]
        self._followed, self._left = stream, left

    async def send_body(self, send: Send, receive: Receive) -> None:
        leaving = asyncio.create_task(self._wait_until_left(receive))
        try:
            await self._stream(send)
        finally:
            leaving.cancel()
            self._left(self._followed)

    async def _wait_until_left(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._followed.cut_off()
