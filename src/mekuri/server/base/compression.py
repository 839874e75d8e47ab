"""Compression of responses with gzip, for clients that accept it."""

from __future__ import annotations

import gzip
import re

from mekuri.server.base.asked import Asked

GZIPPED = {"content-encoding": "gzip"}  # the header of a compressed response
VARY = {"vary": "Accept-Encoding"}  # the header of every response that may be compressed

_LEAST = 500  # bytes below which compressing saves no packet
_LEVEL = 6  # the views of a round take 0.3 ms; at level 9 they take 0.7 ms and are a twentieth smaller
_MEDIA = ("text/", "application/", "image/svg+xml")  # other pictures and fonts are compressed already
_NOTHING = re.compile(r"q=0(\.0*)?")  # the weight 0, which excludes an encoding


def worth_compressing(body: bytes, media: str) -> bool:
    """Whether a body is large enough to compress, and of a media type that is not compressed already."""
    return len(body) >= _LEAST and media.startswith(_MEDIA)


def accepts_gzip(request: Asked) -> bool:
    """Whether a request accepts gzip: named in Accept-Encoding, and not with weight 0."""
    for told in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = told.replace(" ", "").partition(";")
        if name == "gzip":
            return not _NOTHING.fullmatch(weight)
    return False


def compress(body: bytes) -> bytes:
    """Return bytes compressed with gzip, always the same for the same bytes."""
    return gzip.compress(body, _LEVEL, mtime=0)
