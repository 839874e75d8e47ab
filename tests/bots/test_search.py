"""Search: the same plain and compiled, within its budget, and right in solved positions."""

from math import hypot

import pytest

import mekuri
from mekuri import bots
from mekuri.bots import Budget, Seen
from mekuri.bots.search import machine_code
from mekuri.bots.search.flat import HANDS_OPEN, HONEST, OPEN, WHOLE
from mekuri.bots.search.think import think
from mekuri.engine.called import choices_of, lead
from mekuri.engine.chance import stream
from tests.helpers.asked import asked
from tests.helpers.tables import each_game

GREEDY = bots.find("greedy")


@each_game
def test_every_action_is_tried_and_the_best_most(name: str) -> None:
    round, seat = asked(name, 3, 4)
    seen = Seen(round.hidden(seat), seat)
    tries = think(seen, stream("think"), Budget(60), GREEDY)
    assert sum(1 << tried.action for tried in tries) == choices_of(seen.hidden, seat)
    assert [tried.worlds for tried in tries] == sorted((tried.worlds for tried in tries), reverse=True)
    assert tries[0].mean == max(tried.mean for tried in tries if tried.worlds == tries[0].worlds)
    assert sum(tried.worlds for tried in tries) <= 60
    assert all(0 <= tried.won <= tried.worlds and tried.error >= 0 for tried in tries)
    assert think(seen, stream("think"), Budget(60), GREEDY) == tries


@pytest.mark.machine_code
def test_play_outs_choose_an_unseen_pile_blindly() -> None:
    """Exchanging two unseen hands gains nothing. Giving away the better of two piles costs much."""
    game = mekuri.game("tenshu")
    machine_code.prepare(game.contract, GREEDY)
    round = game.deal(seed="unseen")
    while "notta" not in round.legal:
        round.play(round.legal[0])
    passing, exchanging = think(round.seen(round.waiting[0]), stream("unseen"), Budget(16_000), GREEDY)
    assert abs(passing.mean - exchanging.mean) < 3 * hypot(passing.error, exchanging.error)


@each_game
def test_search_changes_no_state(name: str) -> None:
    round, seat = asked(name, 4, 3)
    seen, before = Seen(round.hidden(seat), seat), round.hidden(seat)
    for open_cards in (HONEST, HANDS_OPEN, OPEN):
        think(Seen(round._state, seat) if open_cards else seen, stream(1), Budget(4), GREEDY, open_cards)
    assert (seen.hidden, round.hidden(seat)) == (before, before)


def test_every_action_is_tried_once_without_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_ready", {})  # which looks at the clock less often
    round, seat = asked("mushi", 5, 9)
    tries = think(Seen(round.hidden(seat), seat), stream(1), Budget(1000, 0), GREEDY)
    assert {tried.worlds for tried in tries} == {1}


@pytest.mark.parametrize("seed", range(6))
def test_last_choice_with_open_cards_is_exact(seed: int) -> None:
    """The result does not depend on chance or another player, so the value found is exact."""
    round, seat = asked("mushi", seed, 1)
    for tried in think(Seen(round._state, seat), stream(seed), Budget(8), GREEDY, OPEN):
        end = mekuri.game("mushi").position(round.position)
        end.play(tried.action, seat)
        while not end.over:
            end.play(end.legal[0])
        assert (tried.mean, tried.error) == (end.returns[seat], 0)


@each_game
def test_search_of_one_turn_counts_its_gain(name: str) -> None:
    round, seat = asked(name, 3, 4)
    seen = Seen(round._state, seat)
    for tried in think(seen, stream("short"), Budget(40), GREEDY, OPEN, sight=0):
        then = mekuri.game(name).position(round.position)
        then.play(tried.action, seat)
        if then.over or seat not in then.waiting:
            assert (tried.mean, tried.error) == (lead(then._state, seat), 0)


@pytest.mark.machine_code
@pytest.mark.parametrize("sight", [0, 1, WHOLE])
def test_machine_code_gives_the_same_search(sight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    round, seat = asked("mushi", 6, 5)
    seen = Seen(round.hidden(seat), seat)
    monkeypatch.setattr(machine_code, "_ready", {})
    chances = stream("same"), stream("same")
    plain = think(seen, chances[0], Budget(80), GREEDY, sight=sight)
    machine_code.prepare(round.contract, GREEDY)
    assert think(seen, chances[1], Budget(80), GREEDY, sight=sight) == plain
    assert chances[0] == chances[1] != stream("same"), "the next thought draws other worlds, the same in both"


@pytest.mark.machine_code
def test_search_beats_greedy() -> None:
    """A gate, not a measurement: a search that had lost its wits would not come through."""
    from mekuri.lab.arena import Arena

    arena = Arena(mekuri.game("mushi"), ("flat", "greedy"), 40, seed="gate", budget=Budget(300))
    arena.prepare()
    [score] = arena.play()
    assert score.won >= 2 * score.lost
    assert score.mean > 4
