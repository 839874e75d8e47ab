"""How much a large database costs a server: its start, its lists and its moves, beside those of a server with an empty database.

    python bench/tables.py [--finished 100000] [--sleeping 10000] [--game mushi]

Both are real servers on this machine, measured one after the other in the same run, by processor time. The stored matches are
copies
of one match, with the rows that may still be read. No result makes the bench fail.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import cyclopts
import uvloop
from lines import Process, guest, process
from players import play
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from mekuri import games

LISTS, TABLES, SECONDS, QUIET = 50, 20, 3.0, 3.0
COPIED = "game, state, maker, public, root, made_at, changed_at, bot_due"
ROWS = "n, kind, seat, body, at, decision, person, writer"


@dataclass(frozen=True)
class Costs:
    """Seconds of processor time of a server.

    Attributes:
        start: from its start until it rests.
        list: for a list of tables.
        move: for a move.
        rest: in a second without requests.
    """

    start: float
    list: float
    move: float
    rest: float


async def seed(folder: Path, game: str) -> None:
    """Store a match that has begun in a new database."""
    with process("tables", str(folder)) as server:
        seats = ["person"] * games.find(game).seats[0]
        party = [await guest(server.port) for _ in seats]
        made = await party[0].post("/api/tables", game=game, seats=seats)
        for line in party:
            await line.post(f"/api/tables/{made['id']}/seat")
            line.close()


def multiply(database: Path, finished: int, sleeping: int) -> None:
    """Copy the stored match, `finished` times as if it were over and `sleeping` times as if its people had left."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        [(first,)] = connection.execute("SELECT id FROM matches")
        for name, number, state, rows in (
            ("finished", finished, "over", "kind IN ('make', 'sit')"),
            ("sleeping", sleeping, "running", "TRUE"),
        ):
            numbers = "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?)"
            id = f"'{name}-' || numbers.i"
            connection.execute(
                f"INSERT INTO matches (id, {COPIED}) {numbers} SELECT {id}, game, '{state}', maker || '-' || (numbers.i / 20), "
                f"public, root, made_at, changed_at, bot_due FROM matches, numbers WHERE id = ?",
                (number, first),
            )
            connection.execute(
                f"INSERT INTO log (match, {ROWS}) {numbers} SELECT {id}, n, kind, seat, body, at, decision, "
                f"person || '-' || (numbers.i / 20), writer FROM numbers, log WHERE match = ? AND {rows}",
                (number, first),
            )
        connection.execute("COMMIT")


def used(server: Process) -> float:
    return server.usage()[0]


async def rest(server: Process) -> float:
    """Return a server's processor time in a second, once it rests."""
    last = 1.0
    while True:
        before, at = used(server), time.monotonic()
        await asyncio.sleep(QUIET)
        share = (used(server) - before) / (time.monotonic() - at)
        if share > 0.8 * last:  # it does not sink any more
            return share
        last = share


async def measure(folder: Path, game: str) -> Costs:
    with process("tables", str(folder)) as server:
        share = await rest(server)
        started = used(server)
        line = await guest(server.port)
        lists = []
        for _ in range(LISTS):
            before = used(server)
            await line.ask("/api/tables", b"", "GET")
            lists.append(used(server) - before)
        line.close()
        load = await play(server, game, TABLES)
        await load.run(SECONDS / 3)
        figures = await load.run(SECONDS)
        await load.close()
    return Costs(started, statistics.median(lists), figures.cpu_move / 1000, share)


def main(finished: int = 100_000, sleeping: int = 10_000, game: str = "mushi") -> None:
    """Measure, and show the figures.

    Args:
        finished: the number of matches that are over.
        sleeping: the number of matches that have begun and whose people have left.
        game: the game.
    """
    costs: dict[str, Costs] = {}
    for name, numbers in (("nothing", None), ("much", (finished, sleeping))):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            if numbers:
                uvloop.run(seed(folder, game))
                multiply(folder / "mekuri.db", *numbers)
            costs[name] = uvloop.run(measure(folder, game))
    grid = Grid("ms of processor", *costs, "ratio", box=SIMPLE_HEAD)
    for what in ("start", "list", "move", "rest"):
        nothing, much = (1000 * getattr(one, what) for one in costs.values())
        grid.add_row(what, f"{nothing:.2f}", f"{much:.2f}", f"{much / nothing:.2f}")
    grid.caption = f"{game}: {finished} finished and {sleeping} sleeping matches beside none; rest is a second in which nobody asks"
    Console().print(grid)


if __name__ == "__main__":
    cyclopts.run(main)
