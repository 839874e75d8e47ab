"""Requests and responses of the web framework: responses that are the same for everybody, revalidated by ETag or compressed."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request, Response

from mekuri.desk.cached_response import CHECKED, CachedResponse

Asked = Request[Any, Any, Any]

ASSETS = "/assets/"  # the beginning of the paths of files that have a digest in their names
FILES = (ASSETS, "/cards/")  # the beginnings of paths at which such responses are all there is
LASTING = "public, max-age=31536000, immutable"  # for a URL whose contents never change
GZIPPED = {"content-encoding": "gzip"}  # the header of a compressed response
VARY = {"vary": "Accept-Encoding"}  # the header of every response that may be compressed

_NOTHING = re.compile(r"q=0(\.0*)?")  # the weight 0, which excludes an encoding


def accepts_gzip(request: Asked) -> bool:
    """Whether a request accepts gzip: named in Accept-Encoding, and not with weight 0."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name == "gzip":
            return not _NOTHING.fullmatch(weight)
    return False


def respond(kept: CachedResponse, request: Asked, caching: str = CHECKED, status: int = 200) -> Response[Any]:
    """Return the response to a request: 304 where the client has this body, compressed where it accepts gzip.

    Args:
        kept: the response.
        request: the request.
        caching: the value of the Cache-Control header.
        status: the HTTP status of a response with a body.
    """
    # The plain and the compressed body have the same ETag, so it is a weak one.
    headers = {"etag": f"W/{kept.tag}", "cache-control": caching}
    if kept.compressed:
        headers |= VARY
    if status == 200 and kept.tag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=304, headers=headers)
    body = kept.body
    if kept.compressed and accepts_gzip(request):
        body = kept.compressed
        headers |= GZIPPED
    return Response(body, media_type=kept.media, status_code=status, headers=headers)
