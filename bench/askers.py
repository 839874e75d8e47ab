"""How much guests who send many requests slow down others who play: real processes on this machine, over loopback.

    python bench/askers.py [--askers 10] [--seconds 45] [--turns 1] [--game tenshu] [--kinds events,streams]

People play at one table at a steady rate, in turn without askers and with them. An asker is a guest at an address of its own
(127.0.0.2 and so on) that sends requests on several connections, each as soon as the last is answered, up to the number of requests
that one guest may send. The ratio is that of the 99th percentiles of the time of a move. It includes the first half second, in
which
the server has not yet noticed who sends many requests. Askers and players have a process each, whose processor time is shown.

| kind | requests |
|---|---|
| events | all events of a table with many rounds, not compressed |
| packed | the same from any version on, compressed |
| rounds | every finished round from every seat |
| streams | a stream with an old Last-Event-ID, closed at once |
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import cyclopts
import uvloop
from attacks import settle
from lines import guest, open_many_files, process
from players import Figures, play, share
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

app = cyclopts.App(help=__doc__)

KINDS = ("events", "packed", "rounds", "streams")
REST = 5.0  # seconds of rest before measuring
RATE = 4.0  # moves a second at the table
LINES = 4  # connections of one asker
EACH = 100  # requests a second of one asker: the server refuses more
ROUNDS = 3  # rounds that are played at an asker's table


# --- The askers, in a process of their own ---


async def ask(port: int, address: str, head: str) -> int:
    """Send one request on a connection of its own. Returns the status, 0 for no answer. Of a stream only the status is read."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1 << 22)
    try:
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        first = await reader.readline()
        while not head.startswith("GET /api/stream") and await reader.read(1 << 20):
            pass
        return int(first.split()[1]) if first else 0
    except ConnectionError:
        return 0
    finally:
        writer.close()


class Asker:
    """A guest with a table at which some rounds have been played against bots.

    Attributes:
        answers: how many answers came, by status.
    """

    def __init__(self, port: int, address: str, kind: str) -> None:
        self._port, self._address, self._kind = port, address, kind
        self.answers: Counter[int] = Counter()

    async def settle(self, game: str) -> None:
        """Play the rounds at the asker's table."""
        line = await guest(self._port)
        self._path, whole = await settle(line, game, ROUNDS)
        self._headers, self._last, self._seats = line.headers, whole["version"], len(whole["head"]["seats"])
        line.close()

    def _heads(self) -> Iterator[str]:
        id = self._path.rpartition("/")[2]
        for number in itertools.count():
            since, packed = max(0, self._last - 200) + number % 200, "Accept-Encoding: gzip\r\n"
            yield {
                "events": f"GET {self._path}/events?since={max(0, self._last - 200)} HTTP/1.1\r\n{self._headers}",
                "packed": f"GET {self._path}/events?since={since} HTTP/1.1\r\n{self._headers}{packed}",
                "rounds": f"GET {self._path}/rounds/{1 + number % ROUNDS}?seat={number % self._seats} HTTP/1.1\r\n{self._headers}",
                "streams": f"GET /api/stream?table={id} HTTP/1.1\r\n{self._headers}Last-Event-ID: {max(0, self._last - 200)}\r\n",
            }[self._kind]

    async def go(self) -> None:
        heads = self._heads()
        await asyncio.gather(*(self._go(heads) for _ in range(LINES)))

    async def _go(self, heads: Iterator[str]) -> None:
        while True:
            due = time.perf_counter() + LINES / EACH
            self.answers[await ask(self._port, self._address, next(heads))] += 1
            await asyncio.sleep(max(0, due - time.perf_counter()))


@app.command
def asking(port: int, kind: str, askers: int, game: str) -> None:
    """Ask from one line of standard input to the next, then print the answers and the processor time used, as JSON."""

    async def run() -> None:
        them = [Asker(port, f"127.0.0.{2 + number}", kind) for number in range(askers)]
        for each in them:
            await each.settle(game)
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            used = time.process_time()
            tasks = [asyncio.create_task(each.go()) for each in them]
            await loop.run_in_executor(None, sys.stdin.readline)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            answers = sum((each.answers for each in them), Counter[int]())
            for each in them:
                each.answers.clear()
            print(json.dumps({"used": time.process_time() - used, "answers": answers}), flush=True)

    uvloop.run(run())


class Askers:
    """The process of the askers."""

    def __init__(self, port: int, kind: str, askers: int, game: str) -> None:
        command = [sys.executable, __file__, "asking", str(port), kind, str(askers), game]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def turn(self) -> None:
        """Start or stop the askers."""
        assert self._process.stdin
        print("turn", file=self._process.stdin, flush=True)

    def close(self) -> None:
        self._process.communicate()


# --- Measurements ---


async def measure(kind: str, askers: int, seconds: float, turns: int, game: str) -> tuple[Any, ...]:
    """Measure with and without askers in turn. Returns times of moves, figures, processor time and answers."""
    calm: list[Figures] = []
    asked: list[Figures] = []
    answers: Counter[str] = Counter()
    used = 0.0
    with tempfile.TemporaryDirectory() as folder, process("guarded", folder) as server:
        them = Askers(server.port, kind, askers, game)
        await asyncio.to_thread(them.hear)
        load = await play(server, game, 1)
        await asyncio.sleep(REST)  # the fast moves before count as many requests
        calm_moves, asked_moves = [], []
        for _ in range(turns):
            calm.append(await load.run(seconds, RATE))
            calm_moves += load.tally.moves
            them.turn()
            asked.append(await load.run(seconds, RATE))
            asked_moves += load.tally.moves
            them.turn()
            report = json.loads(await asyncio.to_thread(them.hear))
            used += report["used"]
            answers += Counter(report["answers"])
            await asyncio.sleep(1.5)  # for requests that the server still delays
        await load.close()
        them.close()
    return calm_moves, asked_moves, calm, asked, used / seconds / turns, answers


def mean(figures: list[Figures], what: str) -> float:
    return sum(getattr(one, what) for one in figures) / len(figures)


@app.default
def main(askers: int = 10, seconds: float = 45, turns: int = 1, game: str = "tenshu", kinds: str = ",".join(KINDS)) -> None:
    """Measure, and show the figures.

    Args:
        askers: the number of askers.
        seconds: the length of each turn, with or without askers.
        turns: the number of turns of each.
        game: the game.
        kinds: the kinds of requests, separated by commas.
    """
    open_many_files()
    grid = Grid(
        "asked", "p50", "p99", "with askers", "p99", "ratio", "server", "players", "askers", "answers a second", box=SIMPLE_HEAD
    )
    for kind in kinds.split(","):
        calm_moves, asked_moves, calm, asked, used, answers = uvloop.run(measure(kind, askers, seconds, turns, game))
        before, after = share(calm_moves, 0.99), share(asked_moves, 0.99)
        grid.add_row(
            kind,
            *(f"{one:.1f}" for one in (share(calm_moves, 0.5), before, share(asked_moves, 0.5), after)),
            f"{after / before:.2f}",
            f"{mean(calm, 'cpu'):.2f} to {mean(asked, 'cpu'):.2f}",
            f"{mean(asked, 'load_cpu'):.2f}",
            f"{used:.2f}",
            ", ".join(f"{status}: {number / seconds / turns:.0f}" for status, number in sorted(answers.items())),
        )
    grid.caption = f"{game}, {askers} askers; times of moves in ms, 99 in 100; server, players and askers in cores"
    Console(width=120).print(grid)


if __name__ == "__main__":
    app()
