"""The vector environment: the rounds of the library's own API, by arrays."""

import pickle
from typing import Any

import numpy as np
import pytest

import mekuri
from mekuri.bots import find
from mekuri.engine.bot import rule_bot
from mekuri.engine.compiled import available, first, rule
from mekuri.engine.contract import DRIVER, legal, play, undoing
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import IllegalAction, OptionError
from mekuri.engine.fields import RoundState
from tests.helpers.tables import GAMES, each_game, one_game

PLAIN: dict[str, Any] = {"plain": True, "seed": 5}


def actions_of(env: mekuri.Vector) -> list[int]:
    return [int(action) for action in env.sample()]


def shown(env: mekuri.Vector) -> list[Any]:
    arrays = (env.observations, env.masks, env.seats, env.rewards, env.done, env.numbers)
    return [array.tolist() for array in arrays]


@pytest.mark.in_turn(3)
@each_game
def test_tables_play_the_rounds_of_the_game(name: str) -> None:
    game, n = mekuri.game(name), 2
    env = mekuri.vector(game, n, learners=range(game.seats), skip_forced=False, **PLAIN)
    rounds = [game.deal(seed=5, dealer=int(env.dealers[i]), number=i) for i in range(n)]
    for _ in range(60):
        actions = actions_of(env)
        for i, round in enumerate(rounds):
            seat = int(env.seats[i])
            undone = env.masks[i].sum() - len(round.choices(seat))  # an action that takes back another is not offered
            assert seat == round.waiting[0]
            assert {*np.flatnonzero(env.masks[i]).tolist()} <= {*round.choices(seat)}
            assert undone == 0 or name in ("mutsuichi",)
            assert env.observations[i].tobytes() == round.observation(seat)
            round.play(actions[i], seat)
        env.step(actions)
        for i, round in enumerate(rounds):
            assert bool(env.done[i]) == round.over
            assert tuple(env.rewards[i]) == (round.returns if round.over else (0,) * game.seats)
            if round.over:
                number = int(env.numbers[i])
                assert number % n == i
                rounds[i] = game.deal(seed=5, dealer=int(env.dealers[i]), number=number)


