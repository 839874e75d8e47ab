"""Responses that are the same for everybody: held in memory, compressed once, and revalidated by ETag."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

from mekuri.server.base.asked import Asked
from mekuri.server.base.compression import GZIPPED, VARY, accepts_gzip, compress, worth_compressing

ASSETS = "/assets/"  # the beginning of the paths of files that have a digest in their names
FILES = (ASSETS, "/cards/")  # the beginnings of paths at which such responses are all there is
LASTING = "public, max-age=31536000, immutable"  # for a URL whose contents never change
FINAL = "public, max-age=3600"  # for contents that change only with Mekuri itself
CHECKED = "public, max-age=0, must-revalidate"  # for contents that are revalidated each time
SAME = {304: ResponseSpec(None, description="It has not changed", generate_examples=False)}  # for OpenAPI


@dataclass(frozen=True)
class CachedResponse:
    """A response body that may be sent many times.

    Attributes:
        body: its bytes.
        media: its media type.
    """

    body: bytes
    media: str

    @cached_property
    def tag(self) -> str:
        """The ETag of the body, in quotes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The body compressed with gzip; None where that would not save anything."""
        return compress(self.body) if worth_compressing(self.body, self.media) else None

    def answer(self, request: Asked, caching: str = CHECKED, status: int = 200) -> Response[Any]:
        """Return the response to a request: 304 where the client has this body, compressed where it accepts gzip.

        Args:
            request: the request.
            caching: the value of the Cache-Control header.
            status: the HTTP status of a response with a body.
        """
        # The plain and the compressed body have the same ETag, so it is a weak one.
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
