"""The page as an app: it is offered for installing after a round, and kept for offline."""

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from mekuri.server.http import app
from mekuri.server.http.routes.page import FOLDER
from tests.helpers.page.browser import DESKTOP, find_chromium, settled_down, sit_down
from tests.helpers.page.hands import ANYTHING
from tests.helpers.page.opening import CUT, PART
from tests.helpers.page.staging import call, play_until, seated
from tests.helpers.server.serving import Serving, serving
from tests.helpers.tables import USUAL
from tests.page.conftest import Open

# The event of a browser that can install pages.
OFFERED = """
globalThis.prompted = 0;
const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt: async () => void (prompted += 1) });
globalThis.held = !dispatchEvent(offer);
"""


async def test_app_is_offered_after_a_round_until_it_is_declined(open_page: Open) -> None:
    page = await open_page("/")
    table = await seated(page.context, USUAL, ["person", "random"])
    offer = page.get_by_role("button", name="Install")
    await page.goto(f"/t/{table}")
    await page.locator(".board .seat").first.wait_for()
    await page.evaluate(OFFERED)
    assert await page.evaluate("held")  # else the browser would ask in the middle of the round
    await expect(offer).to_have_count(0)
    await play_until(page.context, table, lambda whole: whole["view"]["over"])
    await offer.click()
    assert await page.evaluate("prompted") == 1
    await expect(offer).to_have_count(0)
    await page.evaluate(OFFERED)
    await page.get_by_role("button", name="No, thanks").click()
    await page.reload()
    await page.get_by_role("heading").first.wait_for()
    await page.evaluate(OFFERED)
    await page.locator(".result").wait_for()
    await expect(offer).to_have_count(0)


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_browser_offers_to_install_the_app(tmp_path: Path) -> None:
    """Chromium sends the event itself, and finds nothing amiss."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with (
        serving(tmp_path / "mekuri.db", pace=0) as server,
        settled_down(chromium, tmp_path / "profile", server.address) as context,
    ):
        page = context.pages[0]
        table = await seated(context, USUAL, ["person", "random"])
        await play_until(context, table, lambda whole: whole["view"]["over"])
        await page.goto(f"/t/{table}")
        await page.get_by_role("button", name="Install").wait_for()
        session = await context.new_cdp_session(page)
        assert (await session.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []


READY = "navigator.serviceWorker.ready.then(() => {})"
KEPT = """async () => {
  const boxes = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(boxes.map((box) => box.keys()));
  return requests.flat().map(({ url }) => url.slice(location.origin.length));
}"""
REGISTERED = "navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => new URL(scope).pathname).sort())"
SAVING = 'Object.defineProperty(Navigator.prototype, "connection", { value: { saveData: true } })'
LOST = "No connection to the server"
DEAL = "button[aria-label='Play Mushi']"


async def is_kept(page: Page, path: str) -> None:
    """Wait until a file of this path is kept."""
    while not any(each.startswith(path) for each in await page.evaluate(KEPT)):
        await page.evaluate("new Promise((done) => setTimeout(done, 20))")


@pytest.mark.every_days(4)
async def test_table_is_shown_without_a_network_and_says_what_can_be_done(open_page: Open) -> None:
    open_page.allowed += [CUT, PART]
    page = await open_page("/", workers=True)
    await page.evaluate(READY)
    table = await seated(page.context, USUAL, ["person", "random"])
    await page.goto(f"/t/{table}")
    await page.locator(ANYTHING).first.wait_for()
    await is_kept(page, "/assets/table-")
    await page.context.set_offline(True)
    line = page.get_by_role("status").filter(has_text=LOST)
    await expect(line).to_contain_text("Your cards stay where they are")
    await expect(page.locator(ANYTHING).first).to_be_visible()
    await expect(line.get_by_role("link")).to_have_count(0)  # no copy is kept that could be played here
    await page.reload()
    await expect(line).to_be_visible()
    await page.context.set_offline(False)
    await expect(line).to_have_count(0)
    await page.locator(ANYTHING).first.wait_for()
    kept = await page.evaluate(KEPT)
    assert all(re.fullmatch(r"/index\.html|/assets/[\w.-]+", path) for path in kept), kept
    assert await page.evaluate(REGISTERED) == ["/"]


@pytest.mark.every_days(4)
async def test_device_that_saves_data_keeps_no_copy(open_page: Open) -> None:
    page = await open_page(None, workers=True)
    await page.add_init_script(SAVING)
    await page.goto("/settings")
    await expect(page.get_by_text("set to save data")).to_be_visible()
    await expect(page.get_by_role("button", name="Keep for offline")).to_have_count(0)
    await page.evaluate("navigator.serviceWorker.ready.then(() => {})")  # so that it controls the next page
    open_page.allowed.append("this device saves data")
    fetched: list[str] = []
    page.context.on("request", lambda request: fetched.append(request.url))
    await page.goto("/offline/")
    await expect(page.get_by_text("set to save data")).to_be_visible()
    assert [url for url in fetched if url.endswith("worker.js") or "pyodide" in url] == []


@pytest.mark.slow
async def test_copy_plays_without_a_network_until_it_is_removed(open_page: Open) -> None:
    open_page.allowed += [CUT, PART]
    page = await open_page("/", workers=True)
    await call(page.context, "POST", "/api/guests", {"name": "Aki"})
    table = await seated(page.context, USUAL, ["person", "random"])
    await page.goto(f"/t/{table}")
    await page.locator(ANYTHING).first.wait_for()
    await page.goto("/settings")
    keep = page.get_by_role("button", name="Keep for offline")
    remove = page.get_by_role("button", name="Remove from this device")
    await keep.wait_for()
    await page.evaluate("dispatchEvent(new Event('appinstalled'))")
    await remove.wait_for()
    await remove.click()
    await keep.click()
    await remove.wait_for()

    await page.context.set_offline(True)
    await page.goto(f"/rules/{USUAL}")  # leads to the copy
    await page.locator("article").first.wait_for()
    assert page.url.endswith(f"/offline/?/rules/{USUAL}")
    await page.goto("/")
    await page.locator(DEAL).click()
    await page.locator(ANYTHING).first.click()
    await page.locator(ANYTHING).first.wait_for()
    here = page.url
    await page.goto(f"/t/{table}")
    play = page.get_by_role("link", name="Play here against bots")
    await play.click()
    await page.locator(DEAL).wait_for()

    await page.context.set_offline(False)
    await page.get_by_role("link", name="Back to the server").click()
    await page.wait_for_url(re.compile(r":\d+/$"))
    kept = await page.evaluate(KEPT)
    assert any(path.startswith("/offline/pocket/") for path in kept)
    parts = r"assets/[\w.-]+|cards/[\w-]+\.svg|pocket/((snapshot|trying)\?[^/]+|[\w./-]+)|[\w.-]*"
    files = rf"/index\.html|/assets/[\w.-]+|/offline/({parts})"
    assert [path for path in kept if not re.fullmatch(files, path)] == []
    assert table not in str(kept)
    await page.goto("/settings")
    await remove.click()
    await keep.wait_for()
    assert await page.evaluate(REGISTERED) == ["/"]
    assert not [path for path in await page.evaluate(KEPT) if path.startswith("/offline/")]
    await page.goto(here)  # the match itself is still on this device
    await page.locator(ANYTHING).first.wait_for()


@asynccontextmanager
async def version_of(folder: Path, name: str, port: int = 0, **settings: Any) -> AsyncIterator[Serving]:
    """Serve a version of the page, which differs by a file."""
    place = folder / name
    shutil.copytree(FOLDER, place)
    (place / "assets" / "version-000000.js").write_text(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "FOLDER", place)
        async with serving(folder / "mekuri.db", port=port, pace=0, **settings) as server:
            yield server


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_new_version_waits_until_the_user_updates(browser: Browser, tmp_path: Path) -> None:
    async with version_of(tmp_path, "first") as server:
        port = int(server.address.rpartition(":")[2])
        context = await sit_down(browser, server.address, DESKTOP, workers=True)
        page, other = await context.new_page(), await context.new_page()
        for tab in (page, other):
            await tab.goto("/")
            await tab.locator("h1").first.wait_for()
            await tab.evaluate(READY)
    first = await page.evaluate("document.documentElement.dataset.version")
    async with version_of(tmp_path, "second", port):
        await page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => {})")
        update = page.get_by_role("button", name="Update")
        await update.wait_for()
        await other.get_by_role("button", name="Update").wait_for()
        assert await page.evaluate("document.documentElement.dataset.version") == first
        assert len(await page.evaluate("caches.keys()")) == 2  # the old version has all that it needs
        async with page.expect_event("load"), other.expect_event("load"):
            await update.click()
        for tab in (page, other):
            await tab.locator("h1").first.wait_for()
            assert await tab.evaluate("document.documentElement.dataset.version") != first
            await expect(tab.get_by_role("button", name="Update")).to_have_count(0)
        [kept] = await page.evaluate("caches.keys()")
        assert first not in kept
    async with version_of(tmp_path, "third", port, offline=False) as last:
        await page.goto("/")
        await page.locator("h1").first.wait_for()
        while await page.evaluate(REGISTERED) or await page.evaluate("caches.keys()"):
            await page.evaluate("new Promise((done) => setTimeout(done, 20))")
        await page.goto("/settings")
        await page.get_by_role("heading", name="Notifications").wait_for()
        await expect(page.get_by_role("heading", name="Without a connection")).to_have_count(0)
        assert await page.evaluate(REGISTERED) == []
        assert (await context.request.get(f"{last.address}/offline/")).status == 404
    await context.close()


@pytest.mark.every_days(4)
async def test_page_over_plain_http_says_why_it_cannot_be_kept(open_page: Open) -> None:
    page = await open_page(None, workers=True)
    await page.add_init_script('Object.defineProperty(globalThis, "isSecureContext", { value: false })')
    await page.goto("/settings")
    await expect(page.get_by_text("browsers allow that over https only")).to_be_visible()
