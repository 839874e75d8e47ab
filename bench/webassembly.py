"""How fast bots search and the solver solves in WebAssembly, as shares of machine code, and how large the modules of the games are.

    python bench/webassembly.py [--game mushi] [--seconds 1]

The modules run in Node.js, which has the engine of Chromium. Both contenders do the same work in turns, on one thread, timed by
processor time. No result makes the bench fail. `docs/speed.md` explains the figures.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from search import first_choice, late_choice, thousands

sys.path.insert(0, str(Path(__file__).parents[1]))

from mekuri import bots, games
from mekuri.bots import Budget, Seen, webassembly
from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code, solve
from mekuri.bots.search.think import think
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract
from mekuri.engine.executor import MACHINE_CODE, Executor
from mekuri.engine.webassembly import executor
from tests.helpers.webassembly import NodeInstance, instance

REPEATS = 7
PLAYOUTS = 20_000  # in a search, so that asking Node.js for it takes no time beside it
NODES = 5000

Contenders = dict[str, tuple[Executor, Callable[[], float]]]
"""Executors, each with the clock of its processor time."""


@contextmanager
def contenders(contract: Contract) -> Iterator[Contenders]:
    """A context with the executors of a game, and its module in a process of Node.js."""
    with instance(webassembly.module(contract)) as opened:
        yield {"native": (MACHINE_CODE, time.process_time), "module": (executor(lambda: opened), clock(opened))}


def clock(opened: NodeInstance) -> Callable[[], float]:
    return lambda: opened.seconds


def rates(contract: Contract, both: Contenders, run: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Return the best rate of machine code, and the median share of it that the module has in turns side by side."""
    found: dict[str, list[float]] = {name: [] for name in both}
    for turn in range(REPEATS + 1):
        for name, (by, now) in both.items():
            machine_code.prepare(contract, greedy.bot, by)
            solve.prepare_solver(contract, by)
            done, begin = 0, now()
            while (took := now() - begin) < seconds / REPEATS or not done:
                done += run()
            if turn:  # in the first one code is compiled
                found[name].append(done / took)
    return max(found["native"]), statistics.median(module / native for native, module in zip(*found.values(), strict=True))


def main(game: str = "", seconds: float = 1) -> None:
    """Measure, and show the figures.

    Args:
        game: the only game to measure; empty for all.
        seconds: how long each figure is measured.
    """
    names = "play-outs/s", "module", "solved/s", "module", "bytes", "gzip"
    grid = Table("", *names, title="WebAssembly, as shares of machine code", box=SIMPLE_HEAD)
    sizes = [0, 0]
    for name in [games.find(game).id] if game else games.names():
        contract = games.find(name)
        round, end = first_choice(name), late_choice(name)
        seen = Seen(round.hidden(round.waiting[0]), round.waiting[0])

        def search(seen: Seen = seen) -> int:
            return sum(tried.worlds for tried in think(seen, stream(1), Budget(PLAYOUTS), greedy.bot))

        def solved(end: object = end, seat: int = end.waiting[0]) -> int:
            return sum(bots.solve(end, seat, nodes=NODES, luck=stream(1)).nodes for _ in range(10))

        with contenders(contract) as both:
            playouts, share = rates(contract, both, search, seconds)
            nodes, solver_share = rates(contract, both, solved, seconds)
        module = webassembly.module(contract)
        size = len(module), len(gzip.compress(module, 9))
        sizes = [before + more for before, more in zip(sizes, size, strict=True)]
        grid.add_row(name, thousands(playouts), f"{share:.2f}", thousands(nodes), f"{solver_share:.2f}", *map(thousands, size))
    grid.add_row("all", "", "", "", "", *map(thousands, sizes))
    Console(width=132).print(grid)


if __name__ == "__main__":
    cyclopts.run(main)
