"""Whether a server that is half as busy as it may be stays as it is: an hour at tables with a move every two seconds.

    python bench/hour.py [--tables 149] [--servers 0] [--by-table] [--minutes 60] [--game tenshu] [--pace 2]

Every table has a person in each seat, four at Tenshu, and two spectators, all on streams. When a match, of usual length, is over,
another table is made and the old one left. With `--servers 0` one server works on SQLite, otherwise so many on PostgreSQL, each
connection to any of them, or with `--by-table` all of one table to one. `bench/cluster.py` says how many tables are carried. For
each minute a line is printed: times, processor use, what the servers hold. At the end the bench says how the last third of the time
compares with the third before.
"""

from __future__ import annotations

import csv
import sys
from contextlib import ExitStack
from statistics import fmean

import cyclopts
import uvloop
from cluster import postgresql, sqlite
from lines import Group, open_many_files
from players import play
from soak import Point, verdict

from tests.helpers.server.databases import started

MINUTE = 60  # seconds


async def hour(group: Group, game: str, tables: int, pace: float, minutes: int) -> list[Point]:
    """Play for a number of minutes, print a line for each, and return them."""
    load = await play(group, game, tables, options={})
    points: list[Point] = []
    writer = None
    for minute in range(1, minutes + 1):
        one = await load.run(MINUTE, tables / pace)
        times = {"p50": one.move_p50, "p99": one.move_p99, "arrived p99": one.delivery_p99}
        use = {"cores": one.cpu, "ms a move": one.cpu_move, "load's cores": one.load_cpu}
        held = {**group.held(), "opened again": load.opened_again}
        points.append({"minutes": minute, "moves/s": one.moves, **times, **use, **held})
        if writer is None:
            writer = csv.DictWriter(sys.stdout, points[0])
            writer.writeheader()
        writer.writerow(points[-1])
        sys.stdout.flush()
    await load.close()
    return points


def main(
    tables: int = 149, servers: int = 0, by_table: bool = False, minutes: int = 60, game: str = "tenshu", pace: float = 2
) -> None:
    """Play, and show the figures.

    Args:
        tables: the number of tables.
        servers: how many servers work on PostgreSQL; 0 for one on SQLite.
        by_table: all connections of a table go to one of these servers, as behind a proxy that hashes; otherwise each to any.
        minutes: the length of the run.
        game: the game; with its usual number of seats.
        pace: seconds between two moves at a table.
    """
    open_many_files()
    with ExitStack() as stack:
        one = postgresql(stack.enter_context(started()), servers, by_table) if servers else sqlite()
        points = uvloop.run(hour(stack.enter_context(one), game, tables, pace, minutes))
    print(verdict(points))
    third = len(points) // 3
    if not third:
        return
    for name in ("p99", "arrived p99", "ms a move", "files", "threads", "tables"):
        before, last = (fmean(point[name] for point in part) for part in (points[-2 * third : -third], points[-third:]))
        print(f"{name}: {before:.2f} in the middle third, {last:.2f} in the last")


if __name__ == "__main__":
    cyclopts.run(main)
