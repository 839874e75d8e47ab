"""How fast rounds are simulated in shards: by this process, by local processes, and by the nodes of a Ray cluster on this machine.

    python bench/shards.py [--seconds 5] [--workers 2] [--turns 5] [--game mushi] [--bot random]
    python bench/shards.py --handing [--workers 2] [--turns 5] [--game mushi]

Each has as many workers, with a core each. They take turns, so that other load on the machine slows all of them alike. A run is
timed twice: from start to end, and once under way, from when each worker may have done two shards. The ratio is to as many times
what one thread of this process does in the same turn; it is the median over turns. All must come to the same checksum, or the bench
fails; it never fails for being slow. Ray is left out where it is not installed. `docs/shards.md` says what a shard is.

With `--handing` shards of next to nothing are done, and the bench tells the processor time that each costs the process that hands
them out, takes their rows back and keeps them: however many machines there are, that process is one. On Ray that is told for as
many shards in hand as 1,000 processors would have, too.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import mekuri
from mekuri.lab import cluster
from mekuri.lab.cluster import Cluster
from mekuri.lab.processes import Processes
from mekuri.lab.results import Results
from mekuri.lab.shards import Executor, Threads, play_shards, summed
from mekuri.lab.simulate import Simulating, simulate

STORE = 80_000_000  # bytes of a node's store of objects: no shard needs it
SHORT = 1000  # rounds of a shard of next to nothing
HANDED = 1000  # so many of them are handed out each time
MANY = 1000  # processors that a run may have elsewhere


@dataclass
class Contender:
    """Whoever does the shards.

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
    """Start a Ray cluster of so many nodes with a processor each, and yield its address; None where Ray is not installed."""
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


def handed(run: Simulating, executor: Executor, results: Results | None = None) -> float:
    """Return the processor time in milliseconds that a shard costs this process, by whom it is not done."""
    numbers = itertools.islice(itertools.cycle(range(run.shards)), HANDED)
    shards = play_shards(run, executor, results, numbers=numbers)
    warm = HANDED // 2
    for _ in itertools.islice(shards, warm):
        pass
    begin = time.process_time()
    rest = sum(1 for _ in shards)
    return (time.process_time() - begin) / rest * 1000


def measure_handing(game: str, workers: int, turns: int) -> None:
    """Measure what it costs to hand out shards, and show the figures."""
    run = Simulating(mekuri.game(game), 32 * SHORT, 1)
    costs: dict[str, list[float]] = {}

    def note(name: str, executor: Executor) -> None:
        costs.setdefault(name, []).append(handed(run, executor))
        with tempfile.TemporaryDirectory() as folder:
            costs.setdefault(f"{name}, kept in Parquet", []).append(handed(run, executor, Results(Path(folder))))

    with nodes(workers) as address:
        for _ in range(turns):
            note(f"{workers} processes", Processes(workers))
            if address:
                note(f"{workers} nodes of Ray", Cluster(address))
                with patch.object(cluster, "_AHEAD", cluster._AHEAD * MANY // workers):
                    note(f"{workers} nodes of Ray, with as many shards in hand as {MANY:,}", Cluster(address))
    title = f"{HANDED:,} shards, {turns} turns"
    table = Table("", "ms a shard", f"{MANY:,} processors are busy if a shard takes", title=title, box=SIMPLE_HEAD)
    for name, found in costs.items():
        cost = statistics.median(found)
        table.add_row(name, f"{cost:.2f} ({min(found):.2f} to {max(found):.2f})", f"{cost * MANY / 1000:.1f} s or more")
    Console(width=132).print(table)


def main(
    game: str = "mushi",
    bot: str = "random",
    seconds: float = 5,
    workers: int = 2,
    turns: int = 5,
    handing: Annotated[bool, cyclopts.Parameter(negative=())] = False,
) -> None:
    """Measure, and show the figures.

    Args:
        game: the game.
        bot: the bot in every seat.
        seconds: how long a run takes one thread, about.
        workers: the number of processes, and of Ray's nodes.
        turns: how many turns each has.
        handing: measure what it costs to hand out shards.
    """
    if handing:
        measure_handing(game, workers, turns)
        return
    chosen = mekuri.game(game)
    sample = 200_000 if Simulating(chosen, 1, bot=bot).of_rules else 20
    simulate(chosen, sample, bot=bot, threads=1)
    run = Simulating(chosen, max(sample, int(seconds * sample / simulate(chosen, sample, bot=bot, threads=1).seconds)), 1, bot)
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
