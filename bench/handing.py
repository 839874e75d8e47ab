"""Measure the cost of handing out a shard, and so how many cores one process can keep busy with shards.

    python bench/handing.py [--shards 2000] [--ahead 1000] [--workers 2] [--game mushi]

The shards are the shortest there are, a thousand rounds each, so that next to nothing but the handing out is measured. They are
done by processes of this machine, and by the nodes of a Ray cluster on it; there `--ahead` shards are in hand a core, as many
as a cluster with so many times the cores would have. The processor time of this process for each shard is compared with what the
longest shard, a million rounds, takes one thread in the same run: the ratio is how many cores that do such shards can be kept busy.
It also prints the time until the first row, the memory of a worker, and the cost of a row that is kept in Parquet.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from shards import nodes

import mekuri
from mekuri.lab import cluster
from mekuri.lab.processes import Processes
from mekuri.lab.results import Results
from mekuri.lab.shards import Executor, Row, Threads, play_shards
from mekuri.lab.simulate import Simulating, simulate

SHORT, LONG = 1_000, 1_000_000  # rounds of the shortest shard, and of the longest
KINDS = 32  # a run has so many shards: to have more of the shortest, they are done several times
MIB = 1 << 20
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Handed:
    """What was measured of an executor.

    Attributes:
        first: seconds until the first row had come.
        each: milliseconds of this process's processor time for each shard after it.
        rate: shards a second.
        memory: MiB of the largest worker.
    """

    first: float
    each: float
    rate: float
    memory: float


def resident(process: int) -> float:
    """Return the memory of a process in MiB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE / MIB


def children() -> Iterable[int]:
    """Return the processes that this one has started for shards."""
    return [child.pid for child in multiprocessing.active_children() if child.pid]


def of_ray() -> Iterable[int]:
    """Return the processes in which Ray does shards."""
    found = (path for path in Path("/proc").glob("[0-9]*") if (path / "cmdline").exists())
    return [int(path.name) for path in found if (path / "cmdline").read_bytes().startswith(b"ray::")]


def hand(run: Simulating, executor: Executor, shards: int, workers: Callable[[], Iterable[int]]) -> Handed:
    """Do so many of the shortest shards, and measure."""
    numbers = itertools.islice(itertools.cycle(range(run.shards)), shards)
    begun = time.perf_counter()
    with closing(play_shards(run, executor, numbers=numbers)) as rows:
        next(rows)
        first = time.perf_counter() - begun
        used, since = time.process_time(), time.perf_counter()
        done = sum(1 for _ in itertools.islice(rows, shards // 2))
        memory = max(map(resident, workers()))
        done += sum(1 for _ in rows)
    return Handed(first, 1000 * (time.process_time() - used) / done, done / (time.perf_counter() - since), memory)


def kept(run: Simulating, row: Row, shards: int) -> float:
    """Return the milliseconds that a row takes to be kept in Parquet, where a file holds all of them."""
    with tempfile.TemporaryDirectory() as folder:
        results = Results(Path(folder))
        results.open(run)
        begun = time.process_time()
        for number in range(shards):
            results.keep(number, row)
        results.flush()
        return 1000 * (time.process_time() - begun) / shards


def main(shards: int = 2_000, ahead: int = 1_000, workers: int = 2, game: str = "mushi") -> None:
    """Measure, and show the figures.

    Args:
        shards: how many shards are handed out.
        ahead: how many are in hand for each of Ray's processors.
        workers: the number of processes, and of Ray's nodes.
        game: the game.
    """
    chosen = mekuri.game(game)
    simulate(chosen, SHORT, threads=1)  # compiles
    longest = simulate(chosen, LONG, threads=1).seconds
    run = Simulating(chosen, KINDS * SHORT)
    found = {f"{workers} processes": hand(run, Processes(workers), shards, children)}
    with nodes(workers) as address:
        if address:
            cluster._AHEAD = ahead
            found[f"Ray, {workers} nodes, {ahead * workers:,} in hand"] = hand(run, cluster.Cluster(address), shards, of_ray)
    _, row = next(play_shards(run, Threads(1), numbers=[0]))
    stored = kept(run, row, shards)
    title = f"{game}: {shards:,} shards of {SHORT:,} rounds; one of {LONG:,} takes {longest:.2f} s; a row kept {stored:.2f} ms"
    columns = ("first row, s", "shards/s", "ms of this process each", "a worker, MiB", "cores kept busy")
    table = Table("", *columns, title=title, box=SIMPLE_HEAD)
    for name, one in found.items():
        busy = 1000 * longest / one.each
        table.add_row(name, f"{one.first:.1f}", f"{one.rate:,.0f}", f"{one.each:.2f}", f"{one.memory:.0f}", f"{busy:,.0f}")
    Console(width=132).print(table)


if __name__ == "__main__":
    cyclopts.run(main)
