"""What the log is told over and over, such as that the disk is full, is told once, then once a minute with how often it was."""

from __future__ import annotations

import logging

_QUIET = 60.0  # seconds between two lines that say the same
_MOST = 100  # different lines that are remembered


class Repeated(logging.Filter):
    """Lets a line through that was not told within a minute, and says how often it would have been told meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[int, str], tuple[float, int]] = {}  # when each was told last, and how often it was held back since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is told now."""
        line = record.levelno, record.getMessage()
        since, held = self._told.get(line, (0.0, 0))
        if record.created - since < _QUIET:
            self._told[line] = since, held + 1
            return False
        self._told.pop(line, None)
        if len(self._told) == _MOST:
            del self._told[next(iter(self._told))]  # the one that was told first
        self._told[line] = record.created, 0
        if held:
            record.msg, record.args = "%s (%d times more since it was told last)", (line[1], held)
        return True
