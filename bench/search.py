"""How fast bots search: play-outs, worlds and solved positions a second, the first move, and the processor use of twenty tables.

    python bench/search.py [--game mushi] [--seconds 2] [--tables 20]

Beside each figure stands a comparison from the same run: whole rounds of the simulation with the play-out bot, the same search
plain, the 15 s within which compiling should be done, the same tables against `greedy`. One thread is timed by processor time. No
result makes the bench fail. `docs/speed.md` explains the figures.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

import cyclopts
from lines import process
from players import play
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

import mekuri
from mekuri import bots, games
from mekuri.bots import Budget, Seen
from mekuri.bots.ours import greedy
from mekuri.bots.search.think import think
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count
from mekuri.lab.simulate import simulate

STRONGEST = max((bot for bot in map(bots.find, bots.NAMES)), key=lambda bot: bot.strength).id
LIMIT = 15.0  # seconds of processor time within which compiling should be done
PACE = 3.0  # seconds between the moves of a person
_FRESH = """
import sys, time, mekuri
from mekuri import bots, games
contract = games.find(sys.argv[1])
begin = time.process_time()
bots.find(sys.argv[2]).prepare(contract)
print(time.process_time() - begin)
"""


@dataclass(frozen=True)
class Figures:
    """The figures of a game.

    Attributes:
        playouts, worlds, rounds: play-outs and worlds of the search, and rounds of the simulation, a second.
        positions, positions_plain: positions solved a second, compiled and plain.
        cold, cached: seconds of compiling, with an empty cache and with a filled one.
        first_plain, first: seconds of the first move, plain and compiled.
    """

    playouts: float
    worlds: float
    rounds: float
    positions: float
    positions_plain: float
    cold: float
    cached: float
    first_plain: float
    first: float


def a_second(run: Callable[[], int], seconds: float) -> float:
    """Return how many units `run` does in a second of processor time. `run` returns how many it has done."""
    done, begin = run(), time.process_time()
    done = 0
    while (took := time.process_time() - begin) < seconds or not done:
        done += run()
    return done / took


def machine_code(game: str) -> tuple[float, float]:
    """Return the seconds of processor time to compile a search: with an empty cache, and with the cache filled."""
    with tempfile.TemporaryDirectory() as folder:
        command, environment = [sys.executable, "-c", _FRESH, game, STRONGEST], os.environ | {"NUMBA_CACHE_DIR": folder}
        cold, cached = (
            float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout) for _ in range(2)
        )
    return cold, cached


def first_choice(name: str) -> mekuri.Round:
    """Return a round at its first decision after the deal."""
    round = mekuri.game(name).deal(seed=1)
    while round._state.turns == 0 or count(choices_of(round._state, round.waiting[0])) < 2:
        round.play(round.legal_for(round.waiting[0])[0], round.waiting[0])
    return round


def late_choice(name: str) -> mekuri.Round:
    """Return a round at its earliest decision from which it can be solved within some thousand positions."""
    round = mekuri.game(name).deal(seed=1)
    while not round.over:
        round.play(round.legal_for(round.waiting[0])[0], round.waiting[0])
    again, found = mekuri.game(name).deal(seed=1), round
    for seat, action in round.actions:
        if count(choices_of(again._state, again.waiting[0])) > 1:
            found = again
            if bots.solve(again, again.waiting[0], nodes=5000, luck=stream(1)).solved:
                return again
        again.play(action, seat)
    return found


def measure(name: str, seconds: float) -> Figures:
    """Measure all figures of a game except those of its tables."""
    contract, strongest = games.find(name), bots.find(STRONGEST)
    round, end = first_choice(name), late_choice(name)
    seat, asked = round.waiting[0], end.waiting[0]
    seen = Seen(round.hidden(seat), seat)

    def search() -> int:
        return sum(tried.worlds for tried in think(seen, stream(1), Budget(1000), greedy.bot))

    def solve() -> int:
        return bots.solve(end, asked, nodes=5000, luck=stream(1)).nodes

    def move() -> float:
        begin = time.process_time()
        strongest.choose(seen, stream(1), Budget(1000, 1000))
        return time.process_time() - begin

    first_plain, positions_plain = move(), a_second(solve, seconds / 4)
    assert strongest.prepare
    strongest.prepare(contract)
    bots.prepare_solver(contract)
    simulate(mekuri.game(name), 1, bot="greedy")
    first = move()
    playouts = a_second(search, seconds)
    worlds = playouts * max(tried.worlds for tried in think(seen, stream(1), Budget(1000), greedy.bot)) / search()

    def rounds() -> int:
        return simulate(mekuri.game(name), 2000, bot="greedy", threads=1).rounds

    cold, cached = machine_code(name)
    return Figures(
        playouts, worlds, a_second(rounds, seconds), a_second(solve, seconds), positions_plain, cold, cached, first_plain, first
    )


async def tables_take(game: str, tables: int, against: str, seconds: float) -> tuple[float, float]:
    """Return a server's processor use in cores while people play against a bot, and the share of bot turns of at most a second."""
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        load = await play(server, game, tables, against)
        await load.run(2 * PACE, tables / PACE)  # compiled rules are loaded by then
        within, turns = server.bot_turns()
        figures = await load.run(seconds, tables / PACE)
        await load.close()
        within, turns = (after - before for after, before in zip(server.bot_turns(), (within, turns), strict=True))
    return figures.cpu, within / turns


def thousands(value: float) -> str:
    """Return a rate in thousands."""
    return f"{value / 1e3:.0f} k" if value >= 1e4 else f"{value / 1e3:.1f} k"


def main(game: str = "", seconds: float = 2, tables: int = 20) -> None:
    """Measure, and show the figures.

    Args:
        game: the only game to measure; empty for all.
        seconds: how long each figure is measured; tables are measured ten times as long.
        tables: the number of tables of people against the strongest bot, with a move every three seconds at each.
    """
    title = f"Search, by {STRONGEST}; {tables} tables (a second, s of processor time, ms, cores, % of turns)"
    names = (
        "play-outs/s",
        "worlds/s",
        "rounds/s",
        "solved/s",
        "plain",
        f"cold ({LIMIT:.0f})",
        "cached",
        "1st plain",
        "1st",
        "tables",
        "in 1 s",
        "greedy",
    )
    grid = Grid("", *names, title=title, box=SIMPLE_HEAD)
    for name in [games.find(game).id] if game else games.names():
        figures = measure(name, seconds)
        rates = map(thousands, (figures.playouts, figures.worlds, figures.rounds, figures.positions, figures.positions_plain))
        waits = (f"{figures.cold:.1f}", f"{figures.cached:.1f}", f"{1000 * figures.first_plain:.0f}", f"{1000 * figures.first:.1f}")
        takes, within = asyncio.run(tables_take(name, tables, STRONGEST, 10 * seconds))
        beside, _ = asyncio.run(tables_take(name, tables, "greedy", 10 * seconds))
        grid.add_row(name, *rates, *waits, f"{takes:.2f}", f"{100 * within:.1f} %", f"{beside:.2f}")
    Console(width=132).print(grid)


if __name__ == "__main__":
    cyclopts.run(main)
