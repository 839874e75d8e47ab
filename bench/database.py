"""Measure the cost of storing an action, and of reading a match, in SQLite and in PostgreSQL.

    python bench/database.py [--database postgresql+psycopg://USER@HOST/DATABASE] [--tables 1,16] [--seconds 5]

Without `--database` the log is a file in a temporary folder. A database that is given must be empty, and holds these matches
afterwards. Each table adds an action to its match as soon as its last one is durable. An action is one row of the log and a change
of its match's row, as of a player; the rules and HTTP are not included. "Read" is all rows of a match of 100 rows.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import cyclopts
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from mekuri.server.storage.store import Store
from mekuri.table.log import NewMatch, Row

app = cyclopts.App(help=__doc__)

ROWS = 100  # of the match that is read
READS = 500
BODY = {"action": "12", "events": [{"kind": "play", "seat": 0, "action": "12"}]}


async def act(store: Store, match: str, until: float) -> list[float]:
    """Add actions to a new match until a time. Returns how many seconds each took."""
    await store.add_match(NewMatch(match, "tensho", bytes(32), None, False, [], "running"))
    took = []
    while (begun := time.perf_counter()) < until:
        n = len(took)
        await store.append(match, [Row(n, "play", 0, BODY, 1, n)], "running", bot_due=False)
        took.append(time.perf_counter() - begun)
    return took


async def read(store: Store) -> list[float]:
    """Read a match again and again. Returns how many seconds each reading took."""
    rows = [Row(n, "play", 0, BODY, 1, n) for n in range(ROWS)]
    await store.add_match(NewMatch("read", "tensho", bytes(32), None, False, rows, "running"))
    took = []
    for _ in range(READS):
        begun = time.perf_counter()
        await store.rows("read")
        took.append(time.perf_counter() - begun)
    return took


async def measure(place: Path | str, tables: list[int], seconds: float) -> None:
    store = await Store.open(place)
    grid = Grid("tables", "actions a second", "median, ms", "99 of 100, ms", box=SIMPLE_HEAD)
    for number in tables:
        begun = time.perf_counter()
        found = await asyncio.gather(*(act(store, f"{number}-{one}", begun + seconds) for one in range(number)))
        took = sorted(one for each in found for one in each)
        figures = (len(took) / (time.perf_counter() - begun), statistics.median(took) * 1e3, took[len(took) * 99 // 100] * 1e3)
        grid.add_row(str(number), *(f"{figure:.2f}" for figure in figures))
    took = sorted(await read(store))
    figures = (1 / statistics.mean(took), statistics.median(took) * 1e3, took[READS * 99 // 100] * 1e3)
    grid.add_row("read", *(f"{figure:.2f}" for figure in figures))
    await store.close()
    Console().print(grid)


@app.default
def main(*, database: str | None = None, tables: str = "1,16", seconds: float = 5) -> None:
    numbers = [int(number) for number in tables.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(database or Path(folder) / "mekuri.db", numbers, seconds))


if __name__ == "__main__":
    app()
