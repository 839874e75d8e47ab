"""Many tabs over plain HTTP, where browsers have no locks and allow six connections to a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from tests.helpers.page.browser import NAMED
from tests.helpers.page.opening import CUT, Open
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child
from tests.helpers.server.ports import free_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABS = 8
# How many lines to the server a tab has opened.
COUNT = """{
  const { fetch } = globalThis;
  globalThis.lines = 0;
  globalThis.fetch = (what, ...how) => {
    if (String(what).startsWith("/api/stream")) lines += 1;
    return fetch(what, ...how);
  };
}"""
# A table against a bot, made by the page itself: its cookie is of a name that only the browser knows.
SEAT = """async ([game]) => {
  const ask = async (method, path, body) =>
    (await fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
  await ask("POST", "/api/guests", {});
  localStorage.setItem("mekuri-guest", "known");
  localStorage.setItem("mekuri", JSON.stringify({ pace: 0 }));
  const { id } = await ask("POST", "/api/tables", { game, seats: ["person", "greedy"], first_dealer: 1 });
  await ask("POST", `/api/tables/${id}/seat`, { cut: "tsuru" });
  return id;
}"""
# Acts until the person has played a card. Gives back how many they have left.
ACT = """async (table) => {
  const headers = { "content-type": "application/json" };
  for (let before = 0; ; ) {
    const { view, you } = await (await fetch(`/api/tables/${table}`)).json();
    const held = view.zones.find(({ kind, owner }) => kind === "hand" && owner === you).cards.length;
    if (held < before) return held;
    before = held;
    const body = JSON.stringify({ version: view.version, action: view.legal[0]?.action });
    if (view.legal.length) await fetch(`/api/tables/${table}/actions`, { method: "POST", headers, body });
    else await new Promise((done) => setTimeout(done, 20));
  }
}"""
HAND = ".mine.hand li"
# As a browser has it that forbids storage, and with tabs that can be hidden.
ALONE = """{
  delete globalThis.BroadcastChannel;
  let hidden = false;
  Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
  globalThis.hide = (now) => {
    hidden = now;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}"""


@asynccontextmanager
async def running(database: Path) -> AsyncIterator[str]:
    """Run a server. Yields its address by name."""
    port = free_port()
    address = f"http://{NAMED}:{port}"
    child = Child(database, port, more=("--public-url", address))
    await child.start()
    try:
        yield address
    finally:
        await child.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def named(tmp_path: Path) -> AsyncIterator[str]:
    """The address by name of a server."""
    async with running(tmp_path / "mekuri.db") as address:
        yield address


async def first_tab(open_page: Open, address: str, *scripts: str) -> tuple[Page, str]:
    """Return a page at the first screen, and a table at which it sits."""
    page = await open_page(None, address=address)
    # A header that browsers ignore where a line is not secure, and lines that end with the server.
    open_page.allowed += ["Cross-Origin-Opener-Policy header has been ignored", CUT]
    for script in (COUNT, *scripts):
        await page.context.add_init_script(script)
    await page.goto("/")
    assert await page.evaluate("[isSecureContext, navigator.locks === undefined]") == [False, True]
    return page, str(await page.evaluate(SEAT, [FACES]))


async def cards_held(page: Page, number: int) -> None:
    await expect(page.locator(HAND)).to_have_count(number)


async def opened(open_page: Open, context: BrowserContext, table: str) -> Page:
    """Return one more tab at the table, which shows the person's cards."""
    page = await open_page.tab(context, f"/t/{table}")
    await page.locator(HAND).first.wait_for()
    return page


@pytest.mark.every_days(4)
async def test_eight_tabs_share_a_stream_without_locks(open_page: Open, named: str) -> None:
    page, table = await first_tab(open_page, named)
    tabs = [await opened(open_page, page.context, table) for _ in range(TABS)]
    held = await page.evaluate(ACT, table)
    for tab in tabs:
        await cards_held(tab, held)
    assert [await tab.evaluate("lines > 0") for tab in tabs] == [True] + [False] * (TABS - 1)
    await tabs.pop(0).close()  # the next one leads
    held = await page.evaluate(ACT, table)
    for tab in tabs:
        await cards_held(tab, held)


@pytest.mark.every_days(4)
async def test_hidden_tabs_close_their_streams_if_tabs_cannot_talk(open_page: Open, named: str) -> None:
    page, table = await first_tab(open_page, named, ALONE)
    tabs: list[Page] = []
    for _ in range(TABS):
        for other in tabs[-1:]:
            await other.evaluate("hide(true)")
        tabs.append(await opened(open_page, page.context, table))
    held = await page.evaluate(ACT, table)
    await cards_held(tabs[-1], held)
    await tabs[-1].evaluate("hide(true)")
    await tabs[0].evaluate("hide(false)")
    await cards_held(tabs[0], held)
