"""The input of a bot at a table."""

import pytest

from mekuri import bots
from mekuri.protocol.table import AskSeat, AskTable
from mekuri.table import commands
from tests.helpers.tables import USUAL


@pytest.mark.parametrize("bot", ["flat", "genan"])
def test_bot_that_looks_back_gets_the_past(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = commands.make("t", bytes(32), AskTable(game=USUAL, seats=["person", bot], first_dealer=1), "ann", 1)
    commands.sit(table, "ann", "Ann", AskSeat(), 2)
    turn = commands.bot_turn(table, 3)
    assert turn
    past = table.running.seen(turn.seat).past
    assert past
    assert turn.seen.past == (past if bots.find(bot).looks_back else ())
    given = []

    def choose(self: bots.Player, *what: object) -> int:
        given.append(what)
        return 0

    monkeypatch.setattr(bots.Player, "choose", choose)
    commands.think(turn)
    assert given == [(turn.hidden, turn.seat, turn.seen.past)]
