"""Measure the gain and the cost of one more process: tables at one server on SQLite, and at one and two on PostgreSQL.

    python bench/cluster.py [--game tenshu] [--pace 2] [--seconds 10] [--first 60] [--cost]

Every table has a person in each seat, four at Tenshu, and two spectators, all on streams. With two servers each connection goes
to one of them as it comes, whichever is the home of its table, so that half of all is handed on; or all of one table go to the
same, as behind a proxy that shares out by the table. With `--cost` a fixed number of tables is played at, in turns at one server,
at two in both ways, and twice as many at two. The processor time of a move is compared, that of PostgreSQL included: a process
that does less at a time wakes up more often for each move, and writes fewer of them in one transaction. Otherwise tables are
added until one move in a hundred takes longer than 100 ms from when it was due until it is answered, or one delivery longer than
200 ms. A bare Litestar application that answers and streams as many bytes is measured in the same run. The load and each server
have processes of their own on the same processors; the load's share is printed.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import cyclopts
import uvloop
from lines import Group, open_many_files, process
from players import WATCHERS, Figures, Load, play, repeat
from rich.console import Console

from mekuri import games

sys.path.append(str(Path(__file__).parents[1]))
from tests.helpers.server.databases import PostgreSQL, started

SOON, ARRIVED = 100, 200  # milliseconds, the limits of 99 moves and deliveries in 100
STEP = 1.25  # the factor by which the number of tables grows
WARM = 2  # seconds of work that come before what is measured
SLICE, SETTLING = 2, 1  # seconds for which each of the servers that are compared is measured, and played at before that

console = Console(soft_wrap=True)
_databases = itertools.count()


@contextmanager
def sqlite() -> Iterator[Group]:
    """Run one server on SQLite."""
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        yield Group([server], lambda: sum(file.stat().st_size for file in Path(folder).iterdir()))


@contextmanager
def postgresql(database: PostgreSQL, servers: int, by_table: bool = False) -> Iterator[Group]:
    """Run servers on a database of their own in PostgreSQL."""
    url = database.empty(f"bench_{next(_databases)}")

    def size() -> int:
        [[found]] = database.run(url, "SELECT pg_database_size(current_database())")
        return int(found)

    with ExitStack() as stack:
        yield Group([stack.enter_context(process("tables", url)) for _ in range(servers)], size, database.processor_time, by_table)


async def measured(group: Group, game: str, tables: int, pace: float, seconds: float) -> Figures:
    """Measure a number of tables, with a move every `pace` seconds at each."""
    load = await play(group, game, tables)
    figures = await load.run(seconds, tables / pace)
    await load.close()
    return figures


async def echoed(game_seats: int, tables: int, pace: float, seconds: float, like: Figures) -> Figures:
    """Measure the same load on a bare application."""
    with process("echo", "40", str(max(20, round(like.bytes_delivered)))) as server:
        load = await repeat(server, tables, 40, game_seats)
        await load.run(WARM, tables / pace)
        figures = await load.run(seconds, tables / pace)
        await load.close()
    return figures


def say(name: str, tables: int, one: Figures) -> None:
    console.print(
        f"{name:>27} {tables:5} tables, {one.moves:4.0f} moves/s: p99 {one.move_p99:6.1f} ms, arrived {one.delivery_p99:6.1f} ms; "
        f"{one.cpu:.2f} cores, {one.cpu_move:.2f} ms a move; the load {one.load_cpu:.2f} cores"
    )


def carried(name: str, first: int, most: int, run: Callable[[int], Awaitable[Figures]]) -> tuple[int, Figures]:
    """Add tables until a limit is passed, or until there are more than `most`.

    Returns:
        How many were carried, and the figures of that.
    """
    tables, held, kept = first, 0, None
    while True:
        one = uvloop.run(run(tables))  # type: ignore[arg-type]
        say(name, tables, one)
        if one.move_p99 > SOON or one.delivery_p99 > ARRIVED:
            return held, kept or one
        held, kept, tables = tables, one, round(tables * STEP)
        if tables > most:
            console.print(f"{name:>27} {tables:5} tables would take more connections than a process may have")
            return held, one


def main(game: str = "tenshu", pace: float = 2, seconds: float = 10, first: int = 60, cost: bool = False) -> None:
    """Measure, and show the figures.

    Args:
        game: the game; with its usual number of seats.
        pace: seconds between two moves at a table.
        seconds: how long each number of tables is measured, and with `--cost` each way to serve them.
        first: the first number of tables, and with `--cost` the only one.
        cost: compare the processor time of a move with one server and with two.
    """
    open_many_files()
    with started() as database:
        if cost:
            uvloop.run(compare(database, game, first, pace, seconds))
        else:
            limits(database, game, first, pace, seconds)


async def compare(database: PostgreSQL, game: str, tables: int, pace: float, seconds: float) -> None:
    """Compare one server with two that share its tables, and with two that have as many tables each.

    All of them stay, and are played at in turns, two seconds each: a machine is faster in one moment than in another.
    """
    with ExitStack() as stack:
        loads: dict[str, tuple[Load, int]] = {}
        for name, servers, times, by_table in (
            ("one", 1, 1, False),
            ("two", 2, 1, False),
            ("two, by table", 2, 1, True),
            ("two, as many each", 2, 2, False),
            ("two, as many each, by table", 2, 2, True),
        ):
            group = stack.enter_context(postgresql(database, servers, by_table))
            loads[name] = await play(group, game, times * tables), times * tables
        costs: dict[str, list[float]] = {name: [] for name in loads}
        for _ in range(round(seconds / SLICE)):
            for name, (load, count) in loads.items():
                await load.run(SETTLING, count / pace)
                one = await load.run(SLICE, count / pace)
                say(name, count, one)
                costs[name].append(one.cpu_move)
        for name, found in costs.items():
            low, middle, high = statistics.quantiles(cost / alone for cost, alone in zip(found, costs["one"], strict=True))
            console.print(
                f"{game}, {name}: {statistics.median(found):.2f} ms of processor time a move, {middle:.2f} times as much as with "
                f"one (half of all between {low:.2f} and {high:.2f})"
            )
        for load, _ in loads.values():
            await load.close()


def limits(database: PostgreSQL, game: str, first: int, pace: float, seconds: float) -> None:
    def at(make: Callable[[], Iterator[Group]]) -> Callable[[int], Awaitable[Figures]]:
        async def run(tables: int) -> Figures:
            with make() as group:  # type: ignore[attr-defined]
                return await measured(group, game, tables, pace, seconds)

        return run

    seats = games.find(game).seats[0]
    # Each viewer has two connections at most, and something else is open besides.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // (2 * (seats + WATCHERS) + 1)
    held: dict[str, int] = {}
    for name, make in (
        ("SQLite, 1", sqlite),
        ("PostgreSQL, 1", lambda: postgresql(database, 1)),
        ("PostgreSQL, 2", lambda: postgresql(database, 2)),
        ("PostgreSQL, 2, by table", lambda: postgresql(database, 2, by_table=True)),
    ):
        held[name], last = carried(name, first, most, at(make))  # type: ignore[arg-type]
    held["Litestar's echo"], _ = carried("bare echo", first, most, lambda tables: echoed(seats, tables, pace, seconds, last))
    counts = "; ".join(f"{name}: {count}" for name, count in held.items())
    console.print(f"{game}, a move every {pace:g} s a table, {seats + WATCHERS} viewers each; tables carried: {counts}")


if __name__ == "__main__":
    cyclopts.run(main)
