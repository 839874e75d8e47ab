"""A plugin of pytest: what asks for machine code is skipped, so that only the plain rules are tried. For `tools/mutants.py`."""

from typing import NoReturn

import pytest

from mekuri.engine.entry import Entry


def _skip(*_: object, **__: object) -> NoReturn:
    pytest.skip("asks for machine code")


def pytest_configure() -> None:
    """Let no entry be compiled."""
    Entry.prepare = _skip  # type: ignore[method-assign]
