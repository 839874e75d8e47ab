"""The programs behind `docs/results`: they learn, they converge, and in full they reach what their pages state."""

import random
from collections.abc import Iterator

import pytest

import mekuri
from examples.equilibrium import GAME, Tree, cfr_plus, solve
from examples.learner import Agent
from mekuri.engine.compiled import available
from mekuri.games import tensho
from mekuri.match.round import Round

needs_numba = pytest.mark.skipif(not available(), reason="Numba is not installed")


def share(agent: Agent, pairs: int) -> float:
    return agent.measure(pairs).share or 0.0


@pytest.mark.machine_code
@pytest.mark.every_days(4)
@needs_numba
def test_agent_learns_from_a_few_rounds() -> None:
    agent = Agent("mushi")
    untrained = share(agent, 300)
    agent.train(3000)
    assert share(agent, 300) > untrained + 0.15


@pytest.mark.slow
@needs_numba
def test_agent_wins_six_pairs_of_ten() -> None:
    """See `docs/results/mushi-learner.md`."""
    agent = Agent("mushi")
    agent.train(100_000)
    assert share(agent, 4000) > 0.6


def some_deals(n: int) -> Iterator[Round]:
    chance, start = random.Random(1), mekuri.game(tensho.contract, **GAME).undealt()
    for _ in range(n):
        round = start.copy()
        round.shuffled(chance.sample(start.unshuffled, len(start.unshuffled)))
        yield round


def test_equilibrium_of_a_known_game_is_found() -> None:
    """Of Mutsu-ichi with one bet on one of six numbers: both choose evenly, and neither wins."""
    game = mekuri.game("mutsuichi", seats=2, least_cards=1, most_cards=1)
    tree = Tree(iter([game.undealt()]))
    assert tree.roots == 1
    *_, (_, policy) = cfr_plus(tree, 256)
    assert tree.exploitability(policy) < 0.1  # of 50 that a bet can win
    assert abs(tree.values(policy, 0)[0]) < 0.1
    first = policy[tree.seats == 0]
    assert first == pytest.approx([1 / 6] * 6, abs=0.01)


def test_best_response_is_the_best_of_all_plans() -> None:
    """Of all ways to fix the actions of a seat, none wins more, and one wins as much."""
    tree = Tree(some_deals(2))
    policy, best = tree.uniform(), [tree.best_response(tree.uniform(), seat) for seat in range(2)]
    for seat in range(2):
        sets = [number for number, (_, who, _) in enumerate(tree.asked) if who == seat]
        assert 2 < len(sets) < 12
        won = []
        for plan in range(1 << len(sets)):
            fixed = policy.copy()
            for place, number in enumerate(sets):
                slots = (tree.sets == number).nonzero()[0]
                fixed[slots] = 0
                fixed[slots[plan >> place & 1 if len(slots) > 1 else 0]] = 1
            won.append(tree.values(fixed, seat)[0])
        assert best[seat] == pytest.approx(max(won))


def test_regret_shrinks_to_an_equilibrium() -> None:
    tree = Tree(some_deals(60))
    found = [tree.exploitability(policy) for _, policy in cfr_plus(tree, 64)]
    assert found[-1] < 0.005 < found[0]
    assert tree.exploitability(tree.uniform()) > 0.1
    assert tree.exploitability(tree.of_bot("greedy")) > found[-1]


@pytest.mark.slow
def test_reduced_tensho_is_solved() -> None:
    """See `docs/results/tensho-equilibrium.md`: the deals with one of the cards on the field."""
    found = solve(1, 256, ("greedy",))
    assert found["deals"] == 10_080
    assert found["CFR+"][256] < 0.001 < found["bots"]["greedy"] < found["bots"]["random"]
