"""A pytest plugin that skips tests of compiled rules, so that only plain rules are tested. For `tools/mutants.py`."""

from typing import NoReturn

import pytest

from mekuri.engine.entry import Entry


def _skip(*_: object, **__: object) -> NoReturn:
    pytest.skip("asks for machine code")


def pytest_configure() -> None:
    """Make every request to compile skip its test."""
    Entry.prepare = _skip  # type: ignore[method-assign]
