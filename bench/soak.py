"""Whether the memory of a table server settles: an hour of matches of all games, with people, bots and streams that come and go.

    python bench/soak.py [--minutes 60] [--rate 10] [--every 10] [--idle 60] [--into FOLDER]

One real server runs in a process of its own, with a database of its own. At tables of every game people play with each other and
with bots, match after match, on streams that are closed and opened again at random, and other guests come for a moment. Every few
seconds a line is printed: memory, open files, threads, tables in memory, the size of the database, matches and actions so far. At
the end the bench says whether memory has settled: whether the last third of the time needs more than the third before. With --into,
soak.csv and soak.svg are written to a folder.
"""

from __future__ import annotations

import asyncio
import csv
import io
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import cyclopts
import msgspec
import uvloop
from lines import NOBODY, Follower, Line, follower, guest, process

from mekuri import bots, games
from mekuri.files import check_new, write_file

SETTLED = 0.02  # growth of memory, as a part of all, that counts as chance
Point = dict[str, float]

# --- Playing ---


class Played:
    """Counts of what has been played so far, and the rate of actions.

    Attributes:
        matches, actions, streams: the counts.
    """

    def __init__(self, rate: float) -> None:
        self.matches = self.actions = self.streams = 0
        self._rate = rate
        self._next = time.monotonic()

    async def turn(self) -> None:
        """Wait until the next action is due. The rate is that of all tables together."""
        self._next = max(self._next, time.monotonic() - 1) + 1 / self._rate
        self.actions += 1
        await asyncio.sleep(max(0, self._next - time.monotonic()))


class Seat:
    """A person at a table, with a stream that is opened again at random."""

    def __init__(self, port: int, line: Line, played: Played) -> None:
        self._port = port
        self.line = line
        self._played = played
        self._stream: Follower | None = None

    async def follow(self, table: str, version: int) -> None:
        """Follow a table on a new stream, from a version on; from the beginning if that is 0."""
        self.close()
        own = next(line for line in self.line.headers.splitlines() if line.startswith("Authorization"))
        last = f"Last-Event-ID: {version}\r\n" if version else ""
        self._stream = await follower(self._port, f"/api/stream?table={table}", f"{NOBODY}{own}\r\n{last}")
        self._played.streams += 1

    async def act(self, table: str) -> bool:
        """Do what the table waits for. Returns False if the match is over."""
        whole = await get(self.line, f"/api/tables/{table}")
        view, head = whole["view"], whole["head"]
        if head["state"] != "running":
            return False
        if view["legal"]:
            await self._played.turn()
            action = random.choice(view["legal"])["action"]
            await self.line.post(f"/api/tables/{table}/actions", version=view["version"], action=action)
        elif view["over"] and not head["seats"][whole["you"]]["ready"]:
            await self.line.post(f"/api/tables/{table}/ready", round=head["round"])
        else:
            await asyncio.sleep(0.1)
        if random.random() < 0.05:
            await self.follow(table, whole["version"])
        return True

    def close(self) -> None:
        if self._stream:
            self._stream.close()
        self._stream = None


async def get(line: Line, path: str) -> Any:
    return msgspec.json.decode(await line.ask(path, b"", "GET"))


async def play(port: int, game: str, people: int, played: Played) -> None:
    """Play matches of a game one after the other, with a number of people, and bots in the other seats."""
    seats = [Seat(port, await guest(port), played) for _ in range(people)]
    least = min(number for number in games.find(game).seats if number >= people)
    asked = ["person"] * people + [random.choice(bots.NAMES) for _ in range(least - people)]
    while True:
        id = (await seats[0].line.post("/api/tables", game=game, seats=asked, match_options={"rounds": "2"}))["id"]
        for seat in seats:
            await seat.line.post(f"/api/tables/{id}/seat")
            await seat.follow(id, 0)
        while all([await seat.act(id) for seat in seats]):
            pass
        for path in ("record", "rounds/1", "events?since=0"):
            await seats[0].line.ask(f"/api/tables/{id}/{path}", b"", "GET")
        for seat in seats:
            seat.close()
        played.matches += 1


