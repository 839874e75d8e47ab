"""A filter of the server's log that drops repeated messages, such as one about a full disk, and counts them."""

from __future__ import annotations

import logging

_QUIET = 60.0  # seconds between two equal messages
_MOST = 100  # different messages in memory


class Repeated(logging.Filter):
    """Drops a message that was logged within the last minute, and adds the count of dropped ones when it is logged again."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[int, str], tuple[float, int]] = {}  # when each was last logged, and how many were dropped since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is logged now."""
        line = record.levelno, record.getMessage()
        since, held = self._told.get(line, (0.0, 0))
        if record.created - since < _QUIET:
            self._told[line] = since, held + 1
            return False
        self._told.pop(line, None)
        if len(self._told) == _MOST:
            del self._told[next(iter(self._told))]  # the one logged longest ago
        self._told[line] = record.created, 0
        if held:
            record.msg, record.args = "%s (%d times more since it was told last)", (line[1], held)
        return True
