"""A fixture for tests of windows: the turns that bots are asked for."""

import pytest

from mekuri.table import commands
from mekuri.table.commands import Turn


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Turn]:
    """Return the list of turns that bots are asked for, from now on."""
    quick, found = commands.think, list[Turn]()

    def think(turn: Turn) -> int:
        found.append(turn)
        return quick(turn)

    monkeypatch.setattr(commands, "think", think)
    return found
