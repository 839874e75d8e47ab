"""What tests of windows share: time that passes sooner, and the turns that bots are asked."""

import pytest

from mekuri.table import commands
from mekuri.table.commands import Turn
from tests.helpers.server.serving import UNCOUNTED


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables wait for a third of a second."""
    monkeypatch.setitem(UNCOUNTED, "window", 0.3)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Turn]:
    """The turns that bots are asked."""
    quick, found = commands.think, list[Turn]()

    def think(turn: Turn) -> int:
        found.append(turn)
        return quick(turn)

    monkeypatch.setattr(commands, "think", think)
    return found
