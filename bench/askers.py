"""What somebody who plays notices of others who ask for much: real processes on this machine, over loopback.

    python bench/askers.py [--askers 10] [--seconds 45] [--turns 1] [--game tenshu] [--kinds events,streams]

One table of people plays at a steady pace. Beside it, in turn, nobody asks for anything, and then each asker does: a guest at an
address of its own (127.0.0.2 and so on), on several lines at once, as fast as answers come and up to the number of requests that
one guest may send. A ratio says how much longer moves take then, 99 in 100. The first half second is in it, in which nobody knows
who asks for much. The askers have a process of their own, the players too; what both use of the processors is shown.

| kind | what is asked |
|---|---|
| events | all that has happened at a table of many rounds, not compressed |
| packed | the same since any version, compressed |
| rounds | every finished round from every seat |
| streams | a stream with an old Last-Event-ID, left again at once |
"""

from __future__ import annotations

import asyncio
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import cyclopts
import uvloop
from lines import guest, process
from players import Figures, longest, play, share
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from mekuri import bots, games

app = cyclopts.App(help=__doc__)

KINDS = ("events", "packed", "rounds", "streams")
REST = 5.0  # seconds
RATE = 4.0  # moves a second of those who play
LINES = 4  # of one asker
EACH = 100  # requests a second of one asker: more are refused for their number
ROUNDS = 3  # that an asker has played


# --- The askers, in a process of their own ---


async def ask(port: int, address: str, head: str) -> int:
    """Send one request on a line of its own. Returns the status; of a stream its beginning is enough."""
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
    """A guest with a table at which some rounds have been played against bots."""

    def __init__(self, port: int, address: str, kind: str) -> None:
        self._port, self._address, self._kind = port, address, kind
        self.answers: Counter[int] = Counter()

    async def settle(self, game: str) -> None:
        """Play those rounds, as anybody would."""
        line = await guest(self._port)
        seats = ["person", *[bots.NAMES[0]] * (games.find(game).seats[0] - 1)]
        made = await line.told("/api/tables", game=game, seats=seats, match_options=longest(game))
        path = self._path = f"/api/tables/{made['id']}"
        whole = await line.told(f"{path}/seat")
        while whole["head"]["round"] <= ROUNDS:
            view = whole["view"]
            if view["legal"]:
                await line.told(f"{path}/actions", version=view["version"], action=view["legal"][0]["action"])
            elif view["over"] and not whole["head"]["seats"][0]["ready"]:
                await line.told(f"{path}/ready", round=whole["head"]["round"])
            await asyncio.sleep(0.02)
            whole = json.loads(await line.ask(path, b"", "GET"))
        self._headers, self._last, self._seats = line.headers, whole["version"], len(seats)
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
    """Ask for much, from one line of input to the next, and then tell what was answered and what that used."""

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
    """That process."""

    def __init__(self, port: int, kind: str, askers: int, game: str) -> None:
        command = [sys.executable, __file__, "asking", str(port), kind, str(askers), game]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def turn(self) -> None:
        """Let it begin, or stop."""
        assert self._process.stdin
        print("turn", file=self._process.stdin, flush=True)

    def close(self) -> None:
        self._process.communicate()


# --- What is measured ---


async def measure(kind: str, askers: int, seconds: float, turns: int, game: str) -> tuple[Any, ...]:
    """Calm and asked, in turn."""
    calm: list[Figures] = []
    asked: list[Figures] = []
    answers: Counter[str] = Counter()
    used = 0.0
    with tempfile.TemporaryDirectory() as folder, process("guarded", folder) as server:
        them = Askers(server.port, kind, askers, game)
        await asyncio.to_thread(them.hear)
        load = await play(server, game, 1)
        await asyncio.sleep(REST)  # who has just played fast has asked for much
        calm_moves, asked_moves = [], []
        for _ in range(turns):
            calm.append(await load.run(seconds, RATE))
            calm_moves += load.tally.moves
            them.turn()
            asked.append(await load.run(seconds, RATE))
            asked_moves += load.tally.moves
            them.turn()
            told = json.loads(await asyncio.to_thread(them.hear))
            used += told["used"]
            answers += Counter(told["answers"])
            await asyncio.sleep(1.5)  # for what is still held back
        await load.close()
        them.close()
    return calm_moves, asked_moves, calm, asked, used / seconds / turns, answers


def mean(figures: list[Figures], what: str) -> float:
    return sum(getattr(one, what) for one in figures) / len(figures)


@app.default
def main(askers: int = 10, seconds: float = 45, turns: int = 1, game: str = "tenshu", kinds: str = ",".join(KINDS)) -> None:
    """Measure, and show what was measured.

    Args:
        askers: how many ask.
        seconds: of each turn, calm or asked.
        turns: of both.
        game: what is played and asked for.
        kinds: of what is asked, with commas.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
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
