"""Worlds that explain the actions of others: which actions reveal something, and which worlds are taken."""

from typing import Any

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import CHARACTERS, Budget, Seen
from mekuri.bots.search import machine_code
from mekuri.bots.search.flat import STATES, WORLD
from mekuri.bots.search.think import think
from mekuri.bots.search.worlds import TOLD, done_by_others, draw_world, unexplained
from mekuri.engine.chance import stream
from mekuri.engine.contract import hand_size, legal, recall, redeal
from mekuri.engine.executor import workspace
from mekuri.engine.fields import RoundState, copy
from mekuri.testing.worlds import random_round, steps
from tests.helpers.asked import asked
from tests.helpers.tables import GAMES, each_game

GREEDY = bots.find("greedy")
RECALLED = [name for name in GAMES if games.find(name).has("recall")]
each_recalled = pytest.mark.parametrize("name", RECALLED)


def explained(seen: Seen) -> tuple[list[RoundState], list[int]]:
    """What others have done, as a search has it."""
    done = done_by_others(seen)
    past = workspace(seen.hidden.contract, len(done))
    for state, one in zip(past, done, strict=True):
        copy(state, one.before)
    return past, [word for one in done for word in (one.seat, one.action, one.played)]


@each_recalled
def test_earlier_hand_is_recalled_from_the_present_one(name: str) -> None:
    """In the true world, all through a round: the recalled legal actions are those of the time."""
    round = random_round(mekuri.game(name), 1)
    before: list[Any] = [now.contract.state() for now in steps(round)]
    for state, now in zip(before, steps(round), strict=True):
        copy(state, now._state)
    found = 0
    for now in steps(round):
        if not now.waiting or now.waiting[0] >= now.game.seats:
            continue
        for done in done_by_others(now.seen(now.waiting[0])):
            then: Any = next(s for s in reversed(before[: len(now.history)]) if s.hand[done.seat] & done.played == done.played)
            h: Any = now.contract.state()
            copy(h, done.before)
            recall(h, done.seat, now._state, done.played)
            assert h.hand[done.seat] == then.hand[done.seat]
            assert legal(h, done.seat) == legal(then, done.seat)
            assert legal(h, done.seat) >> done.action & 1
            found += 1
    assert found > 10


@each_game
def test_seat_with_unknown_hand_is_left_out(name: str) -> None:
    round, seat = asked(name, 2, 3)
    done = done_by_others(round.seen(seat))
    assert bool(done) == (name in RECALLED)
    assert all(one.seat != seat for one in done)
    assert not done_by_others(Seen(round.hidden(seat), seat)), "who has not looked knows of nothing"


def test_actions_before_a_hand_grew_are_left_out() -> None:
    round, seat = asked("mushi", 2, 3)
    seen = round.seen(seat)
    [*_, last] = done_by_others(seen)
    other = 1 - seat
    at = next(n for n, happened in enumerate(seen.past) if happened.seat == other and happened.action == last.action)
    held: Any = seen.past[at].hidden
    held.held[other] -= 1  # as if a card had come to it at once after that
    assert hand_size(seen.past[at + 1].hidden, other) > hand_size(seen.past[at].hidden, other)
    assert len(done_by_others(seen)) < len(done_by_others(round.seen(seat)))


@each_recalled
def test_taken_worlds_explain_greedy_actions(name: str) -> None:
    """The true world explains every action. The worlds that are taken explain more than any others."""
    found, left = 0, {"true": 0, "taken": 0, "any": 0}
    for seed in range(3):
        round, seat = asked(name, seed, 2)
        seen, chance = round.seen(seat), stream("worlds", seed)
        past, done = explained(seen)
        assert len(done) == TOLD * len(past)
        found += len(past)
        states = workspace(round.contract, STATES)
        copy(states[0], seen.hidden)
        left["true"] += unexplained(round._state, past, done, 99, *states[3:5])
        for _ in range(10):
            draw_world(states, seat, chance, past, done)
            left["taken"] += unexplained(states[WORLD], past, done, 99, *states[3:5])
            copy(states[WORLD], seen.hidden)
            redeal(states[WORLD], seat, chance)
            left["any"] += unexplained(states[WORLD], past, done, 99, *states[3:5])
    assert found > 0
    assert left["true"] == 0
    assert left["taken"] < left["any"] or left["any"] == 0


def test_actions_of_others_change_the_search() -> None:
    round, seat = asked("mushi", 2, 3)
    seen = round.seen(seat)
    assert think(seen, stream(1), Budget(40), GREEDY) != think(Seen(seen.hidden, seat), stream(1), Budget(40), GREEDY)
    assert seen == round.seen(seat), "nothing is done to what has been seen"


@pytest.mark.parametrize("who", [one.id for one in CHARACTERS[:-1]])
def test_only_the_strongest_uses_actions_of_others(who: str) -> None:
    round, seat = asked(next(name for name in GAMES if who in [level.who for level in bots.levels(games.find(name))]), 2, 3)
    seen = round.seen(seat)
    chances = stream(3), stream(3)
    bot = bots.find(who, round.contract)
    assert bot.choose(seen, chances[0], Budget(24)) == bot.choose(Seen(seen.hidden, seat), chances[1], Budget(24))
    assert chances[0] == chances[1]
    assert not bot.looks_back


@pytest.mark.machine_code
def test_machine_code_gives_the_same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    round, seat = asked("mushi", 2, 3)
    seen = round.seen(seat)
    monkeypatch.setattr(machine_code, "_ready", {})
    plain = think(seen, stream("same"), Budget(60), GREEDY)
    machine_code.prepare(round.contract, GREEDY)
    assert think(seen, stream("same"), Budget(60), GREEDY) == plain