@pytest.mark.parametrize("plain", [True, pytest.param(False, marks=pytest.mark.machine_code)])
def test_dealer_is_drawn_by_the_seed_and_the_number_of_the_round(plain: bool) -> None:
    def drawn(n: int, seed: int, **settings: Any) -> list[int]:
        env = mekuri.vector("sakura", n, auto_reset=False, seed=seed, plain=plain, **settings)
        found: list[int] = env.dealers.tolist()
        for _ in range(60 // n - 1):
            env.reset()
            found += env.dealers.tolist()
        env.reset(seed, number=n)
        assert env.dealers.tolist() == found[n : 2 * n]
        return found

    assert {*drawn(2, 5)} == {*range(mekuri.game("sakura").seats)}
    assert drawn(2, 5) == drawn(6, 5, opponents="greedy") != drawn(6, 6)
    assert drawn(6, 5) != [i % mekuri.game("sakura").seats for i in range(60)]
    assert {*drawn(2, 5, dealer=1)} == {1}


@pytest.mark.machine_code
@pytest.mark.skipif(not available(), reason="Numba is not installed")
@one_game
def test_threads_play_the_same_rounds_as_plain_rules(name: str) -> None:
    settings: dict[str, Any] = {"learners": (0,), "opponents": "greedy", "seed": 3}
    environments = [mekuri.vector(name, 5, **settings, threads=threads) for threads in (1, 2)]
    environments.append(mekuri.vector(name, 5, **settings, plain=True))
    for _ in range(15):
        actions = actions_of(environments[0])
        for env in environments:
            env.step(actions)
        found = [shown(env) for env in environments]
        assert found[0] == found[1] == found[2]


def remembered(env: mekuri.Vector, table: int, seat: int) -> list[tuple[int, int | None]]:
    """The events of a learner's ring, as seats and actions."""
    ring, seats, n = env.events[table, seat].tolist(), env.rewards.shape[1], int(env.happened[table, seat])
    assert not any(any(event) for event in ring[n:])
    return [
        ((who - 1 + seat) % seats if who <= seats else DRIVER, action - 1 if action else None)
        for who, action in (ring[e % len(ring)] for e in range(max(0, n - len(ring)), n))
    ]


@pytest.mark.in_turn(3)
@each_game
def test_events_are_what_the_seat_has_seen_happen(name: str) -> None:
    for preset in mekuri.game(name).contract.presets:
        game = mekuri.game(name, preset)
        env = mekuri.vector(game, 1, learners=range(game.seats), skip_forced=False, recall=True, **PLAIN)
        round = game.deal(seed=5, dealer=int(env.dealers[0]))
        for _ in range(30):
            seat = int(env.seats[0])
            assert remembered(env, 0, seat) == [(one.seat, one.action) for one in round.seen(seat).past][-128:], preset
            [action] = actions_of(env)
            round.play(action, seat)
            env.step([action])
            if round.over:
                round = game.deal(seed=5, dealer=int(env.dealers[0]), number=int(env.numbers[0]))


@pytest.mark.machine_code
@pytest.mark.in_turn(11)
@each_game
def test_compiled_events_are_the_plain_ones(name: str) -> None:
    settings: dict[str, Any] = {"learners": (0, 1), "opponents": "greedy", "seed": 3, "recall": True}
    environments = [mekuri.vector(name, 5, **settings, plain=plain) for plain in (False, True)]
    for _ in range(25):
        actions = actions_of(environments[0])
        for env in environments:
            env.step(actions)
        assert (environments[0].events == environments[1].events).all()
        assert (environments[0].happened == environments[1].happened).all()
    assert not environments[0].events[:, 2:].any(), "only learners' events are noted"


def test_events_are_restored_with_their_table() -> None:
    env = mekuri.vector("mushi", 2, recall=True, **PLAIN)
    for _ in range(3):
        env.step(env.sample())
    was, kept = (env.events.tolist(), env.happened.tolist()), env.state()
    env.step(env.sample())
    env.restore(kept)
    assert (env.events.tolist(), env.happened.tolist()) == was
    assert env.layout.version != mekuri.vector("mushi", 2, **PLAIN).layout.version
    assert mekuri.vector("mushi", 2, **PLAIN).events.size == 0


@pytest.mark.in_turn(3)
@each_game
def test_bot_answers_as_in_the_seats_of_the_others(name: str) -> None:
    """Asked for every seat of some tables, it plays the rounds that it plays as the opponent of nobody."""
    game, greedy = mekuri.game(name), find("greedy")
    asked = mekuri.vector(game, 2, learners=range(game.seats), auto_reset=False, **PLAIN)
    other = mekuri.vector(game, 2, learners=(0,), opponents="greedy", auto_reset=False, **PLAIN)
    for env in (asked, other):
        env.reset(number=3)
        while (env.seats >= 0).any():
            env.step(env.ask(greedy))
    assert asked.rewards.tolist() == other.rewards.tolist()
    assert asked.numbers.tolist() == [3, 4]
    asked.reset()
    chosen = asked.sample().tolist()
    assert asked.ask(greedy, [True, False])[1] == chosen[1]


def test_bots_of_one_name_are_asked_each_for_itself() -> None:
    def highest(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
        return (legal(h, seat) & ~undoing(h, seat)).bit_length() - 1

    env = mekuri.vector("mushi", 3, **PLAIN)
    named: dict[str, Any] = {"id": "one", "name": {"en": "One"}, "help": {"en": "Plays."}}
    low, high = (env.ask(rule_bot(choice, **named)).tolist() for choice in (lowest, highest))
    assert low == env.masks.argmax(axis=1).tolist()
    assert high == [int(row.nonzero()[0][-1]) for row in env.masks]


def test_bot_that_is_no_rules_text_cannot_be_asked() -> None:
    with pytest.raises(OptionError, match="flat cannot play"):
        mekuri.vector("mushi", 2, **PLAIN).ask(find("flat"))
    with pytest.raises(OptionError, match=r"'greedy' is no bot: mekuri\.bots\.find"):
        mekuri.vector("mushi", 2, **PLAIN).ask("greedy")  # type: ignore[arg-type]


@pytest.mark.in_turn(3)
@each_game
def test_afterstate_is_what_the_seat_knows_after_its_action(name: str) -> None:
    game = mekuri.game(name)
    env = mekuri.vector(game, 2, learners=range(game.seats), **PLAIN)
    for _ in range(20):
        tables, actions, observations = env.afterstates()
        assert list(zip(tables, actions, strict=True)) == [(i, a) for i in range(2) for a in np.flatnonzero(env.masks[i])]
        for table, action, observed in zip(tables, actions, observations, strict=True):
            seat = int(env.seats[table])
            after = hidden_state(env.whole(table), seat)
            play(after, seat, int(action))
            assert observed.tobytes() == env.layout.observe(after, seat)
        env.step(env.sample())


@pytest.mark.machine_code
def test_compiled_afterstates_and_answers_are_the_plain_ones() -> None:
    one, two = (mekuri.vector("mushi", 5, learners=(0, 1), seed=3, plain=plain) for plain in (False, True))
    for _ in range(12):
        for found, expected in zip(one.afterstates(), two.afterstates(), strict=True):
            assert (found == expected).all()
        actions = one.ask(find("greedy")).tolist()
        assert actions == two.ask(find("greedy")).tolist()
        one.step(actions)
        two.step(actions)


def test_only_learners_choose_and_forced_actions_are_skipped() -> None:
    env = mekuri.vector("mushi", 4, learners=(1,), opponents="greedy", **PLAIN)
    for _ in range(25):
        assert set(env.seats) == {1}
        assert (env.masks.sum(axis=1) > 1).all()
        env.step(env.sample())


def test_round_that_is_over_waits_for_a_reset() -> None:
    env = mekuri.vector("hiyoko", 2, auto_reset=False, **PLAIN)
    returns = np.zeros((2, 2))
    for _ in range(200):
        _, masks, seats, rewards, done = env.step(env.sample())
        returns += rewards
        assert not masks[seats < 0].any()
        assert not (done & (seats >= 0)).any()
    assert (env.seats == -1).all()
    for i in range(2):
        assert abs(returns[i]).max() > 0
        assert returns[i].sum() == 0
    env.reset()
    assert (env.seats == 0).all()
    assert env.numbers.tolist() == [2, 3]


@pytest.mark.parametrize("run", [PLAIN, pytest.param({"threads": 2}, marks=pytest.mark.machine_code)])
def test_illegal_action_is_refused_and_changes_nothing(run: dict[str, Any]) -> None:
    env = mekuri.vector("mushi", 3, **run)
    before, actions = shown(env), actions_of(env)
    for wrong in (63, 64, -1, 1 << 40, int(np.flatnonzero(~env.masks[2])[0])):
        with pytest.raises(IllegalAction, match="table 2"):
            env.step([*actions[:2], wrong])
        assert shown(env) == before
    for shape in (actions[:2], [0.5] * 3):
        with pytest.raises(IllegalAction, match=r"3 numbers.* int64 and the shape \(2,\)|3 numbers.* float64"):
            env.step(shape)


def test_restored_table_plays_on_as_it_did() -> None:
    env = mekuri.vector("tensho", 3, **PLAIN)
    env.step(env.sample())
    kept, before = env.state(), shown(env)[:3]
    steps = []
    for _ in range(20):
        steps.append(actions_of(env))
        env.step(steps[-1])
    after = shown(env)
    env.restore(kept)
    assert shown(env)[:3] == before
    for actions in steps:
        env.step(actions)
    assert shown(env) == after


@pytest.mark.parametrize(
    ("game", "settings", "other"),
    [
        ("sakura", {"recall": True}, "`recall`"),
        ("hiyoko", {}, "game"),
        (mekuri.game("sakura", seats=3), {}, "number of seats"),
        pytest.param("sakura", {"plain": False}, "`plain`", marks=pytest.mark.machine_code),
    ],
)
def test_refusal_to_restore_names_what_differs(game: Any, settings: dict[str, Any], other: str) -> None:
    env = mekuri.vector("sakura", 2, **PLAIN)
    before = shown(env)
    with pytest.raises(OptionError, match=f"another {other}$"):
        env.restore(mekuri.vector(game, 2, **PLAIN | settings).state())
    assert shown(env) == before


def test_malformed_state_or_unknown_row_is_refused() -> None:
    env = mekuri.vector("mushi", 2, **PLAIN)
    before = shown(env)
    wrong: Any
    for wrong in (None, {}, env.observations):
        with pytest.raises(OptionError, match="what `state` has returned"):
            env.restore(wrong)
    for rows in ([9, 9], [0, -1]):
        with pytest.raises(OptionError, match="from 0 to 1"):
            env.fork(rows)
        with pytest.raises(OptionError, match="from 0 to 1"):
            env.restore(env.state(), rows)
    assert shown(env) == before


@pytest.mark.parametrize("plain", [True, pytest.param(False, marks=pytest.mark.machine_code)])
def test_pickled_state_is_restored_in_another_environment(plain: bool) -> None:
    """Rounds that begin later follow the seed of the environment that is restored."""
    one, two = (mekuri.vector("mushi", 2, seed=seed, plain=plain) for seed in (1, 2))
    one.step(one.sample())
    two.restore(pickle.loads(pickle.dumps(one.state())))
    assert shown(two)[:3] == shown(one)[:3]
    assert one.whole(0) == two.whole(0)
    for env in (one, two):
        env.reset()
    assert one.numbers.tolist() == two.numbers.tolist()
    assert one.whole(0) != two.whole(0)


def test_fork_copies_tables() -> None:
    env = mekuri.vector("mushi", 3, **PLAIN)
    was = shown(env)
    env.fork([2, 2, 2])
    for name, rows in zip(("observations", "masks", "seats"), shown(env), strict=False):
        old = was[["observations", "masks", "seats"].index(name)]
        assert rows == [old[2]] * 3
    env.restore(env.state([0]), [1])
    assert env.numbers.tolist() == [2, 2, 2]


def test_other_libraries_share_the_arrays() -> None:
    env = mekuri.vector("mushi", 2, **PLAIN)
    shared = np.from_dlpack(env.observations)
    env.step(env.sample())
    assert (shared == env.observations).all()
    assert np.shares_memory(shared, env.observations)


@pytest.mark.parametrize(
    "wrong",
    [{"learners": ()}, {"learners": (2,)}, {"learners": 0}, {"dealer": 2}, {"n": 0}, {"threads": 0}, {"opponents": "flat"}],
)
def test_wrong_setting_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        mekuri.vector("mushi", **{"n": 2, "plain": True, **wrong})


@rule
def lowest(h: RoundState, seat: int, chance: list[int], states: list[RoundState]) -> int:
    return first(legal(h, seat) & ~undoing(h, seat))


@pytest.mark.parametrize("game", ["mushi", mekuri.game("sakura", seats=4)], ids=str)
def test_policy_ties_every_pair_with_a_bot_that_plays_alike(game: Any) -> None:
    bot = rule_bot(lowest, id="lowest", name={"en": "Lowest"}, help={"en": "Plays its lowest card."})
    score = mekuri.evaluate(lambda tables: tables.masks.argmax(axis=1), game, opponents=bot, pairs=5, plain=True)
    assert (score.pairs, score.tied, score.mean, score.second) == (5, 5, 0, "lowest")


def test_policy_wins_the_pairs_that_its_rounds_say() -> None:
    score = mekuri.evaluate(lambda tables: tables.masks.argmax(axis=1), "mushi", pairs=4, seed=3, plain=True)
    won = []
    for own in range(2):
        env = mekuri.vector("mushi", 4, learners=(own,), opponents="greedy", auto_reset=False, seed=3, dealer=0, plain=True)
        while not (env.seats < 0).all():
            env.step(env.masks.argmax(axis=1))
        won.append(env.rewards[:, own])
    assert score.total == pytest.approx((won[0] + won[1]).sum() / 2)
    assert score.won == (won[0] + won[1] > 0).sum()


def test_illegal_action_of_a_policy_is_refused() -> None:
    with pytest.raises(IllegalAction):
        mekuri.evaluate(lambda tables: tables.masks.argmin(axis=1), "mushi", pairs=1, plain=True)


def test_bot_object_plays_as_by_its_name() -> None:
    by_name, by_bot = (mekuri.vector(GAMES[0], 2, opponents=bot, **PLAIN) for bot in ("greedy", find("greedy")))
    assert shown(by_name) == shown(by_bot)
