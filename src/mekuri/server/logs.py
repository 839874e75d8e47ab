"""The log that a server writes to standard error: one line each, as text or as JSON, whatever stands in it.

Nothing in it is a secret: no token, no cookie, no path and no query (an address of a table is an invitation), no name and no card.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from mekuri.server.repeated import Repeated
from mekuri.server.settings import Settings

REQUESTS, ADDRESSES = 15, 14  # below INFO: each request is a line; and says where it came from
_LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "requests": REQUESTS,
    "addresses": ADDRESSES,
}
_Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Text(logging.Formatter):
    """A line with the time. What follows of a failure is indented, so that nothing in it looks like another line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line itself."""
        return harmless(super().formatMessage(record))

    def formatException(self, ei: _Failure) -> str:
        """Where it failed."""
        return "\n".join(f"    {harmless(line)}" for line in super().formatException(ei).split("\n"))


class Json(logging.Formatter):
    """An object, in ASCII, so that nothing in it ends the line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= getattr(record, "request", {})
        if record.exc_info:
            told["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(told)


def harmless(text: str) -> str:
    """A text with every sign escaped that ends a line, moves a cursor or cannot be seen."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def begin(settings: Settings) -> None:
    """Write the log as a server is set up to. What libraries tell below a warning is not for it: there are secrets among that."""
    for level in (REQUESTS, ADDRESSES):
        logging.addLevelName(level, "REQUEST")
    level, quiet = _LEVELS[settings.log_level], Repeated()
    told = logging.StreamHandler()
    told.setFormatter(Json() if settings.log_format == "json" else Text())
    # Requests are much alike, and whoever asks for them wants each.
    told.addFilter(lambda record: record.levelno in (REQUESTS, ADDRESSES) or quiet.filter(record))
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[told])
    logging.getLogger("mekuri").setLevel(level)
