"""Compressing what is sent, for whoever understands that."""

from __future__ import annotations

import gzip
import re

from mekuri.server.asked import Asked

GZIPPED = {"content-encoding": "gzip"}  # the header of what is compressed
VARY = {"vary": "Accept-Encoding"}  # that of what would be for somebody else, too

_LEAST = 500  # bytes below which compressing saves no packet
_LEVEL = 6  # a round of views takes 0.3 ms; at 9 it takes 0.7 ms and is a twentieth smaller
_MEDIA = ("text/", "application/", "image/svg+xml")  # pictures and fonts are compressed already
_NOTHING = re.compile(r"q=0(\.0*)?")  # a weight that forbids


def worth_compressing(body: bytes, media: str) -> bool:
    """Whether compressing saves anything."""
    return len(body) >= _LEAST and media.startswith(_MEDIA)


def accepts_gzip(request: Asked) -> bool:
    """Whether a request names gzip, with more than a weight of nothing."""
    for told in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = told.replace(" ", "").partition(";")
        if name == "gzip":
            return not _NOTHING.fullmatch(weight)
    return False


def compress(body: bytes) -> bytes:
    """Bytes compressed. The same bytes always come to the same."""
    return gzip.compress(body, _LEVEL, mtime=0)
