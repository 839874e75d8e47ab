"""Measure how long a visitor with a slow phone waits for the list of games, and then for a playable card.

    python bench/page.py [--runs 5] [--game mushi] [--why] [--json]

A real server on loopback and a real Chromium, slowed down like the phone of Lighthouse: 150 ms to the server and back, 1.6 Mbit/s,
and a processor a quarter as fast. Its cache is empty. It opens the page and touches the game as soon as the game is there; the
browser's trace says when the first card could be played, and what has shifted on the page without input. The limit is two seconds
from the touch to the card. `--why` shows the requests meanwhile, and what the processor did. No result makes the bench fail.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import cyclopts
from playwright.async_api import Browser, CDPSession

sys.path.insert(0, str(Path(__file__).parents[1]))

from mekuri import games
from tests.helpers.page.browser import PHONE, find_chromium, launched, sit_down
from tests.helpers.page.hands import CARDS, WORDS, deal_button
from tests.helpers.server.child import Child

LIMIT = 2.0  # seconds
ROUND_TRIP, DOWN, UP, SLOWER = 150, 1_638_400 // 8, 750_000 // 8, 4  # milliseconds, bytes a second (twice), and a factor
CATEGORIES = ["blink.user_timing", "loading", "devtools.timeline", "v8"]

# Marks in the trace when a game can first be touched, when it is, and when a card can first be played or a word said.
WATCH = f"""
const watch = (name, selector) => {{
  const look = () => document.querySelector(selector) ? performance.mark(name) : requestAnimationFrame(look);
  look();
}};
watch("game", "article button.deal");
watch("card", "{CARDS}, {WORDS}");
addEventListener("click", () => performance.mark("touch"), {{ once: true, capture: true }});
"""


@dataclass(frozen=True)
class Request:
    """A request of the page.

    Attributes:
        path: the method and the path.
        begun, ended: seconds since the first request.
        bytes: the bytes received.
    """

    path: str
    begun: float
    ended: float
    bytes: int


@dataclass(frozen=True)
class Visit:
    """The figures of one visit.

    Attributes:
        game: seconds from the beginning until a game could be touched.
        card: seconds from the touch until a card could be played.
        shift: the sum of the layout shifts without input.
        bytes: the bytes sent to the browser.
        requests: the requests, in order.
        work: milliseconds of the page's thread until the first card, by kind of work.
    """

    game: float
    card: float
    shift: float
    bytes: int
    requests: list[Request] = field(default_factory=list)
    work: dict[str, float] = field(default_factory=dict)


class Wire:
    """The requests of a page, from the events of the browser."""

    def __init__(self, session: CDPSession) -> None:
        self._asked: dict[str, tuple[str, float]] = {}
        self._ended: dict[str, tuple[float, int]] = {}
        self._bytes: Counter[str] = Counter()
        session.on("Network.requestWillBeSent", self._ask)
        session.on(
            "Network.dataReceived", lambda message: self._bytes.update({message["requestId"]: int(message["encodedDataLength"])})
        )
        session.on("Network.loadingFinished", self._end)

    def _ask(self, message: dict[str, Any]) -> None:
        address = urlsplit(message["request"]["url"])
        self._asked[message["requestId"]] = (f"{message['request']['method']} {address.path}", message["timestamp"])

    def _end(self, message: dict[str, Any]) -> None:
        self._ended[message["requestId"]] = (message["timestamp"], int(message["encodedDataLength"]))

    @property
    def requests(self) -> list[Request]:
        """The requests so far. One that has not ended, such as the stream, is given the end of the last one that has."""
        begun = min(at for _, at in self._asked.values())
        last = max(at for at, _ in self._ended.values())
        return [
            Request(path, round(at - begun, 3), round(ended - begun, 3), size)
            for id, (path, at) in self._asked.items()
            for ended, size in [self._ended.get(id, (max(at, last), self._bytes[id]))]
        ]


async def visit(browser: Browser, address: str, game: str) -> Visit:
    """Open the page with an empty cache, and begin a round."""
    context = await sit_down(browser, address, PHONE, motion=True)
    await context.add_init_script(WATCH)
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    wire = Wire(session)
    await session.send("Network.enable")
    slow = {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": DOWN, "uploadThroughput": UP}
    await session.send("Network.emulateNetworkConditions", slow)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await browser.start_tracing(page=page, categories=CATEGORIES)
    await page.goto("/", wait_until="commit")
    await deal_button(page, game).tap()
    await page.wait_for_function("() => performance.getEntriesByName('card').length > 0")
    await page.wait_for_timeout(1500)  # for late layout shifts
    trace = json.loads(await browser.stop_tracing())["traceEvents"]
    await context.close()
    return read(trace, wire.requests)


def read(trace: list[dict[str, Any]], requests: list[Request]) -> Visit:
    """Return the figures of a visit from its trace."""
    marks = {event["name"]: event for event in reversed(trace) if event["name"] in ("game", "touch", "card")}
    page = marks["card"]["pid"], marks["card"]["tid"]
    begun = min(event["ts"] for event in trace if event["name"] == "navigationStart" and event["pid"] == page[0])
    at = {name: (event["ts"] - begun) / 1e6 for name, event in marks.items()}
    shifts = [event["args"]["data"] for event in trace if event["name"] == "LayoutShift"]
    moved = sum(shift["weighted_score_delta"] for shift in shifts if not shift["had_recent_input"])
    work = own_times([event for event in trace if (event["pid"], event["tid"]) == page and event["ts"] < marks["card"]["ts"]])
    sent = sum(request.bytes for request in requests)
    return Visit(round(at["game"], 2), round(at["card"] - at["touch"], 2), round(moved, 4), sent, requests, work)


def own_times(events: list[dict[str, Any]]) -> dict[str, float]:
    """Return the milliseconds of each kind of work without the work nested in it; the twelve longest, longest first."""
    times: Counter[str] = Counter()
    around: list[tuple[str, float]] = []  # the work around the current event, and when it ends
    for event in sorted((each for each in events if each.get("dur")), key=lambda each: (each["ts"], -each["dur"])):
        while around and around[-1][1] <= event["ts"]:
            around.pop()
        if around:
            times[around[-1][0]] -= event["dur"]
        times[event["name"]] += event["dur"]
        around.append((event["name"], event["ts"] + event["dur"]))
    return {name: round(time / 1000, 1) for name, time in times.most_common(12)}


async def measure(runs: int, game: str) -> list[Visit]:
    """Return several visits, each with an empty cache."""
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    with tempfile.TemporaryDirectory() as folder:
        child = Child(Path(folder) / "mekuri.db", true=True)
        await child.start()
        try:
            async with launched(path) as browser:
                await visit(browser, child.address, game)  # the first visit fills the server's caches
                return [await visit(browser, child.address, game) for _ in range(runs)]
        finally:
            await child.kill()


def show_why(visit: Visit) -> None:
    """Print the requests and the work of a visit."""
    print("\n begun   ended  KiB")
    for each in visit.requests:
        print(f"{each.begun:6.2f}  {each.ended:6.2f}  {each.bytes / 1024:5.1f}  {each.path}")
    print("\nthe page's processor, in milliseconds, until the first card could be played:")
    for name, time in visit.work.items():
        print(f"{time:7.1f}  {name}")


def main(
    *,
    runs: Annotated[int, cyclopts.Parameter(help="How many visits.")] = 5,
    game: Annotated[str, cyclopts.Parameter(help="The game that is touched.")] = games.names()[0],
    why: Annotated[
        bool, cyclopts.Parameter(negative=(), help="Show what was asked for in the last visit, and what was done.")
    ] = False,
    to_json: Annotated[bool, cyclopts.Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Measure how long a slow phone waits for its first card."""
    visits = asyncio.run(measure(runs, game))
    if to_json:
        print(json.dumps({"game": game, "limit": LIMIT, "visits": [asdict(each) for each in visits]}))
        return
    for each in visits:
        print(f"game {each.game:5.2f} s   card {each.card:5.2f} s   moved {each.shift:.4f}   {each.bytes / 1024:6.1f} KiB")
    if why:
        show_why(visits[-1])
    first, card = (statistics.median(values) for values in zip(*((each.game, each.card) for each in visits), strict=True))
    moved = max(each.shift for each in visits)
    print(f"\n{game}: from the touch to the first card {card:.2f} s, the limit is {LIMIT:g} s")
    print(f"a game could be touched after {first:.2f} s; together {first + card:.2f} s; moved by nobody: {moved:.4f} of the window")


if __name__ == "__main__":
    cyclopts.run(main)
