"""Answers that are the same for everybody: held in memory, compressed once, and sent again only where they have changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

from mekuri.server.asked import Asked
from mekuri.server.compression import GZIPPED, VARY, accepts_gzip, compress, worth_compressing

LASTING = "public, max-age=31536000, immutable"  # for an address whose contents never change
FINAL = "public, max-age=3600"  # for what never changes, but is written anew where Mekuri is
CHECKED = "public, max-age=0, must-revalidate"  # for one that is asked for again only to hear that nothing has changed
SAME = {304: ResponseSpec(None, description="It has not changed", generate_examples=False)}  # for the description of addresses


@dataclass(frozen=True)
class CachedResponse:
    """Something to send.

    Attributes:
        body: its bytes.
        media: its media type.
    """

    body: bytes
    media: str

    @cached_property
    def tag(self) -> str:
        """A digest that changes with the contents, in quotes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The bytes compressed; None where that is not worth it."""
        return compress(self.body) if worth_compressing(self.body, self.media) else None

    def answer(self, request: Asked, caching: str = CHECKED, status: int = 200) -> Response[Any]:
        """The answer to a request: 304 for whoever has it already, compressed for whoever understands that."""
        # The same tag stands for both forms, so it is a weak one.
        headers = {"etag": f"W/{self.tag}", "cache-control": caching}
        if self.compressed:
            headers |= VARY
        if status == 200 and self.tag in request.headers.get("if-none-match", ""):
            return Response(None, status_code=304, headers=headers)
        body = self.body
        if self.compressed and accepts_gzip(request):
            body = self.compressed
            headers |= GZIPPED
        return Response(body, media_type=self.media, status_code=status, headers=headers)
