"""How many tables a server can carry at which people play: real processes on this machine, over loopback.

    python bench/carry.py [--game tenshu] [--pace 2] [--seconds 10] [--first 100]

Every table has a person in each seat and two spectators, all on streams, and a move at regular intervals. Tables are added until
one
move in a hundred takes longer than a tenth of a second from when it was due until it is answered. By then the move has been stored
and sent to all. (Commitments arrive only when all have acted, so the times of arrival are not measured.) The load has a process of
its own on the same processors, whose use is shown.
"""

from __future__ import annotations

import tempfile

import cyclopts
import uvloop
from lines import open_many_files, process
from players import Figures, play
from rich.console import Console

SOON = 100  # milliseconds, the limit of 99 moves in 100
STEP = 1.25  # the factor by which the number of tables grows


async def carried(game: str, tables: int, pace: float, seconds: float) -> Figures:
    """Measure a number of tables, on a server of their own."""
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        load = await play(server, game, tables)
        figures = await load.run(seconds, tables / pace)
        await load.close()
    return figures


def main(game: str = "tenshu", pace: float = 2, seconds: float = 10, first: int = 100) -> None:
    """Measure, and show the figures.

    Args:
        game: the game, with its usual number of seats.
        pace: seconds between two moves at a table.
        seconds: how long each number of tables is measured.
        first: the first number of tables.
    """
    open_many_files()
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
