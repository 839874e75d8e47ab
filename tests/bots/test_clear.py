"""A search that stops once the choice is clear: which actions it drops, when, and how little effort is wasted."""

import pytest

from mekuri import bots
from mekuri.bots import Budget
from mekuri.bots.search import machine_code
from mekuri.bots.search.clear import BATCH, Batches
from mekuri.bots.search.think import think
from mekuri.engine.chance import stream
from tests.helpers.asked import asked

GREEDY = bots.find("greedy")


def noted(times: int) -> Batches:
    """Return batches in which action 1 gains most, action 2 nearly as much and sometimes more, and action 3 least."""
    batches = Batches()
    for time in range(times):
        luck = 7 * time % 5
        batches.add({1: 5.0 + luck, 2: 4.9 + luck + (-1) ** time, 3: 3.0 + luck + time % 2})
    return batches


def test_only_clearly_worse_actions_are_dropped() -> None:
    assert noted(16).behind([1, 2, 3], 1) == [3]
    assert noted(15).behind([1, 2, 3], 1) == [], "of so few batches nothing is clear"


def test_default_budget_is_used_up() -> None:
    round, seat = asked("mushi", 6, 5)
    seen = round.seen(seat)
    assert think(seen, stream(1), Budget(120), GREEDY, until_clear=True) == think(seen, stream(1), Budget(120), GREEDY)


@pytest.mark.machine_code
def test_large_budget_ends_once_the_choice_is_clear() -> None:
    round, seat = asked("mushi", 6, 5)
    seen = round.seen(seat)
    machine_code.prepare(round.contract, GREEDY)
    budget = Budget(100 * BATCH)
    early, whole = (think(seen, stream(1), budget, GREEDY, until_clear=until_clear) for until_clear in (True, False))
    assert early[0].action == whole[0].action
    assert sum(1 << one.action for one in early) == sum(1 << one.action for one in whole)
    assert sum(one.worlds for one in early) < sum(one.worlds for one in whole)
    assert [one.worlds for one in early] == sorted((one.worlds for one in early), reverse=True)
    late = think(seen, stream(1), Budget(100 * BATCH, 0), GREEDY, until_clear=True)
    assert sum(one.worlds for one in late) <= BATCH
