"""Measure a page without a server in Chromium: bytes, starts, moves of the strongest level and memory, beside their limits.

    python bench/pocket.py [--game mushi] [--runs 3] [--free]

The site of `mekuri site` is served on loopback. Times count from the address to a dealt hand, and while the strongest bot thinks.
They are measured on all cores, and again while the whole browser has a quarter of a core, if this user may set quotas (version 1 of
control groups); `--free` leaves that out. The bench fails where a limit is missed on a machine without other work.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import cyclopts
from playwright.async_api import Browser, BrowserContext, Page, TimeoutError

sys.path.insert(0, str(Path(__file__).parents[1]))

from mekuri import bots, games
from mekuri.pocket.site import write_site
from tests.helpers.page.browser import DESKTOP, find_chromium, launched, sit_down
from tests.helpers.page.hands import HAND, deal_button

BYTES, FURTHER, MEMORY = 7e6, 0.2e6, 250e6  # of a first visit with one game, of each further game, of the tab
START, COLD, MOVE = (1.5, 5.0), (4.0, 16.0), (0.2, 0.5)  # seconds on all cores, and with a quarter of one
PERIOD, QUOTA = 100_000, 25_000  # microseconds
GROUP = Path("/sys/fs/cgroup/cpu/mekuri-bench")
LONGEST = 120_000  # milliseconds that anything may take
TURNS = 6
VISITS = 3  # before the starts that are measured: then the browser has kept the machine code
SETTLED = 1000  # milliseconds in which a start comes to its end after the first card is playable
STRONGEST = max(map(bots.find, bots.NAMES), key=lambda bot: bot.strength).id

SNAPSHOT = """async () => {
  const cache = await caches.open(`mekuri-snapshot ${location.pathname}`);
  while (!(await cache.keys()).some((key) => key.url.includes("/snapshot?"))) await new Promise((go) => setTimeout(go, 100));
}"""
FORGET = "() => caches.delete(`mekuri-snapshot ${location.pathname}`)"
# Plays against a bot by requests to the worker. Returns the longest time that it was busy, in seconds: a bot's answer is shown
# after a pause, but while the bot thinks, other requests wait.
PLAY = """async ({ game, seats, turns }) => {
  const channel = new BroadcastChannel(`mekuri-pocket ${location.pathname}`);
  const waiting = new Map();
  channel.onmessage = ({ data }) => {
    const one = waiting.get(data.id);
    if (data.kind === "part") one?.parts.push(new Uint8Array(data.bytes));
    if (data.kind === "end") new Response(new Blob(one?.parts)).text().then((text) => one?.done(text && JSON.parse(text)));
  };
  const ask = (method, url, body) => new Promise((done) => {
    const id = `bench-${waiting.size}`;
    waiting.set(id, { parts: [], done });
    const headers = {};
    channel.postMessage({ kind: "ask", id, tab: "bench", method, url, headers, body: body ? JSON.stringify(body) : "" });
  });
  const path = `/api/tables/${(await ask("POST", "/api/tables", { game, seats })).id}`;
  await ask("POST", `${path}/seat`, { cut: "1f0a" });
  let longest = 0;
  const choice = async () => {
    for (;;) {
      const begun = performance.now();
      const { view } = await ask("GET", path);
      longest = Math.max(longest, (performance.now() - begun) / 1000);
      if (view.legal.length || view.over) return view;
      await new Promise((go) => setTimeout(go, 5));
    }
  };
  let view = await choice();
  for (let turn = 0; !view.over && turn < turns; turn++) {
    await ask("POST", `${path}/actions`, { version: view.version, action: view.legal[0].action });
    view = await choice();
  }
  return longest;
}"""


class Files(SimpleHTTPRequestHandler):
    """A host of files that counts the bytes it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        body = source.read()
        Files.sent += len(body)
        outputfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A context with the address of a folder on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def below(parent: int) -> list[int]:
    """Return the processes that a process has started, and so on."""
    parents = {int(each.name): _parent(each) for each in Path("/proc").iterdir() if each.name.isdigit()}
    found = [parent]
    for one in found:
        found += [pid for pid, above in parents.items() if above == one]
    return found[1:]


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0  # it has ended


def grouped() -> bool:
    """Put all processes of the browser into one group. Return False where this user may not."""
    try:
        GROUP.mkdir(exist_ok=True)
        (GROUP / "cpu.cfs_period_us").write_text(str(PERIOD))
        for pid in below(os.getpid()):
            if "chrom" in Path(f"/proc/{pid}/comm").read_text():
                (GROUP / "cgroup.procs").write_text(str(pid))
    except OSError:
        return False
    return True


@contextmanager
def slowed(slow: bool) -> Iterator[None]:
    """A context in which that group, if `slow`, has a quarter of a core. Starts are prepared outside of it."""
    quota = GROUP / "cpu.cfs_quota_us"
    try:
        if slow:
            quota.write_text(str(QUOTA))
        yield
    finally:
        if slow:
            quota.write_text("-1")


