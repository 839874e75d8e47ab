"""Measure the vector environment of each game as a share of the bare loop: `python bench/environments.py`.

The bare loop plays the same rounds by the same random choices, and does nothing else: no mask, no observation, no opponents. Both
run in turns in one thread, in seconds of processor time, so the share holds on a busy machine too, but for its caches. The command
fails if a share is below the game's floor, or, on a quiet machine, if many tables are slower than few by more than a fifth or two
threads make less than LEAST_THREADS times the steps of one, by the clock.

`python bench/environments.py --adapters` measures the steps a second through PettingZoo and OpenSpiel instead, with random actions,
and in the same run those of a game that OpenSpiel has in Python. It fails below the least rate on a quiet machine.

`python bench/environments.py --peers` measures the vector environment of Mushi beside games of Pgx, PettingZoo and RLCard, with
random actions and in turns, and prints the ratios beside the aims. Install the projects to compare with: `pip install jax pgx
pettingzoo pygame rlcard`. The bench names the missing ones. Their rules are others, so a ratio is a scale and not a race.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import mekuri
from mekuri import games
from mekuri.engine.chance import begin_round, stream
from mekuri.engine.compiled import first
from mekuri.engine.contract import DRIVER, legal, over, play, returns, undoing, waiting
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.env import Vector, sample
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import copy
from mekuri.engine.setup import new_state
from mekuri.lab.vector import vector

FEW, TABLES = 512, 4096  # where shares are measured; the arrays of TABLES leave the second cache of most machines
FLOOR, FLOORS = 0.6, {"mutsuichi": 0.3}  # the least share of the bare loop, with FEW tables
LEAST_THREADS = 1.9
RECALL = 0.7  # the least rate with events as a share of that without, with FEW tables
MANYS = {"mutsuichi": 0.5}  # 16,384 of its tables take 37 MB, more than most caches have
ADAPTED = {"mushi": 1.0, "tenshu": 0.2}  # the games that the adapters are measured with, and their shares of the least rates
PETTINGZOO, OPENSPIEL = 25_000, 50_000  # the least rates, in steps a second; those of OpenSpiel count the cards that are dealt
PEER = "python_kuhn_poker"
PEERS = {  # games of other projects, each with the aim: the rate of Mushi's environment as a multiple of theirs
    "Pgx kuhn_poker": 15,
    "Pgx sparrow_mahjong": 400,
    "PettingZoo leduc_holdem": 6_000,
    "RLCard gin-rummy": 2_000,
}
BATCH = 1024  # tables that Pgx and Mushi play at once
MANY = 0.8  # the least rate of 16,384 tables as a share of that of 1,024


@entry
def play_alone(states: Any, chance: Any, key: Any, numbers: Any, actions: Any, seats: Any, legal_sets: Any, rewards: Any) -> None:
    """The bare loop: do an action at each table, and play on to the next choice. The last state is the start of a round."""
    tables = len(states) - 1
    for i in range(tables):
        s = states[i]
        play(s, seats[i], actions[i])
        while True:
            if over(s):
                for k in range(s.seats):
                    rewards[i, k] = returns(s, k)
                numbers[i] += tables
                copy(s, states[tables])
                begin_round(chance[i], key, numbers[i])
            seat = first(waiting(s))
            if seat == DRIVER:
                drive(s, chance[i])
                continue
            seats[i], legal_sets[i] = seat, legal(s, seat) & ~undoing(s, seat)
            break


def bare_loop(game: mekuri.Game, n: int) -> Callable[[], None]:
    """Return a function that does a random action at each of n tables, by the bare loop alone."""
    env, run = alone(game, n), MACHINE_CODE
    states = run.states(game.contract, n + 1)
    states[:n] = env.state()["states"]
    run.write(states, n, new_state(game.contract, game.options, game.seats))
    actions, seats, rewards, words = env.sample(), env.seats.astype("i8"), run.rows(n, game.seats), run.words(stream(1))
    rows = env.state()["chance"], run.words(stream(0)), env.numbers, actions, seats, env.legal, rewards
    run.prepare(play_alone, states, *rows)

    def step() -> None:
        run.call(sample, env.legal, words, actions)
        run.call(play_alone, states, *rows)

    return step


def alone(game: mekuri.Game, n: int, recall: bool = False, threads: int = 1) -> Vector:
    return vector(game, n, learners=range(game.seats), skip_forced=False, seed=0, dealer=0, recall=recall, threads=threads)


def stepping(env: Vector) -> Callable[[], object]:
    return lambda: env.step(env.sample())


def rates(steps: list[Callable[[], object]], n: int, seconds: float) -> list[float]:
    """Return how many actions a second of processor time each function does; they run in turns, and the best turn counts."""
    best = [0.0] * len(steps)
    for _ in range(5):
        for i, step in enumerate(steps):
            calls, begin = 0, time.process_time()
            while time.process_time() - begin < seconds / 5:
                for _ in range(max(1, 20_000 // n)):
                    step()
                    calls += 1
            best[i] = max(best[i], calls * n / (time.process_time() - begin))
    return best


def of_two_threads(game: mekuri.Game, seconds: float) -> float:
    """Return how many times the steps of one thread two make, by the clock, without the choice of the random actions."""
    best = [0.0, 0.0]
    for _ in range(3):
        for i, threads in enumerate((1, 2)):
            env, steps, taken = alone(game, TABLES, threads=threads), 0, 0.0
            while taken < seconds / 6:
                actions = env.sample()
                begin = time.perf_counter()
                env.step(actions)
                taken += time.perf_counter() - begin
                steps += 1
            best[i] = max(best[i], steps / taken)
    return best[1] / best[0]


def best_rates(measured: Mapping[str, Callable[[], int]], turns: int, seconds: float) -> dict[str, float]:
    """Return how many steps a second of processor time each function does, which returns its steps; the best of so many turns."""
    best = dict.fromkeys(measured, 0.0)
    for _ in range(turns):
        for what, some in measured.items():
            steps, begin = 0, time.process_time()
            while time.process_time() - begin < seconds / turns:
                steps += some()
            best[what] = max(best[what], steps / (time.process_time() - begin))
    return best


def through_pettingzoo(name: str) -> Callable[[], int]:
    """Return a function that plays a round by random actions, and returns how many steps it has."""
    from mekuri.adapters.pettingzoo import env

    tables, chance = env(name), random.Random(1)
    tables.reset(seed=1)

    def round() -> int:
        tables.reset()
        steps = 0
        for _ in tables.agent_iter():
            seen, _, ended, _, _ = tables.last()
            tables.step(None if ended else chance.choice(seen["action_mask"].nonzero()[0].tolist()))
            steps += not ended
        return steps

    return round


def through_openspiel(game: Any) -> Callable[[], int]:
    """Return a function that plays a round of a game of OpenSpiel by random actions, and returns how many steps it has."""
    chance = random.Random(1)

    def round() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
        return steps

    return round


def adapters(seconds: float, busy: bool) -> list[str]:
    """Print the rates of the adapters. Returns which are too low, on a quiet machine."""
    import open_spiel.python.games  # noqa: F401 - registers them
    import pyspiel

    from mekuri.adapters.openspiel import load

    measured: list[tuple[str, Callable[[], int], float]] = [(PEER, through_openspiel(pyspiel.load_game(PEER)), 0)]
    for name, share in ADAPTED.items():
        measured.append((f"{name} through PettingZoo", through_pettingzoo(name), share * PETTINGZOO))
        measured.append((f"{name} through OpenSpiel", through_openspiel(load(name)), share * OPENSPIEL))
    best, missed = best_rates({what: round for what, round, _ in measured}, 3, seconds), []
    print("| | steps/s | to the peer | to the least rate |")
    print("|---|---|---|---|")
    for what, _, least in measured:
        print(f"| {what} | {best[what]:,.0f} | {best[what] / best[PEER]:.2f} | {f'{best[what] / least:.1f}' if least else ''} |")
        if best[what] < least and not busy:
            missed.append(f"{what}: {best[what]:,.0f} steps a second, less than {least:,.0f}")
    return missed


def pgx_game(name: str) -> Callable[[], int]:
    """Return a function that does random actions at many tables of a game of Pgx, compiled, and returns how many tables it has."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    game: Any = pgx.make(name)
    step = jax.vmap(auto_reset(game.step, game.init))

    @jax.jit
    def go(state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        action = jax.random.categorical(first, jnp.where(state.legal_action_mask, 0.0, -1e9), axis=-1)
        return step(state, action, jax.random.split(second, BATCH))

    state = [jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))]
    keys = iter(range(1 << 40))

    def some() -> int:
        for _ in range(4):
            state[0] = go(state[0], jax.random.PRNGKey(next(keys)))
        jax.block_until_ready(state[0].terminated)
        return 4 * BATCH

    some()
    return some


