"""The seam: what every bot is given, and what all of ours hold to."""

from typing import Any

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import Budget, Player, Seen, rule_bot, workspace
from mekuri.engine.chance import below, pick, stream
from mekuri.engine.compiled import count, rule
from mekuri.engine.contract import legal
from mekuri.engine.rulebook import LANGUAGES
from mekuri.lab.simulate import simulate
from mekuri.testing.worlds import random_round, steps
from tests.helpers.tables import GAMES, USUAL, each_game


@rule
def lean_low(h: Any, seat: int, chance: Any, states: Any) -> int:
    """Lower choices more often; it notes something in the states it thinks in."""
    states[2].turns = states[2].turns + 1
    choices = legal(h, seat)
    return pick(choices, 1 + below(chance, count(choices)), chance)


OTHER = rule_bot(lean_low, id="other", name={"en": "Other", "ja": "他"}, help={"en": "Other.", "ja": "他。"}, states=3)


@each_game
def test_every_bot_chooses_legally_and_has_texts(name: str) -> None:
    contract = games.find(name)
    listed = bots.about(contract)
    characters = [bot.id for bot in bots.characters(contract)]
    assert [one.id for one in listed] == [*characters, *bots.NAMES] == list(bots.names_for(contract))
    for one in listed:
        assert one.plays(name)
        assert one.name.keys() == one.help.keys() == set(LANGUAGES)
        bot = bots.find(one.id, contract)
        for now in steps(random_round(mekuri.game(name), 2)):
            for seat in now.waiting if now.waiting and now.waiting[0] < now.game.seats else ():
                h = now.hidden(seat)
                same = [bot.choose(Seen(h, seat), stream("seam"), Budget(playouts=1)) for _ in range(2)]
                assert same[0] == same[1]
                assert legal(h, seat) >> same[0] & 1


def test_own_bots_are_listed_weakest_first() -> None:
    assert bots.NAMES == ("random", "greedy", "flat")
    assert bots.OF_RULES == ("random", "greedy")
    assert [bots.find(name).strength for name in bots.NAMES] == sorted(bots.find(name).strength for name in bots.NAMES)


def test_bots_of_a_game_come_first() -> None:
    for name in GAMES:
        contract = games.find(name)
        assert bots.usual(contract) == (contract.bots[0].id if contract.bots else "kiku")
        assert bots.here(bots.usual(contract), contract)


def test_unknown_bot_is_refused() -> None:
    with pytest.raises(bots.UnknownBot, match="there is no bot nobody: there are random, greedy"):
        Player("nobody")
    assert bots.known("nobody") is None
    assert bots.here("nobody") is None


def test_workspace_has_separate_states() -> None:
    contract = games.find(USUAL)
    plain = workspace(contract, 3)
    assert [type(state) for state in plain] == [contract.state] * 3
    assert len({id(state) for state in plain}) == 3


@pytest.mark.machine_code
def test_new_bot_of_rules_text_runs_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown bot that needs more states to think in than ours."""
    game = mekuri.game(USUAL)
    assert len(workspace(game.contract, 3, compiled=True)) == 3
    ours = {"other": OTHER, "random": bots.find("random")}
    monkeypatch.setattr("mekuri.bots.registry._ours", lambda: ours)
    plain, compiled = (simulate(game, 200, 1, "other", plain=how) for how in (True, False))
    assert plain.checksum == compiled.checksum
    assert plain.checksum != simulate(game, 200, 1, plain=True).checksum
