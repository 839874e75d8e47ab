"""How many tables a server carries at which people play: its real processes and their load on this machine, over loopback.

    python bench/carry.py [--game tenshu] [--pace 2] [--seconds 10] [--first 100]

At every table there are a person in each seat and two spectators, all on streams, and a move is made every so many seconds. Tables
are added until one move in a hundred takes longer than a tenth of a second from when it was due until it is answered; by then it
has been written and sent to all. (What is decided in secret arrives only when all have decided, so arrivals say nothing here.)
The load has a process of its own, on the same processors: what it uses is shown beside.
"""

from __future__ import annotations

import resource
import tempfile

import cyclopts
import uvloop
from lines import process
from players import Figures, play
from rich.console import Console

SOON = 100  # milliseconds, of which 99 moves in 100 stay under
STEP = 1.25  # how many times as many tables come next


async def carried(game: str, tables: int, pace: float, seconds: float) -> Figures:
    """What comes of so many tables, on a server of their own."""
    with tempfile.TemporaryDirectory() as folder, process("house", folder) as server:
        load = await play(server, game, tables)
        figures = await load.run(seconds, tables / pace)
        await load.close()
    return figures


def main(game: str = "tenshu", pace: float = 2, seconds: float = 10, first: int = 100) -> None:
    """Measure, and show what was measured.

    Args:
        game: what is played, by its usual number of seats.
        pace: seconds between the moves at a table.
        seconds: for which each number of tables is measured.
        first: how many tables there are at first.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    console, tables, held = Console(), first, 0
    while True:
        one = uvloop.run(carried(game, tables, pace, seconds))
        console.print(
            f"{tables:5} tables, {one.moves:.0f} moves/s: p50 {one.move_p50:.0f} ms, p99 {one.move_p99:.0f} ms; "
            f"the server uses {one.cpu:.2f} cores ({one.cpu_move:.2f} ms a move), the load {one.load_cpu:.2f}"
        )
        if one.move_p99 > SOON:
            break
        held, tables = tables, round(tables * STEP)
    console.print(f"{game}: {held} tables with a move every {pace:g} s each, p99 under {SOON} ms")


if __name__ == "__main__":
    cyclopts.run(main)
