"""How long somebody with a slow phone waits for a card to play, from the first byte of the page on.

    python bench/page.py [--runs 5] [--game mushi] [--json]

A real server on loopback and a real Chromium, which is slowed down as Lighthouse's phone is: 150 ms to the server and back,
1.6 Mbit/s, and a processor a quarter as fast. Nothing is in its cache. It opens the page, touches the game as soon as that is there,
and the browser's own trace says when the first card could be played, and what moved on the screen without anybody's doing.
The limit is two seconds. Nothing here fails for being slow.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import cyclopts
from playwright.async_api import Browser

from mekuri import games
from tests.page.browser import PHONE, find_chromium, launched, sit_down
from tests.server.child import Child

LIMIT = 2.0  # seconds
ROUND_TRIP, DOWN, UP, SLOWER = 150, 1_638_400 // 8, 750_000 // 8, 4  # ms, bytes a second, and how many times
CATEGORIES = ["blink.user_timing", "loading", "devtools.timeline"]

# Marks in the trace the moment at which something can first be touched.
WATCH = """
const watch = (name, selector) => {
  const look = () => document.querySelector(selector) ? performance.mark(name) : requestAnimationFrame(look);
  look();
};
watch("game", "main h2 button, main h2 a, main li button");
watch("card", "main button.card:not([aria-disabled=true])");
"""


@dataclass(frozen=True)
class Visit:
    """What one visit was like.

    Attributes:
        game: seconds from the beginning until a game could be touched.
        card: seconds from the beginning until a card could be played.
        shift: the sum of the layout shifts that nobody had caused.
        bytes: what was sent to the browser.
    """

    game: float
    card: float
    shift: float
    bytes: int


async def visit(browser: Browser, address: str, game: str) -> Visit:
    """Open the page as a newcomer, and begin a round."""
    context = await sit_down(browser, address, PHONE, motion=True)
    await context.add_init_script(WATCH)
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    sent = 0

    def count(told: dict[str, Any]) -> None:
        nonlocal sent
        sent += int(told["encodedDataLength"])

    session.on("Network.loadingFinished", count)
    await session.send("Network.enable")
    slow = {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": DOWN, "uploadThroughput": UP}
    await session.send("Network.emulateNetworkConditions", slow)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await browser.start_tracing(page=page, categories=CATEGORIES)
    await page.goto("/", wait_until="commit")
    name = games.find(game).folder.name
    await page.locator(f'[data-game="{name}"]').first.tap()
    await page.wait_for_function("performance.getEntriesByName('card').length > 0")
    await page.wait_for_timeout(1000)  # what comes late moves things late
    trace = json.loads(await browser.stop_tracing())["traceEvents"]
    await context.close()
    return read(trace, sent)


def read(trace: list[dict[str, Any]], sent: int) -> Visit:
    """What a trace says of a visit."""
    begun = min(event["ts"] for event in trace if event["name"] == "navigationStart")
    marks = {event["name"]: (event["ts"] - begun) / 1e6 for event in reversed(trace) if event["name"] in ("game", "card")}
    shifts = [event["args"]["data"] for event in trace if event["name"] == "LayoutShift"]
    moved = sum(shift["weighted_score_delta"] for shift in shifts if not shift["had_recent_input"])
    return Visit(game=round(marks["game"], 2), card=round(marks["card"], 2), shift=round(moved, 4), bytes=sent)


async def measure(runs: int, game: str) -> list[Visit]:
    """Several visits, each of a newcomer."""
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    with tempfile.TemporaryDirectory() as folder:
        child = Child(Path(folder) / "mekuri.db")
        await child.start()
        try:
            async with launched(path) as browser:
                await visit(browser, child.address, game)  # the server's own caches are filled by whoever comes first
                return [await visit(browser, child.address, game) for _ in range(runs)]
        finally:
            await child.kill()


def main(
    *,
    runs: Annotated[int, cyclopts.Parameter(help="How many visits.")] = 5,
    game: Annotated[str, cyclopts.Parameter(help="The game that is touched.")] = games.names()[0],
    to_json: Annotated[bool, cyclopts.Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Measure how long a slow phone waits for its first card."""
    visits = asyncio.run(measure(runs, game))
    if to_json:
        print(json.dumps([asdict(each) for each in visits]))
        return
    for each in visits:
        print(f"game {each.game:5.2f} s   card {each.card:5.2f} s   moved {each.shift:.4f}   {each.bytes / 1024:6.1f} KiB")
    middle = statistics.median(each.card for each in visits)
    print(f"{game}: the first card could be played after {middle:.2f} s, {middle / LIMIT:.2f} of the limit of {LIMIT:g} s")


if __name__ == "__main__":
    cyclopts.run(main)
