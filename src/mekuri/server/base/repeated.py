"""A filter of the server's log that drops repeated messages, such as one about a full disk, and counts them."""

from __future__ import annotations

import logging

_QUIET = 60.0  # seconds between two equal messages
_MOST = 100  # different messages in memory


class Repeated(logging.Filter):
    """Drops a message that was logged within the last minute, and adds the count of dropped ones when it is logged again."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[tuple[int, str], tuple[float, int]] = {}  # when each was last logged, and how many were dropped since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is logged now."""
        line = record.levelno, record.getMessage()
        since, held = self._logged.get(line, (0.0, 0))
        if record.created - since < _QUIET:
            self._logged[line] = since, held + 1
            return False
        self._logged.pop(line, None)
        if len(self._logged) == _MOST:
            del self._logged[next(iter(self._logged))]  # the one logged longest ago
        self._logged[line] = record.created, 0
        if held:
            record.msg, record.args = "%s (repeated %d times since it was last logged)", (line[1], held)
        return True
