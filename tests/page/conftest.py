"""Tests of the page share one browser, and their settings take turns."""

from pathlib import Path

import pytest

from tests.helpers.page.opening import CUT, PART, Open

__all__ = ["CUT", "PART", "Open"]

# The days within which all settings of a test have run.
PAGE_TURNS = 8


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let all tests of the page share one browser, and so one event loop, and the settings of a test take turns."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.in_turn(PAGE_TURNS))
            if "open_page" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
