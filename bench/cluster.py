"""What one more process brings and costs: tables of four at one server on SQLite, and at one and two on PostgreSQL.

    python bench/cluster.py [--game tensho] [--pace 2] [--seconds 10] [--first 60] [--cost]

Every table has four people and two spectators, all on streams. With two servers each connection goes to one of them as it comes,
whichever is the home of its table, so that half of all is handed on. With `--cost` a fixed number of tables is played at, in turns
at one server, at two, and twice as many at two. The processor time of a move is compared, that of PostgreSQL included: a process
that does less at a time wakes up more often for each move, and writes fewer of them in one transaction. Otherwise tables are added
until one move in a hundred takes longer than 100 ms from when it was due until it is answered, or one delivery longer than 200 ms.
A bare Litestar application that answers and streams as many bytes is measured in the same run. The load and each server have
processes of their own on the same processors; the load's share is told.
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
from lines import Group, process
from players import WATCHERS, Figures, play, repeat
from rich.console import Console

sys.path.append(str(Path(__file__).parents[1]))
from tests.helpers.server.databases import PostgreSQL, started

SOON, ARRIVED = 100, 200  # milliseconds, the limits of 99 moves and deliveries in 100
STEP = 1.25  # the factor by which the number of tables grows
WARM = 2  # seconds that the bare application works before it is measured: at tables, moves are made before
ROUNDS = 3  # how often one server and two are compared

console = Console(soft_wrap=True)
_databases = itertools.count()


@contextmanager
def sqlite() -> Iterator[Group]:
    """Run one server on SQLite."""
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        yield Group([server], lambda: sum(file.stat().st_size for file in Path(folder).iterdir()))


@contextmanager
def postgresql(database: PostgreSQL, servers: int) -> Iterator[Group]:
    """Run servers on a database of their own in PostgreSQL."""
    url = database.empty(f"bench_{next(_databases)}")

    def size() -> int:
        [[found]] = database.run(url, "SELECT pg_database_size(current_database())")
        return int(found)

    with ExitStack() as stack:
        yield Group([stack.enter_context(process("tables", url)) for _ in range(servers)], size, database.processor_time)


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
        f"{name:>16} {tables:5} tables, {one.moves:4.0f} moves/s: p99 {one.move_p99:6.1f} ms, arrived {one.delivery_p99:6.1f} ms; "
        f"{one.cpu:.2f} cores, {one.cpu_move:.2f} ms a move; the load {one.load_cpu:.2f} cores"
    )


def carried(name: str, first: int, run: Callable[[int], Awaitable[Figures]]) -> tuple[int, Figures]:
    """Add tables until a limit is passed. Returns how many were carried, and the figures of that."""
    tables, held, kept = first, 0, None
    while True:
        one = uvloop.run(run(tables))  # type: ignore[arg-type]
        say(name, tables, one)
        if one.move_p99 > SOON or one.delivery_p99 > ARRIVED:
            return held, kept or one
        held, kept, tables = tables, one, round(tables * STEP)


def main(game: str = "tensho", pace: float = 2, seconds: float = 10, first: int = 60, cost: bool = False) -> None:
    """Measure, and show the figures.

    Args:
        game: the game; with its usual number of seats.
        pace: seconds between two moves at a table.
        seconds: how long each number of tables is measured.
        first: the first number of tables, and with `--cost` the only one.
        cost: compare the processor time of a move with one server and with two.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with started() as database:
        if cost:
            compare(database, game, first, pace, seconds)
        else:
            limits(database, game, first, pace, seconds)


def compare(database: PostgreSQL, game: str, tables: int, pace: float, seconds: float) -> None:
    """Compare one server with two that share its tables, and with two that have as many tables each."""
    costs: dict[tuple[int, int], list[float]] = {(1, 1): [], (2, 1): [], (2, 2): []}
    for _ in range(ROUNDS):
        for (servers, times), found in costs.items():
            with postgresql(database, servers) as group:
                one = uvloop.run(measured(group, game, times * tables, pace, seconds))
            say(f"PostgreSQL, {servers}", times * tables, one)
            found.append(one.cpu_move)
    alone, shared, full = (statistics.median(values) for values in costs.values())
    console.print(
        f"{game}: a move takes {alone:.2f} ms of one server; of two that share its tables {shared:.2f} ms ({shared / alone:.2f} "
        f"times as much), of two with as many each {full:.2f} ms ({full / alone:.2f} times)"
    )


def limits(database: PostgreSQL, game: str, first: int, pace: float, seconds: float) -> None:
    def at(make: Callable[[], Iterator[Group]]) -> Callable[[int], Awaitable[Figures]]:
        async def run(tables: int) -> Figures:
            with make() as group:  # type: ignore[attr-defined]
                return await measured(group, game, tables, pace, seconds)

        return run

    held: dict[str, int] = {}
    for name, make in (
        ("SQLite, 1", sqlite),
        ("PostgreSQL, 1", lambda: postgresql(database, 1)),
        ("PostgreSQL, 2", lambda: postgresql(database, 2)),
    ):
        held[name], last = carried(name, first, at(make))  # type: ignore[arg-type]
    seats = 4
    held["Litestar's echo"], _ = carried("bare echo", first, lambda tables: echoed(seats, tables, pace, seconds, last))
    told = "; ".join(f"{name}: {count}" for name, count in held.items())
    console.print(f"{game}, a move every {pace:g} s a table, {seats + WATCHERS} viewers each; tables carried: {told}")


if __name__ == "__main__":
    cyclopts.run(main)
