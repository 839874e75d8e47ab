"""PettingZoo's own tests of environments pass for every game."""

import warnings
from typing import Any

import numpy as np
import pytest

import mekuri
from mekuri.testing.settings import FEW_SEATS
from tests.helpers.tables import GAMES

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from mekuri.adapters.pettingzoo import env, raw_env

TABLES = [(name, seats) for name in GAMES for seats in mekuri.game(name).contract.seats if seats <= FEW_SEATS]
each_table = pytest.mark.parametrize(
    ("name", "seats"), [pytest.param(*table, marks=() if table == ("mushi", 2) else pytest.mark.slow) for table in TABLES]
)


@each_table
def test_own_tests_of_pettingzoo_pass(name: str, seats: int) -> None:
    game = mekuri.game(name, seats=seats)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # api_test warns of observations that are no plain arrays, as every game with masks has
        api_test(env(game, plain=True), num_cycles=60)
    seed_test(lambda: env(game, plain=True), num_cycles=40)


@pytest.mark.machine_code
def test_agents_play_the_rounds_of_the_game() -> None:
    game, chance = mekuri.game("mushi"), np.random.default_rng(1)
    one, round = env(game, render_mode="ansi", dealer=1), game.deal(seed=4, dealer=1)
    one.reset(seed=4)
    for agent in one.agent_iter():
        seen, reward, ended, _, _ = one.last()
        seat = int(agent[-1])
        assert seen["observation"].tobytes() == round.observation(seat)
        if ended:
            assert reward == round.returns[seat]
            one.step(None)
            continue
        assert seat == round.waiting[0]
        assert one.observe(f"seat_{1 - seat}")["observation"].tobytes() == round.observation(1 - seat)
        action = int(chance.choice(np.flatnonzero(seen["action_mask"])))
        assert "field" in one.render().lower()
        one.step(action)
        round.play(action)
    assert round.over


def test_dealer_is_drawn_by_the_seed_unless_given() -> None:
    def dealers(**given: Any) -> list[int]:
        one, found = env("mushi", plain=True, **given), []
        part = next(part for part in mekuri.game("mushi").layout.parts if part.name == "dealer")
        for seed in (*range(10), *[None] * 10):
            one.reset(seed)
            found.append(int(one.observe("seat_0")["observation"][part.first]))
        return found

    assert {*dealers()[:10]} == {*dealers()[10:]} == {0, 1}
    assert dealers() == dealers(seed=3)
    assert {*dealers(dealer=0)} == {1}
    assert {*dealers(dealer=1)} == {0}


def test_illegal_action_names_its_agent() -> None:
    one = raw_env("mushi", plain=True, dealer=0)
    one.reset(seed=4)
    before = one.last()[0]["observation"].tolist()
    for wrong in (63, 64, 100, -1, -64, 1 << 40):
        with pytest.raises(mekuri.IllegalAction, match=f"action {wrong} is illegal for seat_0"):
            one.step(wrong)
    assert one.last()[0]["observation"].tolist() == before
