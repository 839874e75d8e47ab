"""How fast rounds are played: plain, compiled, beside the same rules in C, and beside other card games in OpenSpiel's C++.

    python bench/engine.py [--seconds 3] [--game mushi]

All figures come from this run, and contenders take turns, so that other load on the machine slows all of them alike. One thread is
timed by processor time, two threads by the clock; where the two are compared, both are timed by the clock. The bench says if the
machine is busy. No result is too slow; the bench fails only if C counts something else.
`docs/speed.md` explains the figures.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import mekuri
from mekuri import games
from mekuri.engine.chance import stream
from mekuri.engine.compiled import available
from mekuri.engine.fields import MOST_SEATS
from mekuri.lab import playout
from mekuri.lab.simulate import Simulation, simulate

SEED = 1
REPEATS = 9
YARDSTICKS = {name: Path(__file__).with_name(f"{name}.c") for name in ("mushi", "hiyoko")}  # games that are written in C as well
CHECKED = 20_000  # rounds for which C must have the same counts

# Card games of OpenSpiel whose rounds have 10 to 60 decisions, as ours do, and whose rewards come at the end.
PEERS = ("euchre", "skat", "oh_hell", "spades", "hearts", "go_fish")
DEALS, ROLLOUTS = 40, 50

Run = Callable[[int], float]  # plays that many rounds; returns the seconds it took


@dataclass
class Contender:
    """A program that plays rounds.

    Attributes:
        name: its name in the table.
        run: plays a number of rounds.
        decisions: the mean number of decisions in a round: choices among two actions or more.
        rounds: the number of rounds in one turn of the bench.
        seconds: how long each of its turns took.
        elapsed: the same by the clock.
    """

    name: str
    run: Run
    decisions: float
    rounds: int = 0
    seconds: list[float] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)

    def turn(self) -> None:
        """Play its rounds once, and note how long that takes."""
        begin = time.perf_counter()
        self.seconds.append(self.run(self.rounds))
        self.elapsed.append(time.perf_counter() - begin)

    @property
    def rate(self) -> float:
        """Rounds a second, in its fastest turn."""
        return self.rounds / min(self.seconds)

    def times(self, other: Contender, decisions: bool = False, clock: bool = False) -> float:
        """Return how many times as fast as another it is, by rounds or by decisions: the median over turns side by side."""
        pairs = zip(self.elapsed, other.elapsed, strict=True) if clock else zip(self.seconds, other.seconds, strict=True)
        by_rounds = statistics.median(self.rounds / mine / (other.rounds / theirs) for mine, theirs in pairs)
        return by_rounds * self.decisions / other.decisions if decisions else by_rounds


def fit(contender: Contender, seconds: float) -> None:
    """Set the number of rounds to what takes about this many seconds."""
    rounds = 20
    while (taken := contender.run(rounds)) < seconds / 5:
        rounds *= 4
    contender.rounds = max(1, int(rounds * seconds / taken))


def take_turns(contenders: list[Contender], seconds: float) -> None:
    """Run each contender in turn, `REPEATS` times, for this many seconds in all."""
    for contender in contenders:
        fit(contender, seconds / REPEATS)
    for _ in range(REPEATS):
        for contender in contenders:
            contender.turn()


# --- Ours ---


def ours(name: str) -> Iterator[Contender]:
    """Yield a game plain, compiled on one thread, and compiled on two threads, which run without the GIL."""
    game = mekuri.game(name)
    sample = simulate(game, 2000, SEED, plain=True)
    decisions = sample.counts[playout.DECISIONS] / sample.rounds

    def one(rounds: int, plain: bool = False) -> float:
        begin = time.process_time()
        simulate(game, rounds, SEED, plain=plain, threads=1)
        return time.process_time() - begin

    yield Contender(f"{name} plain", lambda rounds: one(rounds, plain=True), decisions)
    if available():
        simulate(game, 1, SEED)  # compiles
        yield Contender(f"{name} compiled", one, decisions)
        yield Contender(f"{name} 2 threads", lambda rounds: simulate(game, rounds, SEED, threads=2).seconds, decisions)


def compile_seconds(name: str) -> tuple[float, float]:
    """Return the seconds that a new process compiles: with an empty cache, and with the cache filled."""
    code = f"import mekuri; from mekuri.lab.simulate import simulate; print(simulate(mekuri.game({name!r}), 1).compile_seconds)"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        cold, cached = (
            float(subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True).stdout)
            for _ in range(2)
        )
    return cold, cached


# --- C ---


def compiler() -> str | None:
    """Return a C compiler; None if there is none."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def build(name: str, folder: Path) -> Path:
    """Compile the yardstick of a game for this machine and return the program."""
    program = folder / name
    subprocess.run([compiler() or "cc", "-O3", "-march=native", "-o", program, YARDSTICKS[name]], check=True)
    return program


