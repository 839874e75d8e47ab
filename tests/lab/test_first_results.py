"""The programs behind `docs/results`: they learn, and in full they reach what their pages state."""

import pytest

from examples.learner import Agent
from mekuri.engine.compiled import available

needs_numba = pytest.mark.skipif(not available(), reason="Numba is not installed")


def share(agent: Agent, pairs: int) -> float:
    won, lost, _ = agent.measure(pairs)
    return won / (won + lost)


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
