"""Learning in play-outs: a seat prefers its best later actions, without hidden information."""

from typing import Any

import pytest

import mekuri
from mekuri import bots
from mekuri.bots import Budget
from mekuri.bots.search import machine_code
from mekuri.bots.search import think as search
from mekuri.bots.search.later import (
    BROUGHT,
    KEY,
    LEAST,
    MOST,
    PATH,
    ROW,
    STEPS,
    TABLE,
    TIMES,
    begin,
    best_so_far,
    go_on,
    learn,
    memory,
    place,
)
from mekuri.bots.search.think import Notes, think
from mekuri.engine.chance import fold, stream
from mekuri.engine.contract import prospect
from mekuri.engine.fields import copy
from tests.helpers.asked import asked

GREEDY = bots.find("greedy")
NODE, CHOICES = 77, 0b10110  # actions 1, 2 and 4


def noted(kept: list[int], action: int, *won: int) -> None:
    """Record the gains of an action at NODE."""
    key = fold(NODE, action)
    for one in won:
        kept[STEPS], kept[PATH] = 1, place(kept, key)
        kept[kept[PATH] + KEY] = key
        learn(kept, one)


def test_every_action_is_tried_once_before_the_best() -> None:
    kept = memory(100)
    noted(kept, 2, 5)
    assert best_so_far(kept, NODE, CHOICES, 2) == 1
    noted(kept, 1, 3)
    assert best_so_far(kept, NODE, CHOICES, 2) == 4
    noted(kept, 4, 9)
    assert best_so_far(kept, NODE, CHOICES, 2) == 4
    assert (kept[LEAST], kept[MOST]) == (0, 9)


def test_rarely_tried_action_gets_a_bonus() -> None:
    kept = memory(100)
    noted(kept, 1, 4, 4, 4, 4, 4, 4)
    noted(kept, 2, 3)
    noted(kept, 4, -9, -9)
    assert best_so_far(kept, NODE, CHOICES, 1) == 2
    noted(kept, 2, *[3] * 40)
    noted(kept, 1, *[4] * 40)
    noted(kept, 4, *[-9] * 40)
    assert best_so_far(kept, NODE, CHOICES, 2) == 1


def test_new_choice_starts_with_the_default_action() -> None:
    kept = memory(100)
    done = []
    for _ in range(4):
        begin(kept, 9)
        done.append([go_on(kept, CHOICES, 2), go_on(kept, CHOICES, 4)])
        learn(kept, 1)
    assert done[:3] == [[2, 4], [1, 4], [4, 4]]
    begin(kept, 8)
    assert go_on(kept, CHOICES, 2) == 2, "what else was done before makes it another choice"


def test_full_table_accepts_no_new_choice() -> None:
    kept = memory(1)
    rows = (len(kept) - TABLE) // ROW
    for row in range(rows):
        kept[TABLE + row * ROW + KEY] = row + 1
    assert place(kept, fold(NODE, 1)) == 0
    assert best_so_far(kept, NODE, CHOICES, 4) == 4
    at = place(kept, 2)
    assert [kept[at + part] for part in (KEY, TIMES, BROUGHT)] == [2, 0, 0]


def test_search_without_learning_has_no_table() -> None:
    assert len(memory(0)) == TABLE
    assert len(memory(10**9)) < 1 << 20


@pytest.fixture(params=["learns", "promises"])
def goes_on(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How a seat plays in its play-outs: by its game's `prospect`, or by what it has learned if there is none."""
    if request.param == "learns":
        monkeypatch.setattr(search, "promises", lambda contract: False)
    return str(request.param)


@pytest.mark.usefixtures("goes_on")
def test_learning_changes_the_search_deterministically() -> None:
    round, seat = asked("isuri", 3, 3)
    seen = round.seen(seat)
    learnt, greedy = (think(seen, stream(1), Budget(60), GREEDY, learns=learns) for learns in (True, False))
    assert learnt != greedy
    assert learnt == think(seen, stream(1), Budget(60), GREEDY), "what was learned is forgotten with the thought"
    assert learnt == think(seen, stream(1), Budget(60), GREEDY, notes=Notes())


def test_ghost_in_the_hand_raises_the_prospect() -> None:
    round = mekuri.game("isuri").deal(seed=1)
    s: Any = round.contract.state()
    copy(s, round._state)
    seat = s.turn
    s.hand[seat] = 0b0001 << 16 | 0b0001 << 28  # fives and eights of clubs
    plain = prospect(s, seat)
    s.hand[seat] = 0b0001 << 16 | 0b0001  # the ghost of clubs in place of the eight
    assert prospect(s, seat) > plain


@pytest.mark.usefixtures("goes_on")
@pytest.mark.machine_code
def test_machine_code_gives_the_same_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    round, seat = asked("mushi", 3, 4)
    seen = round.seen(seat)
    monkeypatch.setattr(machine_code, "_ready", {})
    plain = think(seen, stream("same"), Budget(120), GREEDY)
    machine_code.prepare(round.contract, GREEDY)
    assert think(seen, stream("same"), Budget(120), GREEDY) == plain