async def look_in(port: int, played: Played) -> None:
    """Act as guests that come for a moment: each makes a public table, opens streams, and leaves again."""
    while True:
        who = await guest(port)
        id = (await who.post("/api/tables", game=random.choice(games.names()), public=True))["id"]
        streams = [await follower(port, f"/api/stream?table={id}") for _ in range(3)]
        played.streams += len(streams)
        await asyncio.sleep(random.random() * 5)
        await get(who, "/api/tables")
        await who.ask(f"/api/tables/{id}/seat", b"", "DELETE")
        for one in (*streams, who):
            one.close()


# --- What is shown ---


def verdict(points: Sequence[Point]) -> str:
    """Return whether memory settles, in a sentence."""
    third = len(points) // 3
    if third < 3:
        return "too short to say whether memory settles"
    before, last = (fmean(point["memory"] for point in part) for part in (points[-2 * third : -third], points[-third:]))
    more = last / before - 1
    found = "settles" if more < SETTLED else "does NOT settle"
    return f"memory {found}: {before:.1f} MiB in the middle third of the time, {last:.1f} MiB in the last ({more:+.1%})"


def picture(points: Sequence[Point]) -> str:
    """Return curves of what the server held, each on its own scale, as SVG."""
    wide, high, names = 720, 110, ("memory", "files", "threads", "tables", "database")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high * len(names)}" font-family="sans-serif" font-size="12">'
    ]
    for row, name in enumerate(names):
        most = max(point[name] for point in points) or 1
        end = points[-1]["minutes"] or 1
        line = " ".join(
            f"{point['minutes'] / end * wide:.1f},{high * (row + 1) - 8 - point[name] / most * (high - 30):.1f}" for point in points
        )
        parts.append(f'<text x="4" y="{high * row + 14}">{name}: at most {most:g}</text>')
        parts.append(f'<polyline fill="none" stroke="#245" points="{line}"/>')
    return "\n".join([*parts, "</svg>\n"])


async def soak(minutes: float, rate: float, every: float, idle: float, show: Callable[[Point], None]) -> list[Point]:
    """Play for a number of minutes and return what the server held, one point every `every` seconds."""
    points: list[Point] = []
    with tempfile.TemporaryDirectory() as folder, process("lasting", folder, str(idle)) as server:
        played = Played(rate)
        each: list[Awaitable[None]] = [play(server.port, game, people, played) for game in games.names() for people in (1, 2)]
        work = [asyncio.ensure_future(one) for one in (*each, look_in(server.port, played))]
        begun = time.monotonic()
        try:
            while time.monotonic() < begun + minutes * 60:
                await asyncio.wait(work, timeout=every, return_when=asyncio.FIRST_COMPLETED)
                for task in work:
                    if task.done():
                        task.result()
                size = sum(file.stat().st_size for file in Path(folder).iterdir())
                point = {"minutes": round((time.monotonic() - begun) / 60, 2)} | server.held()
                counted = {"matches": played.matches, "actions": played.actions, "streams": played.streams}
                points.append(point | {"database": round(size / (1 << 20), 1)} | counted)
                show(points[-1])
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
    return points


def main(minutes: float = 60, rate: float = 10, every: float = 10, idle: float = 60, into: Path | None = None) -> None:
    """Soak a server, and show what it held.

    Args:
        minutes: the length of the run.
        rate: actions of people a second, at all tables together.
        every: seconds between two lines.
        idle: seconds after which a table without viewers leaves memory.
        into: the folder for soak.csv and soak.svg; none if left out.
    """
    writer = csv.writer(sys.stdout)
    if into:
        into.mkdir(parents=True, exist_ok=True)
        for name in ("soak.csv", "soak.svg"):
            check_new(into / name, instead="name another folder")

    def show(point: Point) -> None:
        if point["minutes"] < 1.5 * every / 60:
            writer.writerow(point)
        writer.writerow(point.values())
        sys.stdout.flush()

    points = uvloop.run(soak(minutes, rate, every, idle, show))
    if into:
        text = io.StringIO(newline="")
        rows = csv.DictWriter(text, points[0])
        rows.writeheader()
        rows.writerows(points)
        write_file(into / "soak.csv", text.getvalue())
        write_file(into / "soak.svg", picture(points))
    print(verdict(points))


if __name__ == "__main__":
    cyclopts.run(main)
