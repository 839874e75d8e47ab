"""The server's own log on standard error: one line for each message, as text or as JSON.

It has no secrets: no token, cookie, path or query (a table's address is an invitation), no name and no card.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from mekuri.server.base.repeated import Repeated
from mekuri.server.base.settings import Settings

REQUESTS, ADDRESSES = 15, 14  # levels below INFO: each request is logged; with its IP address
_LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "requests": REQUESTS,
    "addresses": ADDRESSES,
}
_Failure = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Text(logging.Formatter):
    """Formats messages as lines with the time. Tracebacks are indented, so that nothing in them looks like another message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, with control characters escaped."""
        return harmless(super().formatMessage(record))

    def formatException(self, ei: _Failure) -> str:
        """Return the traceback, indented and with control characters escaped."""
        return "\n".join(f"    {harmless(line)}" for line in super().formatException(ei).split("\n"))


class Json(logging.Formatter):
    """Formats messages as JSON objects in ASCII, so that no text in them can end the line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= getattr(record, "request", {})
        if record.exc_info:
            fields["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(fields)


def harmless(text: str) -> str:
    """Return a text with all characters escaped that cannot be printed, such as line ends and terminal controls."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def begin(settings: Settings) -> None:
    """Set up logging as configured. Libraries log warnings and errors only, as their other messages may have secrets."""
    for level in (REQUESTS, ADDRESSES):
        logging.addLevelName(level, "REQUEST")
    level, quiet = _LEVELS[settings.log_level], Repeated()
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if settings.log_format == "json" else Text())
    # Messages about requests are often equal, and all of them are wanted.
    handler.addFilter(lambda record: record.levelno in (REQUESTS, ADDRESSES) or quiet.filter(record))
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler])
    logging.getLogger("mekuri").setLevel(level)
