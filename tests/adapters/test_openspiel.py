"""OpenSpiel's own tests of games pass for every game, and its algorithms play them."""

import random
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

import mekuri
from mekuri.testing.settings import FEW_SEATS
from tests.helpers.tables import GAMES

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts

from mekuri.adapters.openspiel import load
from mekuri.lab import equilibrium

TABLES = [(name, seats) for name in GAMES for seats in mekuri.game(name).contract.seats if seats <= FEW_SEATS]
each_table = pytest.mark.parametrize(
    ("name", "seats"), [pytest.param(*table, marks=() if table == ("mushi", 2) else pytest.mark.slow) for table in TABLES]
)


def played(game: pyspiel.Game, seed: int) -> list[pyspiel.State]:
    """Return the states of a random round in which a player chooses."""
    chance, state, found = random.Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        if not state.is_chance_node():
            found.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return found


@each_table
def test_own_tests_of_openspiel_pass(name: str, seats: int) -> None:
    game = load(mekuri.game(name, seats=seats))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_players_play_the_rounds_of_the_game() -> None:
    round, chance = mekuri.game("mushi").deal(seed=4), random.Random(1)
    game = load("mushi", dealer=0)
    state = game.new_initial_state()
    cards = list(chain.from_iterable(reversed(pack) for pack in round.packs))
    while state.is_chance_node():
        assert sum(share for _, share in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(cards.pop(0))
    while not state.is_terminal():
        player = state.current_player()
        assert player == round.waiting[0]
        assert tuple(state.legal_actions()) == round.choices(player, undo=False)
        assert bytes(np.array(state.observation_tensor(player), np.uint8)) == round.observation(player)
        assert state.information_state_string(player) == round.information(player).hex()
        action = chance.choice(state.legal_actions())
        assert state.action_to_string(player, action) == round.action_text(action)
        state.apply_action(action)
        round.play(action)
    assert tuple(state.returns()) == round.returns


def test_first_chance_node_draws_the_dealer() -> None:
    state = load("mushi").new_initial_state()
    assert (str(state), state.chance_outcomes()) == ("the dealer is not drawn", [(0, 0.5), (1, 0.5)])
    assert state.action_to_string(state.current_player(), 1) == "seat 1 deals"
    state.apply_action(1)
    assert state.is_chance_node()
    assert str(state) == str(load("mushi", dealer=1).new_initial_state())
    with pytest.raises(mekuri.OptionError, match="the dealer is a seat from 0 to 1, not 2"):
        load("mushi", dealer=2)


@each_table
def test_resampled_states_are_the_same_to_the_player(name: str, seats: int) -> None:
    chance, others = random.Random(2), 0
    for state in played(load(mekuri.game(name, seats=seats)), 1):
        player = state.current_player()
        other = state.resample_from_infostate(player, chance.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        others += str(other) != str(state)
    assert others


def test_a_clone_plays_on_alone() -> None:
    for state in played(load("mushi"), 3)[:3]:
        before, other = str(state), state.clone()
        other.apply_action(other.legal_actions()[0])
        assert str(state) == before != str(other)


@each_table
def test_tree_search_of_openspiel_plays(name: str, seats: int) -> None:
    game = load(mekuri.game(name, seats=seats))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=2.0, max_simulations=10, random_state=np.random.RandomState(2))
    for state in played(game, 1)[-3:]:
        assert bot.step(state) in state.legal_actions()


def test_counterfactual_regret_finds_the_equilibrium() -> None:
    """With one bet each on six numbers both players choose evenly, and neither wins: what `equilibrium` finds exactly."""
    small = mekuri.game("mutsuichi", seats=2, least_cards=1, most_cards=1)
    exact = equilibrium.choices(small)
    assert {share for way in equilibrium.equilibrium(exact.row_wins, exact.column_wins) for share in way} == {Fraction(1, 6)}
    game = load(small, dealer=0)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    learned, stake = solver.average_policy(), 10
    assert exploitability.nash_conv(game, learned) < stake / 10
    assert expected_game_score.policy_value(game.new_initial_state(), [learned, learned]) == pytest.approx([0, 0], abs=stake / 100)