async def memory(browser: Browser) -> int:
    """Return the bytes of the largest process of a page, with its share of what processes have together."""
    session = await browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    sizes = []
    for pid in (each["id"] for each in processes if each["type"] == "renderer"):
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        sizes += [1024 * int(row.split()[1]) for row in rows if row.startswith("Pss:")]
    return max(sizes)


async def dealt(context: BrowserContext, address: str, game: str, slow: bool = False) -> tuple[float, Page]:
    """Return the seconds from the address to a dealt hand, and the page."""
    page = await context.new_page()
    with slowed(slow):
        begun = time.perf_counter()
        await page.goto(address)
        await deal_button(page, game).dispatch_event("click")  # at once, where Playwright would wait until nothing moves
        await page.locator(HAND).first.wait_for()
        return time.perf_counter() - begun, page


async def visits(browser: Browser, address: str, game: str, runs: int, slow: bool) -> list[tuple[str, float, float]]:
    """Return names, figures and limits of a visitor who comes back several times, in seconds and bytes."""
    first = await sit_down(browser, address, DESKTOP)  # without the service worker, which then keeps files for offline
    context = await sit_down(browser, address, DESKTOP, workers=True)
    for each in (first, context):
        each.set_default_timeout(LONGEST)
    sent = 0
    if not slow:
        Files.sent = 0
        await dealt(first, address, game)
        sent = Files.sent
    await first.close()
    # The window stays open: for each new one, Chromium runs pages of its own, which take 0.7 s of processor time.
    await context.new_page()
    page = await context.new_page()
    for _ in range(VISITS):
        await page.close()
        _, page = await dealt(context, address, game)
        await page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        await page.evaluate(SNAPSHOT)
        await page.wait_for_timeout(SETTLED)
    warm, cold = list[float](), list[float]()
    for _ in range(runs):
        await page.evaluate(SNAPSHOT)
        await page.evaluate(FORGET)
        await page.close()
        took, page = await dealt(context, address, game, slow)
        cold.append(took)
    await page.evaluate(SNAPSHOT)
    anew = await memory(browser)
    for _ in range(runs):
        await page.wait_for_timeout(SETTLED)  # a tab that is closed in the middle of a start makes the next one a cold one
        await page.close()
        took, page = await dealt(context, address, game, slow)
        warm.append(took)
    seats = ["person", *[STRONGEST] * (games.find(game).seats[0] - 1)]
    with slowed(slow):
        busy = await page.evaluate(PLAY, {"game": game, "seats": seats, "turns": TURNS})
    found = [
        ("start with a snapshot, s", statistics.median(warm), START[slow]),
        ("start without, s", statistics.median(cold), COLD[slow]),
        ("longest thought of the strongest, s", busy, MOVE[slow]),
    ]
    if not slow:
        more = FURTHER * (len(games.names()) - 1)
        found += [
            ("first visit, MB", sent / 1e6, (BYTES + more) / 1e6),
            ("memory, MB", await memory(browser) / 1e6, MEMORY / 1e6),
            ("memory without a snapshot, MB", anew / 1e6, MEMORY / 1e6),
        ]
    await context.close()
    return found


async def measure(game: str, runs: int, free: bool) -> list[str]:
    """Print all figures. Return the names of figures that miss their limit."""
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    missed = list[str]()
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.to_thread(write_site, Path(folder), [game])
        with served(Path(folder)) as address:
            for slow in (False,) if free else (False, True):
                async with launched(path) as browser:
                    if slow and not grouped():
                        print("\nwith a quarter of a core: not measured, this user may set no quota")
                        break
                    print("\nwith a quarter of a core" if slow else "\non all cores")
                    try:
                        figures = await visits(browser, address, game, runs, slow)
                    except TimeoutError as error:
                        print(error)
                        missed.append(f"a start, within {LONGEST / 1000:.0f} s")
                        continue
                    for name, figure, limit in figures:
                        print(f"{name:34}{figure:7.2f}   limit {limit:6.2f}   {figure / limit:5.2f} of it", flush=True)
                        missed += [name] if figure > limit else []
    with suppress(OSError):
        GROUP.rmdir()
    return missed


def main(
    *,
    game: Annotated[str, cyclopts.Parameter(help="The game that is played.")] = games.names()[0],
    runs: Annotated[int, cyclopts.Parameter(help="How many starts of each kind.")] = 3,
    free: Annotated[bool, cyclopts.Parameter(negative=(), help="Measure on all cores only.")] = False,
) -> None:
    """Measure a page without a server."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    busy = load > cores / 2
    if busy:
        print(f"The machine is busy: load {load:.1f} on {cores} cores. Bytes and memory count, times do not.")
    missed = asyncio.run(measure(game, runs, free))
    if missed and not busy:
        raise SystemExit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    cyclopts.run(main)
