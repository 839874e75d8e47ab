"""A log that does not flood."""

import logging

from mekuri.server.base.repeated import Repeated


def logged(quiet: Repeated, message: str, at: float, *args: object) -> str | None:
    record = logging.LogRecord("mekuri.server", logging.ERROR, "", 0, message, args, None)
    record.created = at
    return record.getMessage() if quiet.filter(record) else None


def test_repeated_line_is_logged_once_a_minute_with_a_count() -> None:
    quiet = Repeated()
    assert logged(quiet, "%s", 1000, "full") == "full"
    assert [logged(quiet, "full", 1000 + second) for second in range(1, 60)] == [None] * 59
    assert logged(quiet, "full", 1060) == "full (repeated 59 times since it was last logged)"
    assert logged(quiet, "full", 1121) == "full"


def test_other_lines_are_logged_meanwhile() -> None:
    quiet = Repeated()
    assert [logged(quiet, "line %d", 1000, number) for number in range(300)] == [f"line {number}" for number in range(300)]
    assert logged(quiet, "line 299", 1001) is None
    assert len(quiet._logged) == 100
