"""How fast rounds are simulated in shards: by this process, by local processes, and by the nodes of a Ray cluster on this machine.

    python bench/shards.py [--seconds 5] [--workers 2] [--turns 5] [--game mushi] [--bot random]

Each has as many workers, with a core each. They take turns, so that other load on the machine slows all of them alike. A run is
timed twice: from start to end, and once under way, from when each worker may have done two shards. The ratio is to as many times
what one thread of this process does in the same turn; it is the median over turns. All must come to the same checksum, or the bench
fails; it never fails for being slow. Ray is left out where it is not installed. `docs/shards.md` says what a shard is.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import mekuri
from mekuri.lab.cluster import Cluster
from mekuri.lab.processes import Processes
from mekuri.lab.shards import Executor, Threads, play_shards, summed
from mekuri.lab.simulate import Simulating, simulate

STORE = 80_000_000  # bytes of a node's store of objects: no shard needs it


@dataclass
class Contender:
    """An executor of the shards.

    Attributes:
        name: what it is called.
        executor: who it is.
        workers: how many shards it does at the same time.
        whole: the rounds a second of each turn, from start to end.
        steady: the same, once under way.
    """

    name: str
    executor: Executor
    workers: int
    whole: list[float] = field(default_factory=list)
    steady: list[float] = field(default_factory=list)

    def turn(self, run: Simulating) -> int:
        """Do a run, note its rates, and return its checksum."""
        begin = time.perf_counter()
        rows, ends = [], []
        for _, row in play_shards(run, self.executor):
            ends.append(time.perf_counter())
            rows.append(row)
        first = 2 * self.workers
        self.whole.append(run.rounds / (ends[-1] - begin))
        self.steady.append(sum(row["rounds"] for row in rows[first:]) / (ends[-1] - ends[first - 1]))
        return summed(rows)


@contextmanager
def nodes(number: int) -> Iterator[str | None]:
    """Start a Ray cluster of so many nodes with a processor each, and yield its address; None if Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        yield None
        return
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    from ray.cluster_utils import Cluster as Nodes

    node = {"num_cpus": 1, "object_store_memory": STORE}
    started = Nodes(initialize_head=True, head_node_args=node | {"include_dashboard": False})
    try:
        for _ in range(number - 1):
            started.add_node(**node)
        yield started.address
    finally:
        started.shutdown()


def ratio(rates: list[float], of_one: list[float], workers: int) -> str:
    """Return the ratio to so many times one, with the least and the greatest of all turns."""
    ratios = [rate / (workers * one) for rate, one in zip(rates, of_one, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main(game: str = "mushi", bot: str = "random", seconds: float = 5, workers: int = 2, turns: int = 5) -> None:
    """Measure, and show the figures.

    Args:
        game: the game.
        bot: the bot in every seat.
        seconds: how long a run takes one thread, about.
        workers: the number of processes, and of Ray's nodes.
        turns: how many turns each has.
    """
    chosen = mekuri.game(game)
    sample = 200_000 if Simulating(chosen, 1, bots=(bot,)).of_rules else 20
    simulate(chosen, sample, bot=bot, threads=1)
    run = Simulating(chosen, max(sample, int(seconds * sample / simulate(chosen, sample, bot=bot, threads=1).seconds)), 1, (bot,))
    with nodes(workers) as address:
        one = Contender("one thread", Threads(1), 1)
        others = [Contender(f"{workers} threads", Threads(workers), workers)]
        others.append(Contender(f"{workers} processes", Processes(workers), workers))
        if address:
            others.append(Contender(f"{workers} nodes of Ray", Cluster(address), workers))
        for _ in range(turns):
            checksums = {contender.turn(run) for contender in (one, *others)}
            assert len(checksums) == 1, "the checksums differ"
    title = f"{game}, {bot}: {run.rounds:,} rounds in {run.shards} shards, {turns} turns"
    table = Table("", "rounds/s", "of linear", "once under way, rounds/s", "of linear", title=title, box=SIMPLE_HEAD)
    for contender in (one, *others):
        whole, steady = (f"{statistics.median(rates):,.0f}" for rates in (contender.whole, contender.steady))
        number = contender.workers
        table.add_row(
            contender.name, whole, ratio(contender.whole, one.whole, number), steady, ratio(contender.steady, one.steady, number)
        )
    Console(width=132).print(table)


if __name__ == "__main__":
    cyclopts.run(main)