def run_c(program: Path, rounds: int) -> dict[str, list[float]]:
    """Play rounds in C. Returns every count by name, and the seconds of processor time."""
    words = map(str, [*stream(SEED), 0, rounds])
    output = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in output.splitlines())
    return {name: [float(value) if name == "seconds" else int(value) for value in values] for name, *values in rows}


def in_c(name: str, program: Path, decisions: float) -> Contender:
    """Return the contender that a program in C is."""
    return Contender(f"{name} in C", lambda rounds: run_c(program, rounds)["seconds"][0], decisions)


def assert_equal(theirs: dict[str, list[float]], simulation: Simulation) -> None:
    """Check that C has played the same rounds: the checksum and all counts are equal."""
    counts = simulation.counts
    for name in ("actions", "decisions", "turns", "turns_max", "sum_min", "sum_max", "checksum"):
        assert theirs[name] == [counts[getattr(playout, name.upper())]], name
    for name in ("returns", "redeals", "endings", "yaku"):
        start = getattr(playout, name.upper())
        assert theirs[name] == list(counts[start : start + len(theirs[name])]), name
    places = [playout.YAKU_OF + yaku * MOST_SEATS + seat for yaku in range(len(theirs["yaku"])) for seat in range(2)]
    assert theirs["yaku_of"] == [counts[place] for place in places]


# --- OpenSpiel ---
#
# The fastest way found to play whole random games in OpenSpiel without a step through Python: its roll-out evaluator, which
# Python reaches only through the MCTS bot. A search of one simulation evaluates the state it is given and nothing else, so one
# call plays ROLLOUTS games to their end in C++: copy the state; while the game is not over, draw an outcome of chance or a
# uniformly random legal action, and apply it. (`evaluate_bots` with C++ random bots takes two to five times as long.)
#
# This favours OpenSpiel: its games start when the cards are dealt and ours with the shuffle; and ours are counted and hashed.


