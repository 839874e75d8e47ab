"""How much a table server can do, and how fast: one real server and its load on this machine, over loopback.

    python bench/server.py [--seconds 20] [--game mushi] [--rate 550] [--tables 50] [--json]

Every table has a person in each seat and two spectators, all on streams; people play random legal actions by plain HTTP. The
phases:
a steady rate, whether the server keeps up or not, in which the time of a move counts from when it was due; then as many moves as
possible; then people against bots. The same load then goes to a bare Litestar application that answers and streams as many bytes to
as many viewers, and does nothing else. The load and each server have processes of their own. No result makes the bench fail.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Annotated

import cyclopts
import uvloop
from lines import Line, Process, follower, guest, open_many_files, process
from players import Figures, play, repeat
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from mekuri import bots, games

MOVES, DELIVERIES, SOON = 500, 2000, 0.1  # the aim: moves and deliveries a second, 99 in 100 within this many seconds
IDLE, FOLLOWERS = 1000, 1000  # the tables and streams for which memory is measured
WIDTH = 96  # columns of the table shown
PARTIES = 20  # groups of people that make idle tables side by side

# --- Memory ---


async def memory(server: Process, game: str) -> tuple[float, float]:
    """Return the memory of one idle table and of one stream, in KiB, as the mean of a thousand of each."""
    seats = ["person"] * games.find(game).seats[0]
    parties = [[await guest(server.port) for _ in seats] for _ in range(PARTIES)]
    ids: list[str] = []

    async def make(party: list[Line], tables: int) -> None:
        for _ in range(tables):
            id = (await party[0].post("/api/tables", game=game, seats=seats))["id"]
            for line in party:
                await line.post(f"/api/tables/{id}/seat")
            ids.append(id)

    await make(parties[0], 5)  # modules that are loaded once are not counted
    before = server.usage()[1]
    await asyncio.gather(*(make(party, IDLE // len(parties)) for party in parties))
    between = server.usage()[1]
    followers = [await follower(server.port, f"/api/stream?table={ids[number % len(ids)]}") for number in range(FOLLOWERS)]
    after = server.usage()[1]
    for one in [*followers, *chain(*parties)]:
        one.close()
    await asyncio.sleep(0.2)
    return round((between - before) / IDLE / 1024, 1), round((after - between) / FOLLOWERS / 1024, 1)


# --- What is shown ---


@dataclass(frozen=True)
class Report:
    """All figures of a game.

    Attributes:
        game: the game.
        tables: the number of tables.
        phases: the figures of each phase, by its name.
        table_kib, stream_kib: the memory of an idle table and of a stream.
    """

    game: str
    tables: int
    phases: dict[str, Figures]
    table_kib: float
    stream_kib: float

    @property
    def met(self) -> bool:
        """Whether the aim was reached."""
        aim, soon = self.phases["steady"], 1000 * SOON
        enough = aim.moves >= MOVES and aim.deliveries >= DELIVERIES
        return enough and aim.move_p99 < soon and aim.delivery_p99 < soon


async def measure(game: str, seconds: float, rate: float, tables: int) -> Report:
    """Measure a game in about this many seconds."""
    part = seconds / 10
    phases: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        load = await play(server, game, tables)
        phases["steady"] = await load.run(2.5 * part, rate)
        sizes = load.tally
        phases["full"] = await load.run(part)
        refused = sum(line.refused for line in load.closing if isinstance(line, Line))
        assert not refused, f"{refused} requests were refused"
        await load.close()
        load = await play(server, game, tables // 2, bots.OF_RULES[-1])
        phases["with a bot"] = await load.run(part)
        await load.close()
    with process("echo", str(sizes.answered), str(round(phases["steady"].bytes_delivered))) as server:
        load = await repeat(server, tables, sizes.asked, games.find(game).seats[0])
        await load.run(0.2)
        phases["echo, steady"] = await load.run(part, rate)
        phases["echo, full"] = await load.run(part)
        await load.close()
    with tempfile.TemporaryDirectory() as folder, process("tables", folder) as server:
        table_kib, stream_kib = await memory(server, game)
    return Report(game, tables, phases, table_kib, stream_kib)


def grid(report: Report) -> Grid:
    """Return the table of a game: moves and their times, deliveries and their times, and processor use of server, move and load."""
    table = Grid("", "moves/s", "p50", "p99", "sent/s", "p50", "p99", "CPU", "ms", "load")
    table.title, table.box = f"{report.game}, {report.tables} tables (times in ms, CPU and load in cores)", SIMPLE_HEAD
    for name, one in report.phases.items():
        times = [f"{time:.1f}" for time in (one.move_p50, one.move_p99, one.delivery_p50, one.delivery_p99)]
        used = [f"{one.cpu:.2f}", f"{one.cpu_move:.2f}", f"{one.load_cpu:.2f}"]
        table.add_row(name, f"{one.moves:.0f}", *times[:2], f"{one.deliveries:.0f}", *times[2:], *used)
    ours, bare = report.phases["full"], report.phases["echo, full"]
    steady = report.phases["steady"]
    table.caption = "\n".join(
        [
            f"beside the echo: {ours.moves / bare.moves:.2f} of its moves/s, {ours.cpu_move / bare.cpu_move:.1f} × its CPU a move",
            f"a viewer is sent {steady.bytes_delivered / 1024:.1f} KiB a move; an idle table takes {report.table_kib} KiB, "
            f"a stream {report.stream_kib} KiB",
            f"aim: {MOVES} moves/s and {DELIVERIES} deliveries/s, p99 under {1000 * SOON:.0f} ms, on two cores: "
            + ("[bold green]MET[/bold green]" if report.met else "[bold red]NOT MET[/bold red]"),
        ]
    )
    return table


Json = Annotated[bool, cyclopts.Parameter(name="--json", negative=())]


def main(seconds: float = 20, game: str = "", rate: float = 1.1 * MOVES, tables: int = 50, as_json: Json = False) -> None:
    """Measure, and show the figures.

    Args:
        seconds: the time for measuring, shared by the games. Filling the tables takes as long again.
        game: the only game to measure; empty for all.
        rate: the steady rate, in moves a second.
        tables: the number of tables.
        as_json: whether to print JSON.
    """
    open_many_files()
    names = [games.find(game).id] if game else games.names()
    console = Console(width=max(WIDTH, Console().width))
    for name in names:
        report = uvloop.run(measure(name, seconds / len(names), rate, tables))
        if as_json:
            print(json.dumps(asdict(report) | {"met": report.met}))
        else:
            console.print(grid(report))


if __name__ == "__main__":
    cyclopts.run(main)