def pettingzoo_game(name: str) -> Callable[[], int]:
    """Return a function that plays a round of a game of PettingZoo by random actions, and returns how many steps it has."""
    versions = (f"pettingzoo.classic.{name}_v{version}" for version in range(9, 0, -1))
    module = next(importlib.import_module(found) for found in versions if importlib.util.find_spec(found))
    tables, chance, seeds = module.env(), random.Random(1), iter(range(1 << 40))

    def round() -> int:
        tables.reset(seed=next(seeds))
        steps = 0
        for _ in tables.agent_iter():
            seen, _, ended, cut, _ = tables.last()
            done = ended or cut
            tables.step(None if done else chance.choice(seen["action_mask"].nonzero()[0].tolist()))
            steps += not done
        return steps

    return round


def rlcard_game(name: str) -> Callable[[], int]:
    """Return a function that plays a round of a game of RLCard by random actions, and returns how many steps it has."""
    import rlcard

    tables, chance = rlcard.make(name), random.Random(1)

    def round() -> int:
        state, _ = tables.reset()
        steps = 0
        while not tables.is_over():
            state, _ = tables.step(chance.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return round


def mushi_game() -> Callable[[], int]:
    """Return a function that does random actions at many tables of Mushi, and returns how many tables it has."""
    step = stepping(alone(mekuri.game("mushi"), BATCH))

    def some() -> int:
        for _ in range(20):
            step()
        return 20 * BATCH

    return some


def peers(seconds: float) -> list[str]:
    """Print the rates of the peers, and Mushi's as a multiple of each. Returns which are missing, or nearer than their aims."""
    makers = {"Pgx": pgx_game, "PettingZoo": pettingzoo_game, "RLCard": rlcard_game}
    measured, missing = {"mushi": mushi_game()}, list[str]()
    for what in PEERS:
        project, name = what.split()
        try:
            measured[what] = makers[project](name)
        except ImportError as error:
            missing.append(f"{what} is missing: {error}")
    best = best_rates(measured, 5, seconds)
    print("| | steps/s | mushi to it | aim |")
    print("|---|---|---|---|")
    for what, rate in best.items():
        print(f"| {what} | {rate:,.0f} | {best['mushi'] / rate:,.1f} | {PEERS.get(what, '')} |")
        if what in PEERS and best["mushi"] < PEERS[what] * rate:
            missing.append(f"{what}: Mushi makes {best['mushi'] / rate:,.1f} times its steps, less than {PEERS[what]:,}")
    return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games.names())
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each figure")
    parser.add_argument("--adapters", action="store_true", help="measure the adapters instead")
    parser.add_argument("--peers", action="store_true", help="measure Mushi beside games of other projects instead")
    arguments = parser.parse_args()
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    busy, missed = load > cores / 2, list[str]()
    if busy:
        print(f"The machine is busy: load {load:.1f} on {cores} cores. Shares count, rates do not.\n")
    if arguments.peers:
        # One thread each: JAX reads this when it is first imported.
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        if missed := peers(arguments.seconds):
            raise SystemExit("\n".join(["", *missed]))
        return
    if arguments.adapters:
        if missed := adapters(arguments.seconds, busy):
            raise SystemExit("\n".join(["", *missed]))
        return
    heads = "bytes: state, observation|bare loop, M steps/s|environment|share|share with 4,096|events|n 16,384 to 1,024|two threads"
    print(f"| | {heads.replace('|', ' | ')} |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in arguments.games:
        game = mekuri.game(name)
        env, recalling = (alone(game, FEW, recall=recall) for recall in (False, True))
        bare, small, events = rates([bare_loop(game, FEW), stepping(env), stepping(recalling)], FEW, arguments.seconds)
        bare_many, whole = rates([bare_loop(game, TABLES), stepping(alone(game, TABLES))], TABLES, arguments.seconds)
        (usual,) = rates([stepping(alone(game, 1024))], 1024, arguments.seconds)
        (much,) = rates([stepping(alone(game, 16_384))], 16_384, arguments.seconds)
        threads = 0.0 if busy else of_two_threads(game, arguments.seconds)
        size = f"{MACHINE_CODE.states(game.contract, 1).dtype.itemsize}, {env.layout.size}"
        shares = f"{small / bare:.2f} | {whole / bare_many:.2f} | {events / small:.2f} | {much / usual:.2f}"
        two = f"{threads:.2f}" if threads else "busy"
        print(f"| {name} | {size} | {bare / 1e6:.1f} | {small / 1e6:.1f} | {shares} | {two} |", flush=True)
        if small < (floor := FLOORS.get(name, FLOOR)) * bare:
            missed.append(f"{name}: the environment has {small / bare:.2f} of the bare loop, less than {floor}")
        if events < RECALL * small:
            missed.append(f"{name}: with events it has {events / small:.2f} of the rate without, less than {RECALL}")
        if much < (least := MANYS.get(name, MANY)) * usual and not busy:
            missed.append(f"{name}: 16,384 tables have {much / small:.2f} of the rate of 1,024, less than {least}")
        if threads and threads < LEAST_THREADS:
            missed.append(f"{name}: two threads make {threads:.2f} times the steps of one, less than {LEAST_THREADS}")
    if missed:
        raise SystemExit("\n".join(["", *missed]))


if __name__ == "__main__":
    main()
