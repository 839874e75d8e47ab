"""Gymnasium's own test of environments passes for every game, and both environments play the rounds of `mekuri.vector`."""

import warnings
from typing import Any

import numpy as np
import pytest

import mekuri
from tests.helpers.tables import GAMES

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from mekuri.adapters.gymnasium import ManyTables, OneSeat

each_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "mushi" else pytest.mark.slow) for name in GAMES]
)


@each_game
def test_own_test_of_gymnasium_passes(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather make the environment by a registered name
        check_env(OneSeat(name, seat=1, opponents="random", render_mode="ansi", plain=True), skip_close_check=True)


@pytest.mark.machine_code
def test_round_ends_with_the_return_of_the_seat() -> None:
    env = OneSeat("mushi", seat=1, opponents="random", render_mode="ansi")
    seen, _ = env.reset(seed=1)
    assert env.render()
    ended = False
    while not ended:
        assert seen["action_mask"].sum() > 1
        seen, reward, ended, truncated, about = env.step(env.action_space.sample(seen["action_mask"]))
        assert not truncated
        assert not about
        assert ended or reward == 0
    assert seen["action_mask"].sum() == 0
    assert abs(reward) <= 190


def test_dealer_is_drawn_for_each_round() -> None:
    def dealers(**given: Any) -> list[int]:
        env, first = OneSeat("mushi", plain=True, **given), [5, *[None] * 9]
        found = [env.reset(seed=seed)[0]["observation"] for seed in first]
        part = next(part for part in env.game.layout.parts if part.name == "dealer")
        return [int(seen[part.first]) for seen in found]

    drawn = dealers()
    assert set(drawn) == {0, 1}
    assert drawn == dealers()
    assert set(dealers(dealer=0)) == {1}


@pytest.mark.machine_code
def test_illegal_action_loses() -> None:
    env = OneSeat("mushi")
    seen, _ = env.reset(seed=1)
    _, reward, ended, _, about = env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert (reward, ended, about) == (-190, True, {"illegal": True})


@pytest.mark.machine_code
def test_many_tables_are_those_of_the_vector_environment() -> None:
    many = ManyTables("mushi", 4, opponents="random", recall=True)
    plain = mekuri.vector("mushi", 4, opponents="random", plain=True, seed=3, recall=True)
    seen, _ = many.reset(seed=3)
    assert many.observation_space.contains(seen)
    for _ in range(30):
        actions = plain.sample().tolist()
        seen, rewards, ended, cut, _ = many.step(np.array(actions))
        plain.step(actions)
        assert many.observation_space.contains(seen)
        assert (seen["observation"] == plain.observations).all()
        assert (seen["events"] == plain.events[:, 0]).all()
        assert (seen["action_mask"] == plain.masks).all()
        assert rewards.tolist() == plain.rewards[:, 0].tolist()
        assert ended.tolist() == plain.done.tolist()
        assert not cut.any()