def dealt(game: Any, chance: random.Random) -> Any:
    """Return a state of an OpenSpiel game at its first decision."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_any(state, chance))
    return state


def decisions_from(state: Any, chance: random.Random) -> int:
    """Return the number of decisions of a random game from a state on."""
    state, decisions = state.clone(), 0
    while not state.is_terminal():
        decisions += not state.is_chance_node() and len(state.legal_actions()) > 1
        state.apply_action(_any(state, chance))
    return decisions


def _any(state: Any, chance: random.Random) -> int:
    if not state.is_chance_node():
        return int(chance.choice(state.legal_actions()))
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choices(outcomes, weights)[0])


def peers() -> Iterator[Contender]:
    """Yield OpenSpiel's games, each of which plays the same deals in every turn."""
    import pyspiel

    for name in PEERS:
        chance = random.Random(SEED)
        game = pyspiel.load_game(name)
        deals = [dealt(game, chance) for _ in range(DEALS)]
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=SEED), 1.0, 1, 100, False, SEED, False)

        def run(rounds: int, bot: Any = bot, deals: list[Any] = deals) -> float:
            calls = max(1, rounds // (ROLLOUTS * DEALS))
            begin = time.process_time()
            for _ in range(calls):
                for deal in deals:
                    bot.mcts_search(deal)
            return (time.process_time() - begin) * rounds / (calls * ROLLOUTS * DEALS)

        decisions = statistics.mean(decisions_from(deal, chance) for deal in deals for _ in range(10))
        yield Contender(f"OpenSpiel {name}", run, decisions)


# --- Output ---


def figure(value: float) -> str:
    """Return a rate in thousands or millions."""
    return f"{value / 1e3:.1f} k" if value < 1e6 else f"{value / 1e6:.2f} M"


def machine() -> str:
    """Return the machine and the versions of the programs used."""
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {importlib.metadata.version(name)}" for name in ("numba", "open_spiel") if _installed(name)]
    if found := compiler():
        versions.append(subprocess.run([found, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0])
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}; {', '.join(versions)}"


def _installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def speed_table(our: dict[str, list[Contender]], yardsticks: dict[str, Contender], theirs: list[Contender]) -> Table:
    """Return the table of rounds and decisions a second, with ratios between contenders; those to OpenSpiel are by decisions."""
    table = Table("", "decisions", "rounds/s", "decisions/s", "beside", title="Random play of whole rounds", box=SIMPLE_HEAD)
    lacks: list[str] = []
    for name, (plain, *compiled) in our.items():
        _row(table, plain, "")
        if not compiled:
            lacks.append(f"NOT COMPILED: Numba is missing, so {name} runs plain only")
            continue
        one, two = compiled
        beside = [f"{one.times(plain):.0f} × plain"]
        if name in yardsticks:
            beside.append(f"[bold]{one.times(yardsticks[name]):.2f} × C[/bold]")
        _row(table, one, "\n".join(beside))
        _row(table, two, f"{two.times(one, clock=True):.2f} × one thread")
    for yardstick in yardsticks.values():
        _row(table, yardstick, "same checksum and counts")
    if not yardsticks and our.keys() & YARDSTICKS.keys():
        lacks.append("NOT COMPARED WITH C: there is no C compiler")
    for peer in theirs:
        beside = [f"{name} {one[1].times(peer, decisions=True):.1f} ×" for name, one in our.items() if len(one) > 1]
        _row(table, peer, "\n".join(beside))
    if not theirs:
        lacks.append("NOT COMPARED WITH OPENSPIEL: pyspiel is missing (pip install open_spiel)")
    table.caption = "\n".join(f"[bold red]{lack}[/bold red]" for lack in lacks)
    return table


def _row(table: Table, contender: Contender, beside: str) -> None:
    rate = contender.rate
    table.add_row(contender.name, f"{contender.decisions:.1f}", figure(rate), figure(rate * contender.decisions), beside)


def busy(console: Console) -> None:
    """Say that the machine has other work, if it has."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    if load > cores / 2:
        console.print(f"The machine is busy: load {load:.1f} on {cores} cores. Ratios of one thread count, all else does not.")


def compile_table(names: list[str]) -> Table:
    """Return the table of seconds that a new process compiles."""
    table = Table("", "nothing cached", "cached", title="Seconds until play-outs are compiled", box=SIMPLE_HEAD)
    for name in names:
        table.add_row(name, *(f"{seconds:.1f}" for seconds in compile_seconds(name)))
    return table


def main(seconds: float = 3, game: str = "") -> None:
    """Measure, and show the figures.

    Args:
        seconds: how long each figure is measured.
        game: the only game to measure; empty for all.
    """
    console = Console()
    console.print(machine(), soft_wrap=True)
    busy(console)
    names = [games.find(game).id] if game else games.names()
    if available():
        console.print(compile_table(names))
    our = {name: list(ours(name)) for name in names}
    theirs = list(peers()) if importlib.util.find_spec("pyspiel") else []
    yardsticks = dict[str, Contender]()
    with tempfile.TemporaryDirectory() as folder:
        for name in YARDSTICKS if compiler() else ():
            if name in our:
                program = build(name, Path(folder))
                assert_equal(run_c(program, CHECKED), simulate(mekuri.game(name), CHECKED, SEED))
                yardsticks[name] = in_c(name, program, our[name][0].decisions)
        # The contenders that are compared most closely take turns one after the other.
        of_games = (one for name, of_game in our.items() for one in (*of_game, *([yardsticks[name]] if name in yardsticks else [])))
        take_turns([*of_games, *theirs], seconds)
    console.print(speed_table(our, yardsticks, theirs))


if __name__ == "__main__":
    cyclopts.run(main)
